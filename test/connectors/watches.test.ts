import { googleConnector, pageWatcher, slackConnector } from "@bron/connectors";
import { memoryStore } from "@bron/memory-store";
import { createRuntime, type Runtime } from "@bron/runtime";
import { startSimulator } from "@bron/simulator";
import { scriptedLanguageModel } from "@bron/testing";
import { submitConsentPage } from "../mail/support/consent-page.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WatchSource } from "@bron/protocol";

const ownerId = "watcher";
type Simulator = Awaited<ReturnType<typeof startSimulator>>;

describe("BR27 watches, over the wire of the simulated services", () => {
  let simulator: Simulator;
  let runtime: Runtime;
  /** The clock of the store, so that watches are due without waiting. */
  let ahead = 0;
  /** The polls of each watch. */
  const recorded = new Map<string, number>();

  beforeAll(async () => {
    simulator = await startSimulator({ seed: 7 });
    const { authUrl, tokenUrl, revokeUrl, rootUrl } = simulator.googleEndpoints;
    const { authorizeUrl: authorize, apiUrl: api } = simulator.slackEndpoints;
    runtime = await createRuntime({
      store: memoryStore({ now: () => Date.now() + ahead }),
      model: {
        name: "scripted",
        maxOutputTokens: 100,
        model: scriptedLanguageModel(() => ({ text: "I looked at it." })),
      },
      engine: { sweepMs: 25 },
      wrap: (store) => ({
        ...store,
        schedules: {
          ...store.schedules,
          async recordPoll(found, caps) {
            const isRecorded = await store.schedules.recordPoll(found, caps);
            recorded.set(found.scheduleId, (recorded.get(found.scheduleId) ?? 0) + 1);
            return isRecorded;
          },
        },
      }),
      connectors: [
        googleConnector({
          config: {
            clientId: simulator.clientId,
            clientSecret: simulator.clientSecret,
            endpoints: { authorize: authUrl, token: tokenUrl, revoke: revokeUrl, rootUrl },
          },
        }),
        slackConnector({
          config: { botToken: simulator.slackBotToken, endpoints: { authorize, api } },
        }),
      ],
      pageWatcher: pageWatcher({ gateway: simulator.webGateway }),
    });
    const redirectUri = "http://127.0.0.1:9/callback";
    const { url } = await runtime.connections.startSignIn(ownerId, "google", redirectUri);
    const { searchParams } = await submitConsentPage(url);
    const [state = "", code = ""] = [searchParams.get("state"), searchParams.get("code")].map(
      (text) => text ?? "",
    );
    await runtime.connections.finishSignIn("google", { state, code, redirectUri });
  });
  afterAll(async () => {
    await runtime.close();
    await simulator.close();
  });

  const client = () => runtime.clientFor(ownerId);
  const watch = (source: WatchSource, query: string, batch: "each" | "together" = "each") =>
    client().call("POST /api/schedules", {
      body: {
        prompt: `Look at it: ${source}`,
        kind: "interval",
        expression: "5m",
        watch: { source, query, batch },
      },
    });
  const runsOf = async (id: string) => {
    const { runs } = await client().call("GET /api/runs", { query: { limit: 200 } });
    return runs.filter(({ scheduleId }) => scheduleId === id);
  };
  const contextOf = async (runId: string) => {
    const events = await client().call("GET /api/runs/:id/events", { params: { id: runId } });
    return JSON.stringify(events);
  };
  /** Makes every watch due, and waits until this one was polled. */
  const poll = async (id: string) => {
    const before = recorded.get(id) ?? 0;
    ahead += 5 * 60_000;
    await expect.poll(() => recorded.get(id) ?? 0).toBe(before + 1);
  };
  const view = (id: string) => client().call("GET /api/schedules/:id", { params: { id } });
  const account = () => simulator.accounts[0]!.address;

  it.each([
    {
      source: "gmail" as const,
      query: "subject:watched",
      add: (name: string) =>
        simulator.control.deliver(account(), {
          from: "x@outside.example",
          to: account(),
          subject: `Watched ${name}`,
          text: `secret word ${name}`,
        }),
    },
    {
      source: "slack" as const,
      query: "#general",
      add: (name: string) =>
        simulator.slackControl.post({ channel: "general", from: "eva", text: `word ${name}` }),
    },
    {
      source: "calendar" as const,
      query: "watched",
      add: (name: string) =>
        simulator.control.createEvent(
          { account: account() },
          {
            summary: `Watched ${name}`,
            start: { dateTime: new Date(Date.now() + 3_600_000).toISOString() },
            end: { dateTime: new Date(Date.now() + 7_200_000).toISOString() },
          },
        ),
    },
    {
      source: "page" as const,
      query: "https://news.example/list",
      add: (name: string) =>
        simulator.publish("https://news.example/list", {
          mediaType: "text/html",
          body: `<h1>News</h1><p>${name}</p>`,
        }),
    },
  ])("starts one task for each new match of a $source watch", async ({ source, query, add }) => {
    await add("before");
    const { id } = await watch(source, query);
    await poll(id);
    expect(await runsOf(id)).toEqual([]);
    await add("first");
    await poll(id);
    const [run, ...more] = await runsOf(id);
    expect(more).toEqual([]);
    const text = await contextOf(run?.id ?? "");
    expect(text).toContain("first");
    expect(text).not.toContain("before");
    await poll(id);
    await poll(id);
    expect(await runsOf(id)).toHaveLength(1);
    await client().call("POST /api/schedules/:id/remove", { params: { id }, body: {} });
  });

  it("starts one task for all matches of a poll if the owner wants one", async () => {
    const { id } = await watch("gmail", "subject:together", "together");
    await poll(id);
    for (const name of ["one", "two"])
      await simulator.control.deliver(account(), {
        from: "x@outside.example",
        to: account(),
        subject: `Together ${name}`,
        text: name,
      });
    await poll(id);
    const [run, ...more] = await runsOf(id);
    expect(more).toEqual([]);
    const text = await contextOf(run?.id ?? "");
    expect(text).toContain("Together one");
    expect(text).toContain("Together two");
  });

  it("pauses a watch whose account is lost, and says so", async () => {
    const { id } = await watch("gmail", "subject:lost");
    await poll(id);
    await client().call("POST /api/connections/:provider/disconnect", {
      params: { provider: "google" },
      body: {},
    });
    ahead += 5 * 60_000;
    await expect.poll(async () => (await view(id)).reason).toBe("account_lost");
    expect((await view(id)).problem).toContain("Google");
  });
});
