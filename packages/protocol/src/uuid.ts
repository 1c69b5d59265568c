const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id that is not a UUID cannot exist, so callers treat it as not found. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}
