import type { Client } from "@bron/client";

/**
 * What commands use, bound to the owner: the library in this process, or the server of this home.
 */
export interface OwnerRuntime {
  readonly runs: Client["runs"];
  readonly approvals: Client["approvals"];
  readonly effects: Client["effects"];
  readonly audit: Client["audit"];
  readonly permissions: Client["permissions"];
  readonly tokens: Client["tokens"];
}
