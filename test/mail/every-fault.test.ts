import type { FaultRule } from "@bron/world";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { cardsOf, openMailLab, ownerId, type MailLab } from "./support/mail-lab.ts";
import { resultOf } from "./support/mail-script.ts";

const full = process.env["BRON_CRASH"] === "full";

/** Google's methods that the task calls. */
const methods = ["oauth.token", "gmail.users.messages.list", "gmail.users.messages.get", "gmail.users.messages.attachments.get", "gmail.users.drafts.create", "gmail.users.drafts.get", "gmail.users.drafts.list", "gmail.users.drafts.send"] as const;
const changes: readonly string[] = ["gmail.users.drafts.create", "gmail.users.drafts.send"];

const faults: Readonly<Record<string, FaultRule>> = {
  "401": { kind: "status", status: 401 },
  "403": { kind: "status", status: 403 },
  "404": { kind: "status", status: 404 },
  "429 with Retry-After": { kind: "status", status: 429, retryAfterSeconds: 2 },
  "500": { kind: "status", status: 500 },
  "503": { kind: "status", status: 503 },
  cut: { kind: "cut" },
  slow: { kind: "slow", ms: 150 },
};

/** Those that no repetition mends, and that are told instead. */
const isFinal = (method: string, fault: string) => fault === "404" || (fault === "401" && method === "oauth.token");

interface Found {
  readonly matches: { readonly messageId: string; readonly attachments: string[] }[];
}

describe("a fault of Google's at any call of the task", () => {
  let lab: MailLab;
  const pauses: number[] = [];
  beforeAll(async () => {
    lab = await openMailLab(inject("postgresUrl"), {
      times: { draftMs: 350, sendMs: 700, looksMs: [0, 0] },
      pause(ms) {
        pauses.push(ms);
        return Promise.resolve();
      },
      // Each step needs the result of the one before; without it the model says so and ends.
      script({ options }) {
        const since = options.prompt.findLastIndex(({ role }) => role === "user");
        const own = { ...options, prompt: options.prompt.slice(since) };
        const turn = own.prompt.filter(({ role }) => role === "assistant").length;
        const task = options.prompt[since];
        const subject = task?.role === "user" ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("") : "";
        const found = resultOf<Found>(own, "gmail_search")?.matches[0];
        const kept = resultOf<{ digest: string; filename: string; mimeType: string }>(own, "gmail_attachment_get");
        const draft = resultOf<{ draftId: string }>(own, "gmail_draft_create");
        const steps = [
          { tool: "gmail_search", input: { query: "subject:invoice filename:pdf", maxResults: 1 } },
          found && { tool: "gmail_message_read", input: { messageId: found.messageId } },
          found && resultOf(own, "gmail_message_read") !== undefined && { tool: "gmail_attachment_get", input: { messageId: found.messageId, filename: found.attachments[0] } },
          kept && { tool: "gmail_draft_create", input: { to: ["eva@elsewhere.example"], subject, bodyText: "Here it is.", attachments: [{ digest: kept.digest, filename: kept.filename, mediaType: kept.mimeType }] } },
          draft && { tool: "gmail_draft_send", input: { draftId: draft.draftId } },
        ];
        const step = steps[turn];
        return step ? { calls: [step] } : { text: turn < steps.length ? "It did not work." : "Done." };
      },
    });
  });
  afterAll(async () => await lab.close());

  /** The whole task as `name`, with the fault from its first call on or only while it is sent. Returns what became of it. */
  async function perform(name: string, rule?: FaultRule) {
    lab.world.faults.clear();
    pauses.length = 0;
    // A token that no longer works makes every task refresh.
    lab.world.control.expireAccessTokens();
    if (rule) lab.world.faults.add(rule);
    const before = lab.world.record().calls.length;
    let run = await lab.begin(name);
    expect(sentOf(name)).toEqual([]);
    if (run.status === "awaiting_confirmation") {
      await lab.approve(run.id);
      run = await lab.rest(run.id);
    }
    lab.world.faults.clear();
    const events = await lab.events(run.id);
    const ends = events.flatMap((event) => (event.type === "tool" && event.payload.phase === "end" ? [event.payload] : []));
    const calls = lab.world.record().calls.slice(before).map(({ method }) => method);
    return { run, events, ends, calls, story: JSON.stringify({ status: run.status, ends, calls }) };
  }
  const sentOf = (subject: string) => lab.world.record().sent.filter((mail) => mail.subject === subject);

  /** So that it does not go on in a later test, when the account is connected again. */
  const stop = async (runId: string) => {
    await lab.bron.runs.cancel(ownerId, runId);
    await lab.rest(runId);
  };

  it("BR20 the task calls each of these methods", async () => {
    const { calls, run } = await perform("undisturbed");
    expect(run.status).toBe("completed");
    expect([...new Set(calls)].toSorted()).toEqual(methods.toSorted());
  });

  /** What the short form leaves to the long one: these are met as their neighbours are. */
  const rare = new Set(["403", "503", "slow"]);
  const once = methods.flatMap((method) => Object.keys(faults).filter((fault) => full || !rare.has(fault)).map((fault) => ({ method, fault })));

  it.each(once)("BR18 BR20 once is got over, or told: $fault at $method", async ({ method, fault }) => {
    const subject = `${method} ${fault}`;
    const { run, events, ends, story } = await perform(subject, { ...faults[fault], kind: faults[fault]?.kind ?? "cut", method });
    const sending = ends.find(({ name }) => name === "gmail_draft_send");
    expect(sentOf(subject), story).toHaveLength(sending?.outcome === "completed" ? 1 : 0);
    if (!isFinal(method, fault)) {
      expect(run.status, story).toBe("completed");
      return expect(sending?.outcome, story).toBe("completed");
    }
    if (run.status === "awaiting_auth") {
      expect(cardsOf(events)).toContain("ReconnectCard");
      return await stop(run.id);
    }
    expect(run.status, story).toBe("completed");
    const failed = ends.filter(({ outcome }) => outcome === "failed");
    if (failed.length === 0) return expect(sending?.outcome, story).toBe("completed");
    for (const { error } of failed) expect(error?.message.length, story).toBeGreaterThan(10);
    return expect(ends.every(({ outcome }) => outcome === "failed" || outcome === "completed"), story).toBe(true);
  }, 30_000);

  it("X2 says where to look when the account is gone before anybody can find out", async () => {
    const subject = "gone in between";
    const parked = await lab.begin(subject);
    lab.world.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "after" });
    await lab.approve(parked.id);
    await expect.poll(() => sentOf(subject).length, { timeout: 5_000, interval: 2 }).toBe(1);
    lab.world.control.revoke();
    await lab.rest(parked.id);
    const events = await lab.events(parked.id);
    expect(events.find((event) => event.type === "ui" && event.payload.kind === "UnknownEffectCard")).toMatchObject({ payload: { payload: { check: expect.stringContaining(`Look in Gmail's Sent for “${subject}”`) } } });
    expect(sentOf(subject)).toHaveLength(1);
    await lab.connect();
  }, 30_000);

  const lasting = full ? methods.flatMap((method) => Object.keys(faults).filter((fault) => fault !== "slow").map((fault) => ({ method, fault }))) : methods.map((method) => ({ method, fault: "500" }));

  it.each(lasting)("BR18 BR20 X2 for good ends in words, and nothing is sent twice: $fault at $method", async ({ method, fault }) => {
    const subject = `lasting ${method} ${fault}`;
    const { run, events, ends, calls, story } = await perform(subject, { ...faults[fault], kind: faults[fault]?.kind ?? "cut", method, times: 200 });
    expect(sentOf(subject).length, story).toBeLessThanOrEqual(1);
    const last = ends.at(-1);
    if (run.status === "awaiting_auth") expect(cardsOf(events), story).toContain("ReconnectCard");
    else if (last?.outcome === "unknown") expect(last.error?.message, story).toContain("Look");
    else if (last?.outcome === "completed") expect(sentOf(subject), story).toHaveLength(1);
    else {
      expect({ outcome: last?.outcome, sent: sentOf(subject) }, story).toEqual({ outcome: "failed", sent: [] });
      expect(last?.error?.message.length, story).toBeGreaterThan(10);
    }
    // Reads: three to five tries with growing pauses. What is proved to have no effect: at most three attempts.
    const isRead = !changes.includes(method) && method !== "oauth.token" && method !== "gmail.users.drafts.list";
    if (isRead && (fault === "500" || fault === "cut")) {
      expect(calls.filter((one) => one === method).length, story).toBe(4);
      expect(pauses.toSorted((a, b) => a - b), story).toEqual(pauses);
      expect((pauses.at(-1) ?? 0) / (pauses[0] ?? 1)).toBeGreaterThan(2);
    }
    if (method === "oauth.token" && (fault === "500" || fault === "503")) expect(calls.filter((one) => one === method).length, story).toBe(4);
    if (changes.includes(method)) expect(calls.filter((one) => one === method).length, story).toBeLessThanOrEqual(6);
    // The next task must not suffer from it.
    if (run.status === "awaiting_auth") {
      await stop(run.id);
      await lab.connect();
    }
  }, 60_000);
});
