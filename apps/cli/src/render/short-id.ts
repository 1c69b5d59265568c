/** Long enough to be told apart, short enough to be typed; accepted wherever an id is. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
