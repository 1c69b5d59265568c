/** "14:05" in the reader's zone and format. On another day, with the date. */
export function clockTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString()
    ? at.toLocaleTimeString(undefined, { timeStyle: "short" })
    : at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
