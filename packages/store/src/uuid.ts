const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** An id of another shape is simply not found. */
export function isUuid(value: string): boolean {
  return uuid.test(value);
}
