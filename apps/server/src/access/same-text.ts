import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time, also for texts of different length. */
export function isSameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
