import { googleConnector } from "@bron/connectors";
import type { Grant, TokenVault } from "@bron/core";
import type { RunEvent, RunView } from "@bron/protocol";
import { scriptedLanguageModel, type Reader, type Script } from "@bron/testing";
import { startSimulator, type Simulator } from "@bron/simulator";
import { createRuntime, systemClock, type Runtime, type RuntimeOptions } from "@bron/runtime";
import { createTestDatabase } from "../../support/test-database.ts";
import { grantDrafts } from "./grant-drafts.ts";
import { submitConsentPage } from "./consent-page.ts";

export const redirectUri = "http://127.0.0.1:9/callback";
const signInSecret = "a secret key of the sign-in lab, long enough";

export interface SignInHarness {
  readonly runtime: Runtime;
  readonly simulator: Simulator;
  readonly databaseUrl: string;
  /**
   * The stored tokens of an account in plain text, so that a test can check that no table shows
   * them.
   */
  grantOf(ownerId: string): Promise<Grant | undefined>;
  /** Sets the runtime's clock ahead by this time. The simulator's clock does not change. */
  setClockOffset(ms: number): void;
  /** Signs in up to the redirect, and returns what the browser received before it is handed in. */
  consent(
    ownerId: string,
    options?: { readonly decision?: "allow" | "deny"; readonly account?: string },
  ): Promise<{
    readonly state: string;
    readonly code: string;
    readonly redirectUri: string;
    readonly redirect: URL;
  }>;
  connect(ownerId: string, account?: string): Promise<void>;
  accountOf(ownerId: string): Promise<string | null>;
  runUntilParked(ownerId: string, prompt: string): Promise<RunView>;
  waitUntilParked(ownerId: string, runId: string): Promise<RunView>;
  events(ownerId: string, runId: string): Promise<RunEvent[]>;
  /** Google's methods that were called while `work` ran, in order. */
  callsDuring(work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens a runtime with the Gmail connector for several owners, whose clock can be set forward. */
export async function openSignInHarness(
  serverUrl: string,
  script: Script,
  { reader, ...options }: Pick<RuntimeOptions, "wrap"> & { readonly reader?: Reader } = {},
): Promise<SignInHarness> {
  const database = await createTestDatabase(serverUrl);
  const simulator = await startSimulator({ seed: 7 });
  const {
    authUrl: authorize,
    tokenUrl: token,
    revokeUrl: revoke,
    rootUrl,
  } = simulator.googleEndpoints;
  let forwardMs = 0;
  let vault: TokenVault | undefined;
  /** The name under which the connector stores each owner's tokens. */
  const places = new Map<string, string>();
  const connector = googleConnector({
    times: { draftMs: 20_000, sendMs: 20_000, searchDelaysMs: [0, 100] },
    config: {
      clientId: simulator.clientId,
      clientSecret: simulator.clientSecret,
      endpoints: { authorize, token, revoke, rootUrl },
    },
  });
  const runtime = await createRuntime({
    databaseUrl: database.url,
    secretKey: signInSecret,
    model: {
      model: scriptedLanguageModel(script, reader),
      name: "scripted",
      maxOutputTokens: 1_000,
    },
    clock: { ...systemClock, now: () => systemClock.now() + forwardMs },
    ...options,
    connectors: [
      (deps) => {
        vault = deps.vault;
        const save: TokenVault["save"] = (ownerId, place, grant) => {
          places.set(ownerId, place);
          return deps.vault.save(ownerId, place, grant);
        };
        return connector({ ...deps, vault: { ...deps.vault, save } });
      },
    ],
  });
  const consent: SignInHarness["consent"] = async (
    ownerId,
    { decision = "allow", account } = {},
  ) => {
    const response = await submitConsentPage(
      (await runtime.connections.startSignIn(ownerId, "google", redirectUri)).url,
      decision,
      account,
    );
    return {
      state: response.searchParams.get("state") ?? "",
      code: response.searchParams.get("code") ?? "",
      redirectUri,
      redirect: response,
    };
  };
  const waitUntilParked: SignInHarness["waitUntilParked"] = async (ownerId, runId) => {
    const client = runtime.clientFor(ownerId);
    for await (const _ of client.events(runId, {
      untilParked: true,
      signal: AbortSignal.timeout(30_000),
    }));
    return await client.call("GET /api/runs/:id", { params: { id: runId } });
  };
  if (!vault) throw new Error("The connector received no vault");
  const kept = vault;
  return {
    runtime,
    simulator,
    databaseUrl: database.url,
    grantOf: (ownerId) => kept.load(ownerId, places.get(ownerId) ?? ""),
    consent,
    waitUntilParked,
    setClockOffset: (ms) => {
      forwardMs = ms;
    },
    async connect(ownerId, account) {
      const { redirect: _, ...back } = await consent(
        ownerId,
        account === undefined ? {} : { account },
      );
      await runtime.connections.finishSignIn("google", back);
      await grantDrafts(runtime.clientFor(ownerId));
    },
    accountOf: async (ownerId) =>
      (await runtime.clientFor(ownerId).call("GET /api/connections")).connections[0]?.account ??
      null,
    runUntilParked: async (ownerId, prompt) =>
      await waitUntilParked(
        ownerId,
        (await runtime.clientFor(ownerId).call("POST /api/runs", { body: { prompt } })).id,
      ),
    events: async (ownerId, runId) =>
      (await runtime.logs.read(ownerId, runId, { afterSeq: 0, limit: 1_000 })).events,
    async callsDuring(work) {
      const before = simulator.record().calls.length;
      await work();
      return simulator
        .record()
        .calls.slice(before)
        .map(({ method, status, ending }) => `${method} ${status ?? ending}`);
    },
    async close() {
      await runtime.close();
      await simulator.close();
      await database.drop();
    },
  };
}
