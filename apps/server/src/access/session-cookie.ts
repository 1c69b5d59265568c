export const sessionMs = 30 * 86_400_000;

/** Browsers keep one set of cookies for all ports of a machine, so each server has a name of its own. */
export function sessionCookieName(port: number): string {
  return `bron_session_${port}`;
}
