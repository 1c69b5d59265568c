export type CallbackPath = "/api/gmail/callback" | "/api/connections/slack/callback";

/** Where a provider sends the owner's browser back to, signed but without a cookie. */
export const callbackPaths: ReadonlyMap<string, CallbackPath> = new Map<string, CallbackPath>([
  ["google", "/api/gmail/callback"],
  ["slack", "/api/connections/slack/callback"],
]);

const paths: ReadonlySet<string> = new Set(callbackPaths.values());

export function isCallback(path: string): boolean {
  return paths.has(path);
}
