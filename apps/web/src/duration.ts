/** "12 s", "3 min 05 s", "2 h 04 min": never more than a person wants to know. */
export function durationInWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
