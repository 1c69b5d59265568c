import {
  childRunTools,
  planTool,
  type Clock,
  type Connector,
  type Runs,
  type Tool,
} from "@bron/core";
import { postgresContacts, postgresOauthTokens, postgresUsedKeys } from "@bron/store";
import type { Storage } from "./open-storage.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { createTokenVault } from "./token-vault.ts";
import { toolMap } from "./tool-map.ts";

export interface RuntimeTools {
  readonly connectors: readonly Connector[];
  readonly tools: ReadonlyMap<string, Tool>;
}

/** Creates the connectors, and collects all tools that runs can use. */
export function openTools(
  options: Pick<RuntimeOptions, "connectors" | "tools">,
  { database, secretKey, sign }: Storage,
  runs: Runs,
  clock: Clock,
): RuntimeTools {
  const connectorDeps = {
    vault: createTokenVault(postgresOauthTokens(database.db), secretKey),
    sign,
    useOnce: postgresUsedKeys(database.db).useOnce,
    clock,
    contacts: postgresContacts(database.pool),
  };
  const connectors = (options.connectors ?? []).map((create) => create(connectorDeps));
  const tools = toolMap([
    planTool,
    ...childRunTools({ runs }),
    ...(options.tools ?? []),
    ...connectors.flatMap((connector) => connector.tools),
  ]);
  return { connectors, tools };
}
