/** Where a provider sends the owner's browser back to, signed but without a cookie. */
export const callbackPaths: ReadonlyMap<string, string> = new Map([
  ["google", "/api/gmail/callback"],
  ["slack", "/api/connections/slack/callback"],
]);

const paths = new Set(callbackPaths.values());

export function isCallback(path: string): boolean {
  return paths.has(path);
}
