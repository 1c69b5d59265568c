import {
  googleConnector,
  slackConnector,
  webFetchTool,
  type GoogleConnectorOptions,
} from "@bron/connectors";
import { documentTools, readForModel } from "@bron/documents";
import type { RunEvent, RunView } from "@bron/protocol";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import { startWorld, type World, type WorldOptions } from "@bron/world";
import { createBron, type Bron, type BronOptions } from "bron";
import { createTestDatabase } from "../../support/test-database.ts";
import { pressOnConsentPage } from "./consent-page.ts";

export const ownerId = "local";
const redirectUri = "http://127.0.0.1:9/callback";

export interface MailLab {
  readonly bron: Bron;
  readonly world: World;
  /** The owner's address and a colleague's. */
  readonly owner: string;
  readonly colleague: string;
  readonly databaseUrl: string;
  /** As a person at the consent page. */
  connect(decision?: "allow" | "deny", ticks?: (scope: string) => boolean): Promise<URL>;
  /** Creates a run and follows it until it is over or parked. */
  begin(prompt: string): Promise<RunView>;
  /** Follows a run until it is over or parked. */
  rest(runId: string): Promise<RunView>;
  events(runId: string): Promise<RunEvent[]>;
  approve(runId: string): Promise<void>;
  close(): Promise<void>;
}

export interface MailLabOptions extends Partial<BronOptions> {
  readonly script: Script;
  readonly connected?: boolean;
  readonly times?: GoogleConnectorOptions["times"];
  /** In place of the connectors' pauses between tries. */
  readonly pause?: (ms: number) => Promise<void>;
  /** How long a page may take to come. */
  readonly webTimeoutMs?: number;
  readonly worldOptions?: WorldOptions;
}

/** Bron with Google, Slack and the web, on a real database and a world of its own; the model says what the script says. */
export async function openMailLab(
  serverUrl: string,
  {
    script,
    connected = true,
    times = { draftMs: 1_000, sendMs: 1_500, eventMs: 5_000, looksMs: [0, 100, 200] },
    pause,
    webTimeoutMs = 20_000,
    worldOptions,
    ...options
  }: MailLabOptions,
): Promise<MailLab> {
  const database = await createTestDatabase(serverUrl);
  const world = await startWorld({ seed: 7, ...worldOptions });
  const { authUrl: authorize, tokenUrl: token, revokeUrl: revoke, rootUrl } = world.googleEndpoints;
  const slack = slackConnector({
    config: {
      botToken: world.slackBotToken,
      endpoints: { authorize: world.slackEndpoints.authorizeUrl, api: world.slackEndpoints.apiUrl },
    },
  });
  const google = googleConnector({
    times,
    config: {
      clientId: world.clientId,
      clientSecret: world.clientSecret,
      endpoints: { authorize, token, revoke, rootUrl },
    },
  });
  const bron = await createBron({
    databaseUrl: database.url,
    secretKey: "a secret key of the mail lab, long enough",
    model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 1_000 },
    tools: [
      ...documentTools(),
      webFetchTool({ read: readForModel, gateway: world.webGateway, timeoutMs: webTimeoutMs }),
    ],
    connectors: [google, slack].map(
      (connector) => (parts) =>
        connector(pause ? { ...parts, clock: { ...parts.clock, sleep: pause } } : parts),
    ),
    ...options,
  });
  const connect: MailLab["connect"] = async (decision = "allow", ticks) => {
    const { url } = await bron.connections.begin(ownerId, "google", redirectUri);
    const answer = await pressOnConsentPage(url, decision, undefined, ticks);
    const code = answer.searchParams.get("code");
    if (code !== null)
      await bron.connections.finish("google", {
        state: answer.searchParams.get("state") ?? "",
        code,
        redirectUri,
      });
    return answer;
  };
  const rest = async (runId: string) => {
    for await (const _ of bron.runs.events(ownerId, runId, {
      untilParked: true,
      signal: AbortSignal.timeout(60_000),
    }));
    return await bron.runs.get(ownerId, runId);
  };
  if (connected) await connect();
  return {
    bron,
    world,
    owner: world.accounts[0]?.address ?? "",
    colleague: world.accounts[1]?.address ?? "",
    databaseUrl: database.url,
    connect,
    async begin(prompt) {
      const { id } = await bron.runs.create(ownerId, { prompt });
      return await rest(id);
    },
    rest,
    events: async (runId) =>
      (await bron.runs.page(ownerId, runId, { afterSeq: 0, limit: 1_000 })).events,
    async approve(runId) {
      for (const { id, digest } of await bron.approvals.list(ownerId, { runId, pendingOnly: true }))
        await bron.approvals.approve(ownerId, id, digest);
    },
    async close() {
      await bron.close();
      await world.close();
      await database.drop();
    },
  };
}

/** The outputs of tools, by name, newest last. */
export function outputsOf(events: readonly RunEvent[], tool: string): unknown[] {
  return events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" && event.payload.name === tool
      ? [event.payload.output ?? event.payload.error]
      : [],
  );
}

export function cardsOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === "ui" ? [event.payload.kind] : []));
}
