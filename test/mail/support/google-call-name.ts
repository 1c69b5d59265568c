/**
 * Returns a short name without ids for a call to Google, or undefined for a call to another host.
 */
export function googleCallName(method: string | undefined, path: string): string | undefined {
  const [pathname = ""] = path.split("?");
  if (pathname === "/token") return "POST token";
  const [, event] = /^\/calendar\/v3\/calendars\/[^/]+\/(events.*)$/.exec(pathname) ?? [];
  if (event !== undefined)
    return `${method ?? "GET"} ${event.replace(/^events\/[^/]+/, "events/{id}")}`;
  const [, resource] = /^\/gmail\/v1\/users\/me\/(.+)$/.exec(pathname) ?? [];
  if (resource === undefined) return undefined;
  return `${method ?? "GET"} ${resource.replace(/^(drafts|messages|threads)\/(?!send$)[^/]+/, "$1/{id}")}`;
}
