import {
  askUserTool,
  childRunTools,
  outputReadTool,
  reportOutcomeTool,
  type Clock,
  type Connector,
  type ConnectorDeps,
  type Store,
  type Tool,
} from "@bron/core";
import type { Sign } from "@bron/protocol";
import type { RuntimeSettings } from "./runtime-options.ts";
import { createTokenVault } from "./token-vault.ts";
import { toolMap } from "./tool-map.ts";

export interface RuntimeTools {
  readonly connectors: readonly Connector[];
  readonly tools: ReadonlyMap<string, Tool>;
}

interface ToolsDeps {
  readonly store: Store;
  readonly secretKey: string;
  readonly sign: Sign;
  readonly clock: Clock;
}

/** Creates the connectors, and collects all tools that runs can use. */
export function openTools(
  settings: Pick<RuntimeSettings, "connectors" | "tools">,
  { store, secretKey, sign, clock }: ToolsDeps,
): RuntimeTools {
  const connectorDeps: ConnectorDeps = {
    vault: createTokenVault(store.oauthTokens, secretKey),
    sign,
    useOnce: store.usedKeys.useOnce,
    clock,
    contacts: store.contacts,
    peopleNamed: async (caller, name) => {
      const found = connectors.map(async (connector) =>
        connector.peopleNamed ? await connector.peopleNamed(caller, name) : [],
      );
      return (await Promise.all(found)).flat();
    },
  };
  const connectors: readonly Connector[] = (settings.connectors ?? []).map((create) =>
    create(connectorDeps),
  );
  const tools = toolMap([
    ...childRunTools({ runs: store.runs }),
    askUserTool,
    outputReadTool,
    reportOutcomeTool,
    ...(settings.tools ?? []),
    ...connectors.flatMap((connector) => connector.tools),
  ]);
  return { connectors, tools };
}
