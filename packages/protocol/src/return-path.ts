const maxLength = 500;
/** Letters, digits and what a path, a query and an anchor of our own pages contain. */
const allowed = /^\/(?!\/)[\w\-./~%?&=#:+@]*$/;

/**
 * Returns the path if it is a page of this server, and undefined otherwise. A browser is sent there,
 * so nothing may pass that leads to another site or starts a request to the API.
 */
export function checkReturnPath(path: string | undefined): string | undefined {
  if (path === undefined || path.length > maxLength || !allowed.test(path)) return undefined;
  return path.startsWith("/api/") || path.startsWith("/sign-") ? undefined : path;
}
