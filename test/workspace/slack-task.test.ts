import { omitUndefined } from "@bron/protocol";
import { slackConnector } from "@bron/connectors";
import { isFullSuite, scriptedLanguageModel } from "@bron/testing";
import { startSimulator, type Simulator } from "@bron/simulator";
import { createRuntime, type Runtime } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { submitConsentPage } from "../mail/support/consent-page.ts";
import {
  cardsOf,
  openMailHarness,
  outputsOf,
  ownerId,
  type MailHarness,
} from "../mail/support/mail-harness.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { callScript } from "./support/call-script.ts";

interface Message {
  readonly ts: string;
  readonly who: string;
  readonly text: string;
  readonly replies: number;
}

interface Read {
  readonly channel: string;
  readonly messages: Message[];
  readonly more: boolean;
  readonly nextCursor?: string;
  readonly message?: string;
}

/** How many messages the largest channel has. */
const volume = isFullSuite ? 5_000 : 1_000;

describe("Slack's tools", () => {
  let harness: MailHarness;
  const pauses: number[] = [];
  let strangers = 0;
  beforeAll(async () => {
    const pause = (ms: number) => {
      pauses.push(ms);
      return Promise.resolve();
    };
    harness = await openMailHarness(inject("postgresUrl"), {
      script: callScript,
      simulatorOptions: { slackVolume: volume },
      pause,
      caps: { toolCalls: 100, modelTurns: 100 },
    });
  });
  afterAll(async () => await harness.close());

  const call = async <T>(tool: string, input: Record<string, unknown>) => {
    const run = await harness.runUntilParked(JSON.stringify([{ tool, input }]));
    const events = await harness.events(run.id);
    return { run, events, output: outputsOf(events, tool).at(-1) as T };
  };
  const read = async (input: Record<string, unknown>) =>
    (await call<Read>("slack_read", input)).output;

  it("RT9 lists the channels that Bron can see, and says which can be read", async () => {
    const { output } = await call<{
      found: number;
      channels: { name: string; isMember: boolean; isPrivate: boolean }[];
    }>("slack_channels", {});
    const names = output.channels.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "general",
        "workshop",
        "orders",
        "suppliers",
        "random",
        "leadership",
      ]),
    );
    expect(output.channels.find(({ name }) => name === "random")?.isMember).toBe(false);
    expect(output.channels.find(({ name }) => name === "leadership")).toMatchObject({
      isMember: true,
      isPrivate: true,
    });
    const { output: some } = await call<typeof output>("slack_channels", { query: "#order" });
    expect(some.channels.map(({ name }) => name)).toContain("orders");
    expect(some.found).toBeLessThan(output.found);
  });

  it("RT9 reads a channel with people's names, oldest first, and its conversations", async () => {
    const { output, events } = await call<Read>("slack_read", { channel: "#orders", limit: 100 });
    expect(cardsOf(events)).toContain("SlackMessagesCard");
    const times = output.messages.map(({ ts }) => Number(ts));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const written = JSON.stringify(output.messages);
    expect(written).not.toMatch(/<@U|&amp;|&lt;/);
    expect(output.messages.every(({ who }) => !/^U[A-Z0-9]{6,}$/.test(who))).toBe(true);
    const parent = output.messages.find(({ replies }) => replies > 0);
    if (!parent) throw new Error("No conversation in this channel");
    const thread = await read({ channel: "orders", threadTs: parent.ts });
    expect(thread.messages[0]?.ts).toBe(parent.ts);
    expect(thread.messages).toHaveLength(parent.replies + 1);
  });

  it("RT9 reads each message of a large channel once, page by page", async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page: Read = await read({
        channel: "volume",
        limit: 200,
        ...omitUndefined({ cursor }),
      });
      for (const { ts } of page.messages) seen.add(ts);
      expect(page.messages.length).toBeLessThanOrEqual(200);
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== undefined && pages < 40);
    expect({ seen: seen.size, pages }).toEqual({ seen: volume, pages: volume / 200 });
  }, 60_000);

  it("RT9 reads what was written since a time", async () => {
    const { messages } = await read({ channel: "general", limit: 50 });
    const middle = messages[Math.floor(messages.length / 2)];
    if (!middle) throw new Error("The channel has no messages");
    const since = await read({ channel: "general", limit: 200, since: middle.ts });
    expect(since.messages.every(({ ts }) => Number(ts) > Number(middle.ts))).toBe(true);
    expect(since.messages.length).toBeGreaterThan(0);
  });

  it("RT13 tells the model which channels may be meant, and how to invite Bron", async () => {
    expect((await read({ channel: "#ordres" })).message).toContain("#orders");
    expect((await read({ channel: "random" })).message).toContain("/invite @Bron");
    expect((await read({ channel: "orders", threadTs: "1700000000.000001" })).message).toContain(
      "Thread not found",
    );
    expect((await read({ channel: "orders", since: "last week" })).message).toContain(
      "is not a time",
    );
    expect((await read({ channel: "orders", cursor: "nonsense" })).message).toContain(
      "invalid_cursor",
    );
  });

  it.each(["slack.conversations.list", "slack.conversations.history", "slack.users.info"])(
    "BR20 recovers from a fault of Slack or reports it: %s",
    async (method) => {
      for (const fault of [
        { kind: "status", status: 429, retryAfterSeconds: 3 },
        { kind: "status", status: 503 },
        { kind: "cut" },
        { kind: "slow", ms: 100 },
      ] as const) {
        pauses.length = 0;
        // A person whose name was not requested before.
        harness.simulator.slackControl.post({
          channel: "workshop",
          from: harness.owner,
          text: `<@U${strangers++}STRANGER>`,
        });
        harness.simulator.faults.add({ ...fault, method });
        const { messages } = await read({ channel: "workshop", limit: 5 });
        expect(messages, `${method} ${fault.kind}`).toHaveLength(5);
        expect(harness.simulator.faults.list(), `${method} ${fault.kind}`).toEqual([]);
        if ("retryAfterSeconds" in fault) expect(pauses).toContain(3_000);
        harness.simulator.faults.clear();
      }
      harness.simulator.faults.add({ kind: "status", status: 500, method, times: 50 });
      const failed = await read({ channel: "suppliers", limit: 5 });
      harness.simulator.faults.clear();
      // A name lookup that fails does not prevent reading.
      if (method === "slack.users.info") expect(failed.messages).toHaveLength(5);
      else expect(failed.message).toContain("Slack returned an error (500)");
    },
  );

  it("RT9 nothing was written into Slack", () => {
    expect(harness.simulator.record().posted).toEqual([]);
  });
});

describe("a Slack workspace that an owner connects", () => {
  let database: TestDatabase;
  let simulator: Simulator;
  let runtime: Runtime;
  const redirectUri = "http://127.0.0.1:9/callback";
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    simulator = await startSimulator({ seed: 7 });
    const config = {
      app: { clientId: simulator.slackClientId, clientSecret: simulator.slackClientSecret },
      endpoints: {
        authorize: simulator.slackEndpoints.authorizeUrl,
        api: simulator.slackEndpoints.apiUrl,
      },
    };
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key of the Slack lab, long enough",
      model: { model: scriptedLanguageModel(callScript), name: "scripted", maxOutputTokens: 1_000 },
      connectors: [slackConnector({ config })],
    });
  });
  afterAll(async () => {
    await runtime.close();
    await simulator.close();
    await database.drop();
  });

  const waitUntilParked = async (runId: string) => {
    const client = runtime.clientFor(ownerId);
    for await (const _ of client.events(runId, {
      untilParked: true,
      signal: AbortSignal.timeout(30_000),
    }));
    return await client.call("GET /api/runs/:id", { params: { id: runId } });
  };
  const runUntilParked = async () =>
    await waitUntilParked(
      (
        await runtime.clientFor(ownerId).call("POST /api/runs", {
          body: {
            prompt: JSON.stringify([{ tool: "slack_channels", input: {} }]),
          },
        })
      ).id,
    );
  const consent = async (decision: "allow" | "deny" = "allow") =>
    await submitConsentPage(
      (await runtime.connections.startSignIn(ownerId, "slack", redirectUri)).url,
      decision,
    );

  it("BR20 BR26 parks a run until it is connected, explains each scope, and accepts the response once", async () => {
    const client = runtime.clientFor(ownerId);
    const parked = await runUntilParked();
    expect(parked.status).toBe("awaiting_auth");
    const [before] = (await client.call("GET /api/connections")).connections;
    expect(before).toMatchObject({ provider: "slack", account: null });
    expect(before?.scopes.every(({ why }) => why.length > 10)).toBe(true);
    expect((await consent("deny")).searchParams.get("error")).toBe("access_denied");

    const response = await consent();
    const back = {
      state: response.searchParams.get("state") ?? "",
      code: response.searchParams.get("code") ?? "",
      redirectUri,
    };
    await expect(
      runtime.connections.finishSignIn("slack", { ...back, state: `${back.state}x` }),
    ).rejects.toMatchObject({ code: "forbidden" });
    await runtime.connections.finishSignIn("slack", back);
    await expect(runtime.connections.finishSignIn("slack", back)).rejects.toMatchObject({
      code: "forbidden",
    });
    expect((await waitUntilParked(parked.id)).status).toBe("completed");
    expect((await client.call("GET /api/connections")).connections[0]?.account).toMatch(
      /Lindqvist/,
    );
  });

  it("BR20 parks again when the token is revoked, and deletes it on disconnect", async () => {
    simulator.slackControl.revoke();
    expect((await runUntilParked()).status).toBe("awaiting_auth");
    const response = await consent();
    await runtime.connections.finishSignIn("slack", {
      state: response.searchParams.get("state") ?? "",
      code: response.searchParams.get("code") ?? "",
      redirectUri,
    });
    expect((await runUntilParked()).status).toBe("completed");
    await runtime
      .clientFor(ownerId)
      .call("POST /api/connections/:provider/disconnect", { params: { provider: "slack" } });
    expect(
      simulator.record().calls.filter(({ method }) => method === "slack.auth.revoke"),
    ).toHaveLength(1);
    expect((await runUntilParked()).status).toBe("awaiting_auth");
  });

  it("BR20 renews tokens that expire, however many runs read at once", async () => {
    // The tokens live shorter than Bron's margin for renewal, so each is renewed before it is used.
    simulator.slackControl.rotateTokens(60);
    const response = await consent();
    await runtime.connections.finishSignIn("slack", {
      state: response.searchParams.get("state") ?? "",
      code: response.searchParams.get("code") ?? "",
      redirectUri,
    });
    for (const round of [1, 2]) {
      const runs = await Promise.all([runUntilParked(), runUntilParked(), runUntilParked()]);
      expect(
        runs.map(({ status }) => status),
        `round ${round}`,
      ).toEqual(["completed", "completed", "completed"]);
    }
    expect(
      simulator.record().calls.filter(({ method }) => method === "slack.oauth.v2.access").length,
    ).toBeGreaterThan(3);
  });

  /** If only the response is lost, Slack has already used up the refresh token. */
  const renewalFaults = [
    ["429", { kind: "status", status: 429, retryAfterSeconds: 0 }, "completed"],
    ["cut before", { kind: "cut" }, "completed"],
    ["401", { kind: "status", status: 401 }, "awaiting_auth"],
    ["cut after", { kind: "cut", when: "after" }, "awaiting_auth"],
    ["500", { kind: "status", status: 500 }, "completed"],
    ["503", { kind: "status", status: 503 }, "completed"],
    ["slow", { kind: "slow", ms: 100 }, "completed"],
  ] as const;
  /** The short suite leaves out the faults that are handled like those before. */
  it.each(isFullSuite ? renewalFaults : renewalFaults.slice(0, 4))(
    "BR20 recovers from one fault during the renewal, or asks for a new sign-in: %s",
    async (_, fault, status) => {
      simulator.slackControl.rotateTokens(60);
      const response = await consent();
      await runtime.connections.finishSignIn("slack", {
        state: response.searchParams.get("state") ?? "",
        code: response.searchParams.get("code") ?? "",
        redirectUri,
      });
      simulator.faults.add({ ...fault, method: "slack.oauth.v2.access" });
      const run = await runUntilParked();
      expect(simulator.faults.list()).toEqual([]);
      expect(run.status).toBe(status);
      if (status === "awaiting_auth")
        await runtime
          .clientFor(ownerId)
          .call("POST /api/runs/:id/cancel", { params: { id: run.id } });
    },
  );

  it.each([
    ["429", { kind: "status", status: 429 }],
    ["500 after", { kind: "status", status: 500, when: "after" }],
    ["cut", { kind: "cut" }],
    ["401", { kind: "status", status: 401 }],
  ] as const)(
    "BR20 reports a fault at the end of a sign-in, and connects nothing: %s",
    async (_, fault) => {
      const client = runtime.clientFor(ownerId);
      await client.call("POST /api/connections/:provider/disconnect", {
        params: { provider: "slack" },
      });
      const response = await consent();
      simulator.faults.add({ ...fault, method: "slack.oauth.v2.access" });
      await expect(
        runtime.connections.finishSignIn("slack", {
          state: response.searchParams.get("state") ?? "",
          code: response.searchParams.get("code") ?? "",
          redirectUri,
        }),
      ).rejects.toMatchObject({
        code: "forbidden",
        message: expect.stringContaining("Slack rejected the sign-in"),
      });
      expect((await client.call("GET /api/connections")).connections[0]?.account).toBeNull();
    },
  );
});
