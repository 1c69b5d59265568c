import { googleConnector } from "@bron/connectors";
import type { Grant, TokenVault } from "@bron/core";
import type { RunEvent, RunView } from "@bron/protocol";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import { startWorld, type World } from "@bron/world";
import { createBron, systemClock, type Bron, type BronOptions } from "bron";
import { createTestDatabase } from "../../support/test-database.ts";
import { pressOnConsentPage } from "./consent-page.ts";

export const redirectUri = "http://127.0.0.1:9/callback";
const signInSecret = "a secret key of the sign-in lab, long enough";

export interface SignInLab {
  readonly bron: Bron;
  readonly world: World;
  readonly databaseUrl: string;
  /** What Bron keeps of an account, in the open: it tells what a table must not show. */
  grantOf(ownerId: string): Promise<Grant | undefined>;
  /** Sets Bron's clock forward, not the world's. */
  setForward(ms: number): void;
  /** What came back to the browser, before it is handed in. */
  consent(
    ownerId: string,
    options?: { readonly decision?: "allow" | "deny"; readonly account?: string },
  ): Promise<{
    readonly state: string;
    readonly code: string;
    readonly redirectUri: string;
    readonly answer: URL;
  }>;
  connect(ownerId: string, account?: string): Promise<void>;
  accountOf(ownerId: string): Promise<string | null>;
  begin(ownerId: string, prompt: string): Promise<RunView>;
  rest(ownerId: string, runId: string): Promise<RunView>;
  events(ownerId: string, runId: string): Promise<RunEvent[]>;
  /** Google's methods, in order, that were called while it ran. */
  callsDuring(work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

/** Bron with the Gmail connector for several owners, whose clock can be set forward. */
export async function openSignInLab(
  serverUrl: string,
  script: Script,
  options: Pick<BronOptions, "wrap"> = {},
): Promise<SignInLab> {
  const database = await createTestDatabase(serverUrl);
  const world = await startWorld({ seed: 7 });
  const { authUrl: authorize, tokenUrl: token, revokeUrl: revoke, rootUrl } = world.googleEndpoints;
  let forwardMs = 0;
  let vault: TokenVault | undefined;
  /** Under which name the connector keeps each owner's tokens. */
  const places = new Map<string, string>();
  const connector = googleConnector({
    times: { draftMs: 20_000, sendMs: 20_000, looksMs: [0, 100] },
    config: {
      clientId: world.clientId,
      clientSecret: world.clientSecret,
      endpoints: { authorize, token, revoke, rootUrl },
    },
  });
  const bron = await createBron({
    databaseUrl: database.url,
    secretKey: signInSecret,
    model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 1_000 },
    clock: { ...systemClock, now: () => systemClock.now() + forwardMs },
    ...options,
    connectors: [
      (parts) => {
        vault = parts.vault;
        const save: TokenVault["save"] = (ownerId, place, grant) => {
          places.set(ownerId, place);
          return parts.vault.save(ownerId, place, grant);
        };
        return connector({ ...parts, vault: { ...parts.vault, save } });
      },
    ],
  });
  const consent: SignInLab["consent"] = async (ownerId, { decision = "allow", account } = {}) => {
    const answer = await pressOnConsentPage(
      (await bron.connections.begin(ownerId, "google", redirectUri)).url,
      decision,
      account,
    );
    return {
      state: answer.searchParams.get("state") ?? "",
      code: answer.searchParams.get("code") ?? "",
      redirectUri,
      answer,
    };
  };
  const rest: SignInLab["rest"] = async (ownerId, runId) => {
    for await (const _ of bron.runs.events(ownerId, runId, {
      untilParked: true,
      signal: AbortSignal.timeout(30_000),
    }));
    return await bron.runs.get(ownerId, runId);
  };
  if (!vault) throw new Error("The connector got no vault");
  const kept = vault;
  return {
    bron,
    world,
    databaseUrl: database.url,
    grantOf: (ownerId) => kept.load(ownerId, places.get(ownerId) ?? ""),
    consent,
    rest,
    setForward: (ms) => {
      forwardMs = ms;
    },
    async connect(ownerId, account) {
      const { answer: _, ...back } = await consent(
        ownerId,
        account === undefined ? {} : { account },
      );
      await bron.connections.finish("google", back);
    },
    accountOf: async (ownerId) => (await bron.connections.list(ownerId))[0]?.account ?? null,
    begin: async (ownerId, prompt) =>
      await rest(ownerId, (await bron.runs.create(ownerId, { prompt })).id),
    events: async (ownerId, runId) =>
      (await bron.runs.page(ownerId, runId, { afterSeq: 0, limit: 1_000 })).events,
    async callsDuring(work) {
      const before = world.record().calls.length;
      await work();
      return world
        .record()
        .calls.slice(before)
        .map(({ method, status, ending }) => `${method} ${status ?? ending}`);
    },
    async close() {
      await bron.close();
      await world.close();
      await database.drop();
    },
  };
}
