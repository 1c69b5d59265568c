export const sessionMs = 30 * 86_400_000;

/** Includes the port, because browsers share cookies between all ports of a host. */
export function sessionCookieName(port: number): string {
  return `bron_session_${port}`;
}
