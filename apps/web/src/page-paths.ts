/** How the path of each page begins. Other paths are the server's own. */
const beginnings: ReadonlySet<string> = new Set([
  "",
  "tasks",
  "threads",
  "brons",
  "runs",
  "approvals",
  "connections",
  "permissions",
  "audit",
  "usage",
  "settings",
  "demo",
]);

export function isPagePath(pathname: string): boolean {
  return beginnings.has(pathname.split("/")[1] ?? "");
}
