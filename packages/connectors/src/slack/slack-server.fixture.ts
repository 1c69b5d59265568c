import {
  noLabels,
  type Clock,
  type EffectContext,
  type Grant,
  type MentionQuery,
  type TokenVault,
} from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createSlackAccounts } from "./slack-accounts.ts";
import type { SlackConfig } from "./slack-config.ts";
import { slackTools } from "./slack-tools.ts";

export type SlackResponse = Readonly<Record<string, unknown>>;

interface SlackRequest {
  readonly method: string;
  readonly args: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

/** A few Slack methods over real HTTP. A number is the status of a response without a body. */
interface SlackServer {
  readonly config: SlackConfig & { readonly endpoints: NonNullable<SlackConfig["endpoints"]> };
  readonly asked: SlackRequest[];
}

export async function startSlack(
  methods: Readonly<
    Record<
      string,
      (
        args: Readonly<Record<string, string>>,
      ) => SlackResponse | number | Promise<SlackResponse | number>
    >
  >,
): Promise<SlackServer> {
  const asked: SlackRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const method = (request.url ?? "").replace("/api/", "");
        const args = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
        asked.push({ method, args, token: request.headers.authorization?.replace("Bearer ", "") });
        void Promise.resolve(
          methods[method]?.(args) ?? { ok: false, error: "unknown_method" },
        ).then((reply) => {
          const status = typeof reply === "number" ? reply : 200;
          const limits = status === 429 ? { "retry-after": "3" } : {};
          response
            .writeHead(status, { "content-type": "application/json", ...limits })
            .end(JSON.stringify(typeof reply === "number" ? {} : { ok: true, ...reply }));
        });
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    config: {
      app: { clientId: "client", clientSecret: "secret" },
      endpoints: { authorize: `${url}/authorize`, api: `${url}/api/` },
    },
  };
}

/** Grants in memory. `renew` replaces a grant only if it is still the one that was read. */
export function grantVault(grants: Readonly<Record<string, Grant>> = {}): TokenVault {
  const kept = new Map(Object.entries(grants));
  return {
    load: (ownerId) => Promise.resolve(kept.get(ownerId)),
    save: (ownerId, _, grant) => Promise.resolve(void kept.set(ownerId, grant)),
    renew(ownerId, _, before, renewed) {
      const isSame = kept.get(ownerId)?.accessToken === before.accessToken;
      if (isSame) kept.set(ownerId, renewed);
      return Promise.resolve(isSame);
    },
    remove: (ownerId) => Promise.resolve(void kept.delete(ownerId)),
  };
}

export const noon = Date.UTC(2026, 10, 15, 12);

/** A clock that does not move and records how long `sleep` was called for. */
export function frozenClock(): Clock & { readonly slept: number[]; set(now: number): void } {
  const slept: number[] = [];
  let now = noon;
  return {
    slept,
    now: () => now,
    monotonic: () => now,
    random: () => 0.5,
    sleep: (ms) => Promise.resolve(void slept.push(ms)),
    set: (time) => {
      now = time;
    },
  };
}

/**
 * The Slack tools on a few Slack methods: with a bot token, or with the token of a sign-in that
 * granted these scopes.
 */
export async function slackToolsOn(
  methods: Parameters<typeof startSlack>[0],
  granted?: readonly string[],
) {
  const { config, asked } = await startSlack(methods);
  const clock = frozenClock();
  const grant: Grant = {
    account: "Example",
    accessToken: "xoxb-2",
    refreshToken: "",
    expiresAt: Infinity,
    scopes: granted ?? [],
  };
  const tools = slackTools({
    accounts: createSlackAccounts({
      config: granted === undefined ? { ...config, botToken: "xoxb-1" } : config,
      vault: grantVault({ eva: grant }),
      clock,
    }),
    clock,
    times: { postMs: 5_000, searchDelaysMs: [0, 10] },
    peopleNamed: (_, name) => Promise.resolve(name === "Jonas" ? ["jonas@x.example"] : []),
  });
  const cards: unknown[] = [];
  const find = (name: string, input: JsonObject) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(name);
    const parsed = tool.parseInput(input);
    if (!parsed.ok) throw new Error(parsed.problems.join("; "));
    return { tool, input: parsed.value };
  };
  const call = async (
    name: "slack_channels" | "slack_read" | "slack_members",
    given: JsonObject,
    ownerId = "eva",
  ) => {
    const { tool, input } = find(name, given);
    return (await tool.execute(input, {
      ...contextOf(ownerId),
      showCard: (_, card) => void cards.push(card),
    })) as Readonly<Record<string, unknown>>;
  };
  /** Prepares a post, to look at it or to carry it out. */
  const prepare = async (given: JsonObject) => {
    const { tool, input } = find("slack_post", given);
    const context = contextOf("eva");
    const { prepared, preview } = await tool.prepare(input, context);
    return {
      tool,
      preview,
      context,
      facts: tool.factsOf(prepared),
      execute: () => tool.execute(prepared, context),
      reconcile: () => tool.reconcile?.(prepared, context),
      edit: (changes: JsonObject) => tool.editing?.edit(prepared, changes, context),
      mentions: (query: MentionQuery) => tool.findMention?.(query, prepared, context),
    };
  };
  return { call, prepare, asked, clock, cards };
}

function contextOf(ownerId: string): EffectContext {
  return {
    runId: "r",
    ownerId,
    actionId: "a",
    bronId: "bron",
    place: null,
    labels: () => Promise.resolve(noLabels),
    effectId: "e",
    attempt: 1,
    maxAttachmentBytes: 1_000,
    signal: AbortSignal.timeout(30_000),
    log: () => undefined,
    showCard: () => undefined,
    requireApproval: () => Promise.resolve(),
    evidence: undefined,
    ask: () => Promise.resolve(undefined),
    keepEvidence: () => Promise.resolve(),
    keepPrevious: () => Promise.resolve(),
    saveArtifact: () => Promise.resolve({ artifactId: "1", digest: "sha256:1" }),
    readArtifact: () => Promise.resolve(undefined),
    readOutput: () => Promise.resolve(undefined),
    readSkill: () => Promise.resolve(undefined),
    writersOf: () => Promise.resolve([]),
    reportProgress: () => undefined,
  };
}
