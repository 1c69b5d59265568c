import type { OauthClient } from "@bron/core";
import type { ConnectionSetup } from "@bron/protocol";

/** Where the app of a connector without a fixed configuration comes from. */
export function setupOf(stored: OauthClient | undefined, fallback: unknown): ConnectionSetup {
  if (stored) return "stored";
  return fallback === undefined ? "missing" : "simulated";
}
