import { texts } from "../texts.ts";

/** "Fri, Nov 20, 8:00 AM", in the reader's zone. */
export function shortTime(at: string): string {
  return new Date(at).toLocaleString(texts.language, {
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
}
