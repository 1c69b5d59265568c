import {
  askUserTool,
  childRunTools,
  memoryTools,
  outputReadTool,
  reportOutcomeTool,
  skillReadTool,
  scheduleTool,
  type Clock,
  type Connector,
  type ConnectorDeps,
  type Store,
  type Tool,
  type ToolServers,
} from "@bron/core";
import type { Sign } from "@bron/protocol";
import type { RuntimeSettings } from "./runtime-options.ts";
import { createCipher } from "./cipher.ts";
import { createOauthClients, type OauthClientService } from "./oauth-clients.ts";
import { createTokenVault } from "./token-vault.ts";
import { toolMap } from "./tool-map.ts";

export interface RuntimeTools {
  readonly connectors: readonly Connector[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** The names of the tools whose service is not set up. */
  readonly unavailable: () => Promise<ReadonlySet<string>>;
  readonly oauthClients: OauthClientService;
  /** Undefined for a runtime without MCP servers. */
  readonly toolServers: ToolServers | undefined;
}

interface ToolsDeps {
  readonly store: Store;
  readonly secretKey: string;
  readonly sign: Sign;
  readonly clock: Clock;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/**
 * The zone of an owner: that of their newest schedule, or of their budget. Otherwise that of this
 * machine, which is theirs where Bron runs for one person.
 */
async function zoneOf(
  { schedules, budgets }: Pick<Store, "schedules" | "budgets">,
  ownerId: string,
): Promise<string> {
  const newest = (await schedules.list(ownerId)).find(({ isProposed }) => !isProposed);
  if (newest) return newest.zone;
  const { zone, dayCapMicrousd, monthCapMicrousd } = await budgets.budget(ownerId);
  const isChosen = dayCapMicrousd !== null || monthCapMicrousd !== null;
  return isChosen ? zone : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Creates the connectors, and collects all tools that runs can use. */
export function openTools(
  settings: Pick<RuntimeSettings, "connectors" | "tools" | "toolServers" | "memoryEmbeddings">,
  { store, secretKey, sign, clock, onProblem }: ToolsDeps,
): RuntimeTools {
  const { load: oauthClient, ...oauthClients } = createOauthClients({
    clients: store.oauthClients,
    cipher: createCipher(secretKey, "oauth-clients"),
    clock,
  });
  const connectorDeps: ConnectorDeps = {
    oauthClient,
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
  const toolServers = settings.toolServers?.({
    pins: store.mcpPins,
    vault: connectorDeps.vault,
    sign,
    useOnce: store.usedKeys.useOnce,
    clock,
    writeAudit: store.audit.write,
    onProblem,
  });
  const tools = toolMap([
    ...childRunTools({ runs: store.runs }),
    askUserTool,
    outputReadTool,
    skillReadTool,
    reportOutcomeTool,
    ...memoryTools({ memory: store.memory, embeddings: settings.memoryEmbeddings }),
    scheduleTool({
      schedules: store.schedules,
      clock,
      zoneOf: (ownerId) => zoneOf(store, ownerId),
    }),
    ...(settings.tools ?? []),
    ...connectors.flatMap((connector) => connector.tools),
  ]);
  const unavailable = async () => {
    const found = connectors.map(async ({ setup, tools: own }) =>
      (await setup?.()) === "missing" ? own.map(({ name }) => name) : [],
    );
    return new Set((await Promise.all(found)).flat());
  };
  return { connectors, tools, unavailable, oauthClients, toolServers };
}
