import { createHash, timingSafeEqual } from "node:crypto";

/** Takes the same time wherever the two differ, also in length. */
export function isSameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
