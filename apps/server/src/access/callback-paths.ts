import { mcpProviderPrefix } from "@bron/protocol";

export type CallbackPath =
  | "/api/gmail/callback"
  | "/api/connections/slack/callback"
  | "/api/connections/mcp/callback";

/**
 * Paths to which a provider redirects the owner's browser. The request is signed but has no cookie.
 */
export const callbackPaths: ReadonlyMap<string, CallbackPath> = new Map<string, CallbackPath>([
  ["google", "/api/gmail/callback"],
  ["slack", "/api/connections/slack/callback"],
  // One for all MCP servers. The state of the sign-in says which.
  ["mcp", "/api/connections/mcp/callback"],
]);

/** The path to which a provider redirects. Undefined for one without a sign-in. */
export function callbackPathOf(provider: string): CallbackPath | undefined {
  return callbackPaths.get(provider.startsWith(mcpProviderPrefix) ? "mcp" : provider);
}

const paths: ReadonlySet<string> = new Set(callbackPaths.values());

export function isCallback(path: string): boolean {
  return paths.has(path);
}
