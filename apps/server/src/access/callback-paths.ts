export type CallbackPath = "/api/gmail/callback" | "/api/connections/slack/callback";

/**
 * Paths to which a provider redirects the owner's browser. The request is signed but has no cookie.
 */
export const callbackPaths: ReadonlyMap<string, CallbackPath> = new Map<string, CallbackPath>([
  ["google", "/api/gmail/callback"],
  ["slack", "/api/connections/slack/callback"],
]);

const paths: ReadonlySet<string> = new Set(callbackPaths.values());

export function isCallback(path: string): boolean {
  return paths.has(path);
}
