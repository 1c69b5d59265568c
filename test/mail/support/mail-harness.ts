import {
  googleConnector,
  slackConnector,
  webFetchTool,
  type GoogleConnectorOptions,
} from "@bron/connectors";
import { documentTools, readForModel } from "@bron/documents";
import { omitUndefined, type RunEvent, type RunView } from "@bron/protocol";
import { scriptedLanguageModel, type Reader, type Script } from "@bron/testing";
import { startSimulator, type Simulator, type SimulatorOptions } from "@bron/simulator";
import { createRuntime, type PostgresRuntime, type PostgresRuntimeOptions } from "@bron/runtime";
import { createTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { grantDrafts } from "./grant-drafts.ts";
import { submitConsentPage } from "./consent-page.ts";

export const ownerId = "local";
const redirectUri = "http://127.0.0.1:9/callback";

export interface MailHarness {
  readonly runtime: PostgresRuntime;
  readonly simulator: Simulator;
  /** The addresses of the owner and of a colleague. */
  readonly owner: string;
  readonly colleague: string;
  readonly databaseUrl: string;
  /** Acts as a person at the consent page. */
  connect(decision?: "allow" | "deny", ticks?: (scope: string) => boolean): Promise<URL>;
  /** Creates a run and waits until it has ended or parked. */
  runUntilParked(prompt: string): Promise<RunView>;
  /** Waits until a run has ended or parked. */
  waitUntilParked(runId: string): Promise<RunView>;
  events(runId: string): Promise<RunEvent[]>;
  approve(runId: string): Promise<void>;
  close(): Promise<void>;
}

interface MailHarnessOptions extends Partial<PostgresRuntimeOptions> {
  readonly script: Script;
  /** How the model reads the owner's words. */
  readonly reader?: Reader;
  readonly connected?: boolean;
  readonly times?: GoogleConnectorOptions["times"];
  /** Replaces the connectors' pauses between retries. */
  readonly pause?: (ms: number) => Promise<void>;
  /** How long a web page may take to load. */
  readonly webTimeoutMs?: number;
  readonly simulatorOptions?: SimulatorOptions;
  /** Replaces a new database. */
  readonly createDatabase?: (serverUrl: string) => Promise<TestDatabase>;
}

/**
 * Opens a runtime with Google, Slack and the web, on a real database and its own simulator. The
 * script decides what the model says.
 */
export async function openMailHarness(
  serverUrl: string,
  {
    script,
    reader,
    connected = true,
    times = { draftMs: 1_000, sendMs: 1_500, eventMs: 5_000, searchDelaysMs: [0, 100, 200] },
    pause,
    webTimeoutMs = 20_000,
    simulatorOptions,
    createDatabase = createTestDatabase,
    ...options
  }: MailHarnessOptions,
): Promise<MailHarness> {
  const database = await createDatabase(serverUrl);
  const simulator = await startSimulator({ seed: 7, ...simulatorOptions });
  const {
    authUrl: authorize,
    tokenUrl: token,
    revokeUrl: revoke,
    rootUrl,
  } = simulator.googleEndpoints;
  const slack = slackConnector({
    times: omitUndefined({ postMs: times.sendMs, searchDelaysMs: times.searchDelaysMs }),
    config: {
      botToken: simulator.slackBotToken,
      endpoints: {
        authorize: simulator.slackEndpoints.authorizeUrl,
        api: simulator.slackEndpoints.apiUrl,
      },
    },
  });
  const google = googleConnector({
    times,
    config: {
      clientId: simulator.clientId,
      clientSecret: simulator.clientSecret,
      endpoints: { authorize, token, revoke, rootUrl },
    },
  });
  const runtime = await createRuntime({
    databaseUrl: database.url,
    secretKey: "a secret key of the mail lab, long enough",
    model: {
      model: scriptedLanguageModel(script, reader),
      name: "scripted",
      maxOutputTokens: 1_000,
    },
    tools: [
      ...documentTools(),
      webFetchTool({ read: readForModel, gateway: simulator.webGateway, timeoutMs: webTimeoutMs }),
    ],
    connectors: [google, slack].map(
      (connector) => (deps) =>
        connector(pause ? { ...deps, clock: { ...deps.clock, sleep: pause } } : deps),
    ),
    ...options,
  });
  const connect: MailHarness["connect"] = async (decision = "allow", ticks) => {
    const { url } = await runtime.connections.startSignIn(ownerId, "google", redirectUri);
    const response = await submitConsentPage(url, decision, undefined, ticks);
    const code = response.searchParams.get("code");
    if (code !== null)
      await runtime.connections.finishSignIn("google", {
        state: response.searchParams.get("state") ?? "",
        code,
        redirectUri,
      });
    return response;
  };
  const waitUntilParked = async (runId: string) => {
    const client = runtime.clientFor(ownerId);
    for await (const _ of client.events(runId, {
      untilParked: true,
      signal: AbortSignal.timeout(60_000),
    }));
    return await client.call("GET /api/runs/:id", { params: { id: runId } });
  };
  await grantDrafts(runtime.clientFor(ownerId));
  if (connected) await connect();
  return {
    runtime,
    simulator,
    owner: simulator.accounts[0]?.address ?? "",
    colleague: simulator.accounts[1]?.address ?? "",
    databaseUrl: database.url,
    connect,
    async runUntilParked(prompt) {
      const { id } = await runtime.clientFor(ownerId).call("POST /api/runs", { body: { prompt } });
      return await waitUntilParked(id);
    },
    waitUntilParked,
    events: async (runId) =>
      (await runtime.logs.read(ownerId, runId, { afterSeq: 0, limit: 1_000 })).events,
    async approve(runId) {
      const client = runtime.clientFor(ownerId);
      for (const { id, digest } of await client.list("GET /api/approvals", {
        runId,
        pending: "true",
      }))
        await client.call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } });
    },
    async close() {
      await runtime.close();
      await simulator.close();
      await database.drop();
    },
  };
}

/** The outputs of one tool, oldest first. */
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
