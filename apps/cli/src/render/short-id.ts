/**
 * Long enough to be unique, short enough to type. Every command accepts it in place of the full id.
 */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
