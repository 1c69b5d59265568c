import { reportOutcomeName } from "@bron/protocol";
import { isFullSuite } from "@bron/testing";
import type { FaultRule } from "@bron/simulator";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  cardsOf,
  openMailHarness,
  ownerId,
  type MailHarness,
} from "../mail/support/mail-harness.ts";
import { callScript, type ScriptedCall } from "./support/call-script.ts";

const guest = "eva@elsewhere.example";

/** Every method that the tools call, with a call that needs it. */
const callsOf: Readonly<Record<string, (name: string, harness: MailHarness) => ScriptedCall>> = {
  "calendar.events.list": () => ({ tool: "calendar_search", input: {} }),
  "calendar.events.insert": (name) => ({
    tool: "calendar_event_create",
    input: { summary: name, start: "2027-03-30T09:00", durationMinutes: 30, guests: [guest] },
  }),
  "calendar.events.get": (name, harness) => ({
    tool: "calendar_event_update",
    input: { eventId: createEvent(name, harness), location: "Moved" },
  }),
  "calendar.events.patch": (name, harness) => ({
    tool: "calendar_event_update",
    input: { eventId: createEvent(name, harness), location: "Moved" },
  }),
  "slack.conversations.list": () => ({ tool: "slack_channels", input: {} }),
  "slack.conversations.info": () => ({ tool: "slack_read", input: { channel: orders, limit: 3 } }),
  "slack.conversations.history": () => ({
    tool: "slack_read",
    input: { channel: "orders", limit: 3 },
  }),
  "slack.conversations.replies": (name, harness) => ({
    tool: "slack_read",
    input: { channel: orders, threadTs: postMessage(name, harness), limit: 3 },
  }),
  // A person whose name was not requested before.
  "slack.users.info": (name, harness) => ({
    tool: "slack_read",
    input: {
      channel: orders,
      threadTs: postMessage(`<@U${Buffer.from(name).toString("hex").toUpperCase()}>`, harness),
    },
  }),
  "slack.conversations.members": () => ({ tool: "slack_members", input: { channel: orders } }),
  "slack.users.list": () => ({ tool: "slack_members", input: { channel: orders } }),
  "slack.users.lookupByEmail": (name, { colleague }) => ({
    tool: "slack_post",
    input: { to: colleague, text: name },
  }),
  "slack.conversations.open": (name, { colleague }) => ({
    tool: "slack_post",
    input: { to: colleague, text: name },
  }),
  "slack.chat.postMessage": (name) => ({ tool: "slack_post", input: { to: orders, text: name } }),
  "web.fetch": () => ({ tool: "web_fetch", input: { url: "https://www.lindqvist.example/" } }),
};

const methods = Object.keys(callsOf);
/** The calls of an effect that was approved. */
const changing = /\.(?:insert|patch|open|postMessage)$/;

/** Creates an event as the owner, so that there is something to change. */
function createEvent(summary: string, { simulator, owner }: MailHarness): string {
  const time = (hour: string) => ({
    dateTime: `2027-04-01T${hour}:00:00+02:00`,
    timeZone: "Europe/Berlin",
  });
  return simulator.control.createEvent(
    { account: owner },
    { summary, start: time("09"), end: time("10"), attendees: [{ email: guest }] },
  ).id;
}

/** Posts a message in #orders as the owner. Returns its ts. */
function postMessage(text: string, { simulator, owner }: MailHarness): string {
  return simulator.slackControl.post({ channel: "orders", from: owner, text });
}

/** The id of the channel #orders. */
let orders = "";

async function findOrders({ simulator }: MailHarness): Promise<string> {
  const response = await fetch(`${simulator.slackEndpoints.apiUrl}conversations.list`, {
    headers: { authorization: `Bearer ${simulator.slackBotToken}` },
  });
  const { channels } = (await response.json()) as { channels: { id: string; name: string }[] };
  return channels.find(({ name }) => name === "orders")?.id ?? "";
}

const faults: Readonly<Record<string, FaultRule>> = {
  "401": { kind: "status", status: 401 },
  "403": { kind: "status", status: 403 },
  "404": { kind: "status", status: 404 },
  "429 with Retry-After": { kind: "status", status: 429, retryAfterSeconds: 2 },
  "500 before": { kind: "status", status: 500 },
  "500 after": { kind: "status", status: 500, when: "after" },
  "503 before": { kind: "status", status: 503 },
  "cut before": { kind: "cut" },
  "cut after": { kind: "cut", when: "after" },
  slow: { kind: "slow", ms: 100 },
};
/** The short suite leaves these to the full one, because they are handled like their neighbors. */
const rare = new Set(["403", "404", "500 before", "503 before", "cut before", "slow"]);
const tried = Object.keys(faults).filter((fault) => isFullSuite || !rare.has(fault));
const passing = new Set([
  "429 with Retry-After",
  "500 before",
  "500 after",
  "503 before",
  "cut before",
  "cut after",
  "slow",
]);

describe("a fault at any call of calendar, Slack or web", () => {
  let harness: MailHarness;
  const pauses: number[] = [];
  beforeAll(async () => {
    const pause = (ms: number) => {
      pauses.push(ms);
      return Promise.resolve();
    };
    harness = await openMailHarness(inject("postgresUrl"), {
      script: callScript,
      times: { sendMs: 2_000, eventMs: 2_000, searchDelaysMs: [0, 0] },
      pause,
      webTimeoutMs: 2_000,
    });
    orders = await findOrders(harness);
  });
  afterAll(async () => await harness.close());

  /** Who was notified by each change of this name. */
  const changesOf = (name: string): (readonly string[])[] => {
    const { calendar, posted } = harness.simulator.record();
    return [
      ...calendar.flatMap(({ by, event, notified }) =>
        by === "app" && event.summary === name ? [notified] : [],
      ),
      ...posted.filter(({ text }) => text === name).map(() => [guest]),
    ];
  };

  async function perform(name: string, method: string, rule?: FaultRule) {
    const call = callsOf[method]?.(name, harness);
    if (!call) throw new Error(method);
    pauses.length = 0;
    harness.simulator.faults.clear();
    if (rule) harness.simulator.faults.add({ ...rule, method });
    const before = harness.simulator.record().calls.length;
    let run = await harness.runUntilParked(JSON.stringify([call]));
    expect(changesOf(name)).toEqual([]);
    if (run.status === "awaiting_confirmation") {
      await harness.approve(run.id);
      run = await harness.waitUntilParked(run.id);
    }
    harness.simulator.faults.clear();
    const events = await harness.events(run.id);
    const end = events
      .flatMap((event) =>
        event.type === "tool" &&
        event.payload.phase === "end" &&
        event.payload.name !== reportOutcomeName
          ? [event.payload]
          : [],
      )
      .at(-1);
    const calls = harness.simulator
      .record()
      .calls.slice(before)
      .map(({ method: called, status, ending }) => `${called} ${status ?? ending}`);
    return {
      run,
      events,
      end,
      calls,
      timeline: JSON.stringify({ status: run.status, end, calls }),
    };
  }

  it.each(methods)("BR20 the call uses %s", async (method) => {
    const { end, calls, timeline } = await perform(`undisturbed ${method}`, method);
    expect(end?.outcome, timeline).toBe("completed");
    expect(calls, timeline).toContain(`${method} 200`);
  });

  it.each(methods.flatMap((method) => tried.map((fault) => ({ method, fault }))))(
    "BR20 X2 that happens once is recovered from or reported, and nothing is done twice: $fault at $method",
    async ({ method, fault }) => {
      const name = `${method} ${fault}`;
      const { run, events, end, timeline } = await perform(name, method, faults[fault]);
      const done = changesOf(name);
      expect(done.length, timeline).toBeLessThanOrEqual(1);
      for (const notified of done) expect(notified, timeline).toEqual([guest]);
      if (run.status === "awaiting_auth") {
        expect(cardsOf(events), timeline).toContain("ReconnectCard");
        expect(done, timeline).toEqual([]);
        await harness.runtime
          .clientFor(ownerId)
          .call("POST /api/runs/:id/cancel", { params: { id: run.id } });
        await harness.waitUntilParked(run.id);
        return;
      }
      expect(run.status, timeline).toBe("completed");
      if (end && /^(?:calendar_event|slack_post)/.test(end.name))
        expect(done, timeline).toHaveLength(end.outcome === "completed" ? 1 : 0);
      // The web is requested only once, so its faults are reported. A post without a response may
      // still arrive, so it is never repeated.
      const isReported =
        (method === "web.fetch" && fault !== "slow") ||
        (method === "slack.chat.postMessage" && fault === "cut before");
      if (passing.has(fault) && !isReported) expect(end?.outcome, timeline).toBe("completed");
      if (end?.outcome !== "completed")
        expect(end?.error?.message.length, timeline).toBeGreaterThan(10);
    },
    30_000,
  );

  it.each(methods.filter((method) => method !== "slack.users.info"))(
    "BR20 X2 that lasts ends in an error message: 500 at %s",
    async (method) => {
      const name = `lasting ${method}`;
      const { run, end, calls, timeline } = await perform(name, method, {
        kind: "status",
        status: 500,
        times: 100,
      });
      expect(run.status, timeline).toBe("completed");
      expect(["failed", "unknown"], timeline).toContain(end?.outcome);
      expect(end?.error?.message.length, timeline).toBeGreaterThan(10);
      expect(changesOf(name), timeline).toEqual([]);
      if (changing.test(method) || method === "web.fetch") return;
      expect(
        calls.filter((call) => call.startsWith(method)),
        timeline,
      ).toHaveLength(4);
      expect((pauses.at(-1) ?? 0) / (pauses[0] ?? 1)).toBeGreaterThan(2);
    },
    30_000,
  );

  it("BR20 that lasts at a name lookup does not prevent reading: 500 at slack.users.info", async () => {
    const { end, calls, timeline } = await perform("lasting name", "slack.users.info", {
      kind: "status",
      status: 500,
      times: 100,
    });
    expect(end?.outcome, timeline).toBe("completed");
    expect(
      calls.filter((call) => call === "slack.users.info 500"),
      timeline,
    ).toHaveLength(4);
  });

  it.each(methods.filter((method) => /^(?:slack|web)\./.test(method) && !changing.test(method)))(
    "BR20 without any response does not keep a run from being canceled: %s",
    async (method) => {
      const client = harness.runtime.clientFor(ownerId);
      const call = callsOf[method]?.(`frozen ${method}`, harness);
      harness.simulator.faults.clear();
      harness.simulator.faults.add({ kind: "frozen", method });
      const { id } = await client.call("POST /api/runs", {
        body: { prompt: JSON.stringify([call]) },
      });
      try {
        await expect.poll(() => harness.simulator.faults.frozen(), { timeout: 10_000 }).toBe(1);
        await client.call("POST /api/runs/:id/cancel", { params: { id } });
        expect((await harness.waitUntilParked(id)).status).toBe("canceled");
        expect(harness.simulator.faults.frozen()).toBe(1);
      } finally {
        harness.simulator.faults.clear();
      }
    },
    30_000,
  );
});
