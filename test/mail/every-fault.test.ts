import { reportOutcomeName } from "@bron/protocol";
import { isFullSuite } from "@bron/testing";
import type { FaultRule } from "@bron/simulator";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { cardsOf, openMailHarness, ownerId, type MailHarness } from "./support/mail-harness.ts";
import { resultOf } from "./support/mail-script.ts";

/** Google's methods that the task calls, and the tool that meets a fault of each method first. */
const methods = {
  "oauth.token": "gmail_search",
  "gmail.users.messages.list": "gmail_search",
  "gmail.users.messages.get": "gmail_search",
  "gmail.users.messages.attachments.get": "gmail_attachment_get",
  "gmail.users.drafts.create": "gmail_draft_create",
  "gmail.users.drafts.get": "gmail_draft_send",
  "gmail.users.drafts.list": "gmail_draft_send",
  "gmail.users.drafts.send": "gmail_draft_send",
} as const;
type Method = keyof typeof methods;
const allMethods = Object.keys(methods) as Method[];
const changes: readonly Method[] = ["gmail.users.drafts.create", "gmail.users.drafts.send"];

const faults = {
  "401": { kind: "status", status: 401 },
  "403": { kind: "status", status: 403 },
  "404": { kind: "status", status: 404 },
  "429 with Retry-After": { kind: "status", status: 429, retryAfterSeconds: 2 },
  "500": { kind: "status", status: 500 },
  "503": { kind: "status", status: 503 },
  cut: { kind: "cut" },
  slow: { kind: "slow", ms: 150 },
} as const satisfies Readonly<Record<string, FaultRule>>;
type Fault = keyof typeof faults;
const allFaults = Object.keys(faults) as Fault[];

interface Case {
  readonly method: Method;
  readonly fault: Fault;
}

/**
 * Whether the change happened is unknown at first. Bron finds out when the time limit of the change
 * is over.
 */
const isUnknownOutcome = ({ method, fault }: Case) =>
  changes.includes(method) && (fault === "500" || fault === "503" || fault === "cut");

/** How the tool fails that meets the lasting fault. */
function failureAt({ method, fault }: Case): { readonly code: string; readonly words: RegExp } {
  if (isUnknownOutcome({ method, fault }))
    return { code: "effect_not_done", words: /^Not done after 3 attempts\.$/ };
  if (changes.includes(method))
    return { code: "effect_not_done", words: /^Gmail rejected the request: / };
  const words = wordsFor({ method, fault });
  if (method === "gmail.users.drafts.list")
    return { code: "effect_not_done", words: new RegExp(`^Not done: ${words}`) };
  return {
    code: fault === "403" ? "forbidden" : fault === "404" ? "not_found" : "tool_failed",
    words: new RegExp(`^${words}`),
  };
}

function wordsFor({ method, fault }: Case): string {
  if (fault === "403") return "Gmail denied access: ";
  if (fault === "404")
    return method === "gmail.users.drafts.get"
      ? "Draft \\S+ no longer exists\\.$"
      : "Gmail couldn't find it: ";
  if (method === "oauth.token") return "Couldn't reach Google's sign-in: ";
  return fault === "cut"
    ? "Couldn't reach Gmail: "
    : `Gmail returned an error \\(${fault.slice(0, 3)}\\): `;
}

/** How often the method is called before the tool fails. */
function callsUntilFailure({ method, fault }: Case): number {
  // Each of the three attempts reads the list.
  const attempts = changes.includes(method) || method === "gmail.users.drafts.list" ? 3 : 1;
  if (fault === "404") return method === "gmail.users.drafts.list" ? 3 : 1;
  const tries = changes.includes(method) ? 1 : method === "oauth.token" && fault === "cut" ? 3 : 4;
  return attempts * tries;
}

interface Found {
  readonly matches: { readonly messageId: string; readonly attachments: string[] }[];
}

interface FaultHarness extends MailHarness {
  /** How long the client waited before its retries, in milliseconds. */
  readonly pauses: number[];
}

async function openFaultHarness(changeMs: number): Promise<FaultHarness> {
  const pauses: number[] = [];
  const harness = await openMailHarness(inject("postgresUrl"), {
    times: { draftMs: changeMs, sendMs: changeMs, searchDelaysMs: [0, 0] },
    pause(ms) {
      pauses.push(ms);
      return Promise.resolve();
    },
    // Each step needs the result of the step before. Without it the model says that it failed, and
    // ends.
    script({ options }) {
      const since = options.prompt.findLastIndex(({ role }) => role === "user");
      const own = { ...options, prompt: options.prompt.slice(since) };
      const turn = own.prompt.filter(({ role }) => role === "assistant").length;
      const task = options.prompt[since];
      const subject =
        task?.role === "user"
          ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("")
          : "";
      const found = resultOf<Found>(own, "gmail_search")?.matches[0];
      const kept = resultOf<{ digest: string; filename: string; mimeType: string }>(
        own,
        "gmail_attachment_get",
      );
      const draft = resultOf<{ draftId: string }>(own, "gmail_draft_create");
      const steps = [
        { tool: "gmail_search", input: { query: "subject:invoice filename:pdf", maxResults: 1 } },
        found && { tool: "gmail_message_read", input: { messageId: found.messageId } },
        found &&
          resultOf(own, "gmail_message_read") !== undefined && {
            tool: "gmail_attachment_get",
            input: { messageId: found.messageId, filename: found.attachments[0] },
          },
        kept && {
          tool: "gmail_draft_create",
          input: {
            to: ["eva@elsewhere.example"],
            subject,
            bodyText: "Here it is.",
            attachments: [
              { digest: kept.digest, filename: kept.filename, mediaType: kept.mimeType },
            ],
          },
        },
        draft && { tool: "gmail_draft_send", input: { draftId: draft.draftId } },
      ];
      const step = steps[turn];
      return step
        ? { calls: [step] }
        : { text: turn < steps.length ? "It did not work." : "Done." };
    },
  });
  return { ...harness, pauses };
}

const sentOf = (harness: MailHarness, subject: string) =>
  harness.simulator.record().sent.filter((mail) => mail.subject === subject);

/**
 * Runs the complete task with `name` as its subject, with the fault active from the start. Returns
 * the outcome.
 */
async function perform(harness: FaultHarness, name: string, rule?: FaultRule) {
  harness.simulator.faults.clear();
  harness.pauses.length = 0;
  // Expired access tokens make every task refresh its token.
  harness.simulator.control.expireAccessTokens();
  if (rule) harness.simulator.faults.add(rule);
  const before = harness.simulator.record().calls.length;
  let run = await harness.runUntilParked(name);
  expect(sentOf(harness, name)).toEqual([]);
  if (run.status === "awaiting_confirmation") {
    await harness.approve(run.id);
    run = await harness.waitUntilParked(run.id);
  }
  harness.simulator.faults.clear();
  const events = await harness.events(run.id);
  const ends = events.flatMap((event) =>
    event.type === "tool" &&
    event.payload.phase === "end" &&
    event.payload.name !== reportOutcomeName
      ? [event.payload]
      : [],
  );
  const calls = harness.simulator
    .record()
    .calls.slice(before)
    .map(({ method }) => method);
  return {
    run,
    events,
    ends,
    calls,
    timeline: JSON.stringify({ status: run.status, ends, calls }),
  };
}
type Performed = Awaited<ReturnType<typeof perform>>;

function expectDone(
  harness: FaultHarness,
  subject: string,
  { run, ends, timeline }: Performed,
): void {
  expect(run.status, timeline).toBe("completed");
  expect(
    ends.map(({ name, outcome }) => [name, outcome]),
    timeline,
  ).toEqual(
    [
      "gmail_search",
      "gmail_message_read",
      "gmail_attachment_get",
      "gmail_draft_create",
      "gmail_draft_send",
    ].map((name) => [name, "completed"]),
  );
  expect(sentOf(harness, subject), timeline).toHaveLength(1);
}

/**
 * The run waits for the account. It is canceled here so that it does not continue in a later test.
 */
async function expectParked(
  harness: FaultHarness,
  subject: string,
  { run, events, timeline }: Performed,
): Promise<void> {
  expect(run.status, timeline).toBe("awaiting_auth");
  expect(cardsOf(events), timeline).toContain("ReconnectCard");
  expect(sentOf(harness, subject), timeline).toEqual([]);
  await harness.runtime
    .clientFor(ownerId)
    .call("POST /api/runs/:id/cancel", { params: { id: run.id } });
  await harness.waitUntilParked(run.id);
}

function expectFailed(
  harness: FaultHarness,
  subject: string,
  one: Case,
  { run, ends, timeline }: Performed,
): void {
  expect(run.status, timeline).toBe("completed");
  expect(
    ends.slice(0, -1).every(({ outcome }) => outcome === "completed"),
    timeline,
  ).toBe(true);
  const { code, words } = failureAt(one);
  expect(ends.at(-1), timeline).toMatchObject({
    name: methods[one.method],
    outcome: "failed",
    error: { code, message: expect.stringMatching(words) },
  });
  expect(sentOf(harness, subject), timeline).toEqual([]);
}

async function checkSingleFault(harness: FaultHarness, one: Case): Promise<void> {
  const subject = `${one.method} ${one.fault}`;
  const performed = await perform(harness, subject, { ...faults[one.fault], method: one.method });
  // A refresh token that is refused once stays refused.
  if (one.fault === "401" && one.method === "oauth.token")
    return await expectParked(harness, subject, performed);
  // A missing item is not requested again. The next attempt reads the list again.
  if (one.fault === "404" && one.method !== "gmail.users.drafts.list")
    return expectFailed(harness, subject, one, performed);
  expectDone(harness, subject, performed);
}

async function checkLastingFault(harness: FaultHarness, one: Case): Promise<void> {
  const subject = `lasting ${one.method} ${one.fault}`;
  const performed = await perform(harness, subject, {
    ...faults[one.fault],
    method: one.method,
    times: 200,
  });
  const { calls, timeline } = performed;
  if (one.fault === "401") {
    await expectParked(harness, subject, performed);
    // Reconnect, so that the next task is not affected.
    return void (await harness.connect());
  }
  expectFailed(harness, subject, one, performed);
  const called = calls.filter((method) => method === one.method).length;
  // A connection that is cut before the request was read does not count as a call.
  if (one.fault === "cut" && changes.includes(one.method))
    expect(called, timeline).toBeLessThanOrEqual(callsUntilFailure(one));
  else expect(called, timeline).toBe(callsUntilFailure(one));
  const isRead =
    !changes.includes(one.method) &&
    one.method !== "oauth.token" &&
    one.method !== "gmail.users.drafts.list";
  if (isRead && (one.fault === "500" || one.fault === "cut")) {
    expect(
      harness.pauses.toSorted((a, b) => a - b),
      timeline,
    ).toEqual(harness.pauses);
    expect((harness.pauses.at(-1) ?? 0) / (harness.pauses[0] ?? 1)).toBeGreaterThan(2);
  }
}

/**
 * The short suite leaves out the faults that are handled like their neighbors, and takes one in
 * four of the rest, so that each method and each fault is there.
 */
const rare: ReadonlySet<Fault> = new Set(["403", "503", "slow"]);
const frequent = allFaults.filter((fault) => !rare.has(fault));
const once = allMethods.flatMap((method, row) =>
  allFaults
    .filter((fault) => isFullSuite || (row + frequent.indexOf(fault)) % 4 === 0)
    .filter((fault) => isFullSuite || !rare.has(fault))
    .map((fault) => ({ method, fault })),
);
const lasting = allMethods.flatMap((method, row) =>
  allFaults
    .filter((fault) => (isFullSuite ? fault !== "slow" : fault === "500" && row % 2 === 1))
    .map((fault) => ({ method, fault })),
);

describe("a fault at any Google call of the task", () => {
  let harness: FaultHarness;
  beforeAll(async () => {
    // Long enough for a busy machine. Nothing here waits for the time limit.
    harness = await openFaultHarness(30_000);
  });
  afterAll(async () => await harness.close());

  it("BR20 the task calls each of these methods", async () => {
    const performed = await perform(harness, "undisturbed");
    expectDone(harness, "undisturbed", performed);
    expect([...new Set(performed.calls)].toSorted()).toEqual(allMethods.toSorted());
  }, 60_000);

  it.each(once.filter((one) => !isUnknownOutcome(one)))(
    "BR18 BR20 that happens once is recovered from or reported: $fault at $method",
    async (one) => await checkSingleFault(harness, one),
    60_000,
  );

  it.each(lasting.filter((one) => !isUnknownOutcome(one)))(
    "BR18 BR20 X2 that lasts ends in an error message, and nothing is sent: $fault at $method",
    async (one) => await checkLastingFault(harness, one),
    60_000,
  );
});

describe("a fault that leaves the outcome unknown", () => {
  let harness: FaultHarness;
  beforeAll(async () => {
    // These cases wait for the time limit of a change, which is long enough for a busy machine.
    harness = await openFaultHarness(4_000);
  });
  afterAll(async () => await harness.close());

  const chosen = (doubts: readonly Case[], short: readonly string[]) =>
    doubts.filter(
      (one) =>
        isUnknownOutcome(one) && (isFullSuite || short.includes(`${one.fault} at ${one.method}`)),
    );

  it.each(chosen(once, ["cut at gmail.users.drafts.create", "500 at gmail.users.drafts.send"]))(
    "BR18 BR20 X2 that happens once is resolved: $fault at $method",
    async (one) => await checkSingleFault(harness, one),
    120_000,
  );

  it.each(chosen(lasting, ["500 at gmail.users.drafts.send"]))(
    "BR18 BR20 X2 that lasts ends in an error message, and nothing is sent: $fault at $method",
    async (one) => await checkLastingFault(harness, one),
    120_000,
  );

  it("X2 says where to look when the account is gone before the outcome can be found out", async () => {
    const subject = "gone in between";
    const parked = await harness.runUntilParked(subject);
    harness.simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "after" });
    await harness.approve(parked.id);
    await expect.poll(() => sentOf(harness, subject).length, { interval: 2 }).toBe(1);
    harness.simulator.control.revoke();
    await harness.waitUntilParked(parked.id);
    const events = await harness.events(parked.id);
    expect(
      events.find((event) => event.type === "ui" && event.payload.kind === "UnknownEffectCard"),
    ).toMatchObject({
      payload: {
        payload: {
          check: expect.stringContaining(`Check your Sent folder in Gmail for “${subject}”`),
        },
      },
    });
    expect(sentOf(harness, subject)).toHaveLength(1);
  }, 120_000);
});
