import { createHmac } from "node:crypto";
import { defineTool, type Policy, type RunLog } from "@bron/core";
import { isTerminal, type JsonObject, type RunEvent } from "@bron/protocol";
import { createLoopHarness, isFullSuite } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const ownerId = "local";
const sequences = isFullSuite ? 700 : 60;
const ttlMs = 60_000;
const token = (approvalId: string, digest: string) =>
  createHmac("sha256", "secret").update(`${approvalId}\n${digest}`).digest("hex");

type Step =
  | {
      readonly do: "approve";
      readonly as: "owner" | "stranger";
      readonly digest: "shown" | "other";
      readonly token: "true" | "forged" | "none";
      readonly clicks: number;
    }
  | { readonly do: "deny" | "stop" | "go on" | "sweep" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "rewrite"; readonly field: string; readonly value: string }
  | { readonly do: "forbid" };

const usual = { do: "approve", as: "owner", digest: "shown", token: "true", clicks: 1 } as const;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(usual) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("approve" as const),
      as: fc.constantFrom("owner" as const, "stranger" as const),
      digest: fc.constantFrom("shown" as const, "other" as const),
      token: fc.constantFrom("true" as const, "forged" as const, "none" as const),
      clicks: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: "go on" }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      { do: "deny" },
      { do: "stop" },
      { do: "sweep" },
      { do: "forbid" },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1_000, ttlMs + 1_000).map((ms): Step => ({ do: "wait", ms })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("rewrite" as const),
      field: fc.constantFrom("to", "raw", "account", "threadId", "bcc"),
      value: fc.string({ minLength: 1, maxLength: 5 }),
    }),
  },
);

const mail = { account: "me@x.example", to: "eva@x.example", raw: "Ynl0ZXM", threadId: "" };

/**
 * Starts a run that has shown a mail. Its tool records what it receives, and the store can serve a
 * rewritten log.
 */
async function startShownRun() {
  const sent: JsonObject[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({}),
    sideEffect: true,
    // The harness advances its clock quickly while real work runs, so a digest on a busy machine
    // must not look like a minute.
    timeoutMs: 3_600_000,
    prepare: () => ({ prepared: { ...mail }, preview: "a mail" }),
    async execute(prepared: typeof mail, context) {
      await context.requireApproval();
      sent.push({ ...prepared, attempt: context.attempt });
      return "sent";
    },
  });
  const harness = createLoopHarness({
    script: ({ turn }) =>
      turn === 0 ? { calls: [{ tool: "send", input: {} }] } : { text: "Done." },
    tools: [send],
  });
  let rewritten: JsonObject = {};
  let isForbidden = false;
  const rewrite = (event: RunEvent): RunEvent =>
    event.type === "effect" && event.payload.prepared !== undefined
      ? {
          ...event,
          payload: {
            ...event.payload,
            prepared: { ...(event.payload.prepared as JsonObject), ...rewritten },
          },
        }
      : event;
  const log: RunLog = {
    ...harness.store.log,
    async claim(request) {
      const claimed = await harness.store.log.claim(request);
      return claimed.claimed ? { ...claimed, events: claimed.events.map(rewrite) } : claimed;
    },
  };
  const policy: Policy = () =>
    isForbidden
      ? { verdict: "deny", reasons: ["Not any more."] }
      : { verdict: "ask", reasons: ["It leaves."] };
  const proveApproval = async ({ approvalId, digest }: { approvalId: string; digest: string }) =>
    (await harness.store.approvals.usedTokenHash(ownerId, approvalId)) ===
    token(approvalId, digest);
  const run = await harness.create();
  const advanceRun = () =>
    harness.advance(run.id, { log, policy, proveApproval, approvalTtlMs: ttlMs });
  await advanceRun();
  const [approval] = await harness.store.approvals.list(ownerId, {});
  if (!approval) throw new Error("Nothing was shown");
  return {
    harness,
    run,
    approval,
    sent,
    advanceRun,
    rewrite: (field: string, value: string) => {
      rewritten = { ...rewritten, [field]: value };
    },
    forbid: () => {
      isForbidden = true;
    },
    isIntact: () =>
      Object.entries(rewritten).every(([field, value]) => (mail as JsonObject)[field] === value) &&
      !isForbidden,
  };
}

describe("any sequence of clicks, waits and changes", () => {
  it("X1 BR13 BR18 ends with one send of what was shown if the owner approved that in time, and with none otherwise", async () => {
    const tally = { sent: 0, not: 0, clicks: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const { harness, run, approval, sent, advanceRun, rewrite, forbid, isIntact } =
          await startShownRun();
        let state: "pending" | "approved" | "closed" = "pending";
        let isProvable = false;
        /**
         * Set when the run first continues after an approval: whether the mail may have been sent
         * then.
         */
        let maySend: boolean | undefined;
        const isInTime = () => harness.clock.now() < Date.parse(approval.expiresAt);
        const hasEnded = async () => isTerminal((await harness.run(run.id)).status);
        const advance = async () => {
          if (state === "approved")
            maySend ??=
              isInTime() &&
              isProvable &&
              isIntact() &&
              !(await harness.run(run.id)).cancelRequested;
          await advanceRun();
        };
        const click = async (one: Extract<Step, { do: "approve" }>) => {
          const digest = one.digest === "shown" ? approval.digest : `${approval.digest}0`;
          const tokenHash =
            one.token === "none"
              ? {}
              : { tokenHash: one.token === "true" ? token(approval.id, digest) : "forged" };
          const allowed =
            state === "pending" &&
            one.as === "owner" &&
            one.digest === "shown" &&
            isInTime() &&
            !(await hasEnded());
          const responses = await Promise.allSettled(
            Array.from({ length: one.clicks }, () =>
              harness.store.approvals.decide({
                ownerId: one.as === "owner" ? ownerId : "stranger",
                approvalId: approval.id,
                digest,
                approved: true,
                ...tokenHash,
              }),
            ),
          );
          const taken = responses.filter(({ status }) => status === "fulfilled").length;
          tally.clicks += one.clicks;
          tally.refused += one.clicks - taken;
          expect(taken).toBe(allowed ? 1 : 0);
          if (allowed) [state, isProvable] = ["approved", one.token === "true"];
        };
        for (const one of steps) {
          if (one.do === "approve") await click(one);
          if (one.do === "deny")
            await harness.store.approvals
              .decide({
                ownerId,
                approvalId: approval.id,
                digest: approval.digest,
                approved: false,
              })
              .then(
                () => (state = "closed"),
                () => undefined,
              );
          if (one.do === "stop") await harness.store.runs.requestCancel(ownerId, run.id);
          if (one.do === "sweep" && (await harness.store.approvals.expireDue()) > 0)
            state = "closed";
          if (one.do === "wait") await harness.clock.pass(one.ms);
          if (one.do === "rewrite") rewrite(one.field, one.value);
          if (one.do === "forbid") forbid();
          if (one.do === "go on") await advance();
          expect(sent.length).toBeLessThanOrEqual(maySend === true ? 1 : 0);
        }
        await advance();
        expect(sent).toEqual(maySend === true ? [{ ...mail, attempt: 1 }] : []);
        tally[maySend === true ? "sent" : "not"]++;
        // No later click sends it again.
        await click({ ...usual, clicks: 2 });
        await advanceRun();
        const again = maySend === undefined && (state as string) === "approved";
        expect(sent.length).toBeLessThanOrEqual(maySend === true || again ? 1 : 0);
      }),
      { numRuns: sequences },
    );
    // Both outcomes occurred.
    expect(tally.sent).toBeGreaterThan(sequences / 7);
    expect(tally.not).toBeGreaterThan(sequences / 7);
    expect(tally.refused).toBeGreaterThan(sequences / 7);
    console.log(
      `${sequences} sequences: ${tally.sent} sent, ${tally.not} not; ${tally.refused} of ${tally.clicks} clicks refused`,
    );
  }, 120_000);
});

type Turn =
  | { readonly do: "approve" | "deny" | "reply" | "undo" | "go on" | "stale" | "stop" }
  | { readonly do: "edit"; readonly text: string }
  | { readonly do: "wait"; readonly ms: number };

const turn: fc.Arbitrary<Turn> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("", "a", "b", "c").map((text): Turn => ({ do: "edit", text })),
  },
  { weight: 6, arbitrary: fc.constantFrom<Turn>({ do: "approve" }, { do: "go on" }) },
  { weight: 4, arbitrary: fc.constantFrom<Turn>({ do: "stale" }, { do: "undo" }, { do: "undo" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Turn>(
      { do: "deny" },
      { do: "reply" },
      { do: "stop" },
      { do: "wait", ms: 500 },
      { do: "wait", ms: 6_000 },
    ),
  },
);
const undoMs = 5_000;

/** Like `startShownRun`, with a text that the owner may edit. An empty text cannot be prepared. */
async function startEditableRun() {
  const sent: string[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({}),
    sideEffect: true as const,
    timeoutMs: 3_600_000,
    prepare: () => ({ prepared: { text: "first" }, preview: "first" }),
    editing: {
      fields: z.object({ text: z.string().optional() }),
      valuesOf: ({ text }) => ({ text }),
      edit: (_, { text = "" }) =>
        text === ""
          ? Promise.reject(new Error("There is no text."))
          : Promise.resolve({ prepared: { text }, preview: text }),
    },
    async execute({ text }: { text: string }, context) {
      await context.requireApproval();
      sent.push(text);
      return "sent";
    },
  });
  const harness = createLoopHarness({
    script: ({ turn: nth }) =>
      nth === 0 ? { calls: [{ tool: "send", input: {} }] } : { text: "Done." },
    tools: [send],
  });
  const policy: Policy = () => ({ verdict: "ask", reasons: ["It leaves."] });
  const proveApproval = async ({ approvalId, digest }: { approvalId: string; digest: string }) =>
    (await harness.store.approvals.usedTokenHash(ownerId, approvalId)) ===
    token(approvalId, digest);
  const run = await harness.create();
  const advanceRun = () =>
    harness.advance(run.id, { policy, proveApproval, approvalTtlMs: 3_600_000 });
  await advanceRun();
  return { harness, run, sent, advanceRun };
}

describe("any sequence of edits, replies, approvals and undos", () => {
  it("X1 BR2 sends once what the owner approved last and did not undo, and nothing shown before an edit", async () => {
    const tally = { sent: 0, not: 0, edited: 0, undone: 0, stale: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 9 }), async (turns) => {
        const { harness, run, sent, advanceRun } = await startEditableRun();
        const { approvals } = harness.store;
        let agreed: string | undefined;
        let isStopped = false;
        const textOf = (prepared: unknown) => (prepared as { text: string }).text;
        const pendingNow = async () =>
          (await approvals.list(ownerId, { runId: run.id, pendingOnly: true }))[0];
        for (const one of turns) {
          const shownNow = await pendingNow();
          const seen = shownNow && { ownerId, approvalId: shownNow.id, digest: shownNow.digest };
          if (one.do === "approve" && seen)
            await approvals
              .decide({
                ...seen,
                approved: true,
                tokenHash: token(seen.approvalId, seen.digest),
                undoMs,
              })
              .then(() => (agreed = textOf(shownNow.prepared)));
          if (one.do === "deny" && seen) await approvals.decide({ ...seen, approved: false });
          if (one.do === "reply" && seen)
            await approvals.decide({ ...seen, approved: false, reply: "other words" });
          if (one.do === "edit" && seen)
            await approvals
              .edit({ ...seen, changes: { text: one.text } })
              .then(() => tally.edited++);
          if (one.do === "stop")
            isStopped = (await harness.store.runs.requestCancel(ownerId, run.id)) || isStopped;
          if (one.do === "wait") await harness.clock.pass(one.ms);
          if (one.do === "undo") {
            for (const { id, state, undoUntil } of await approvals.list(ownerId, {
              runId: run.id,
            })) {
              const mayUndo =
                state === "approved" && Date.parse(undoUntil ?? "") > harness.clock.now();
              const undone = await approvals.undo(ownerId, id).then(
                () => true,
                () => false,
              );
              expect(undone).toBe(mayUndo);
              if (undone) [agreed, tally.undone] = [undefined, tally.undone + 1];
            }
          }
          if (one.do === "stale") {
            for (const old of (await approvals.list(ownerId, { runId: run.id })).filter(
              ({ state }) => state !== "pending",
            )) {
              tally.stale++;
              await expect(
                approvals.decide({
                  ownerId,
                  approvalId: old.id,
                  digest: old.digest,
                  approved: true,
                }),
              ).rejects.toMatchObject({ code: "approval_closed" });
              // An edit that is reverted gives the same content again, and so the same digest.
              if (seen && old.digest !== seen.digest)
                await expect(
                  approvals.decide({ ...seen, digest: old.digest, approved: true }),
                ).rejects.toMatchObject({ code: "digest_mismatch" });
            }
          }
          if (one.do === "go on") {
            if (isStopped && sent.length === 0) agreed = undefined;
            await advanceRun();
          }
          expect(sent.length).toBeLessThanOrEqual(agreed === undefined ? 0 : 1);
        }
        if (isStopped && sent.length === 0) agreed = undefined;
        await advanceRun();
        expect(sent).toEqual(agreed === undefined ? [] : [agreed]);
        tally[agreed === undefined ? "not" : "sent"]++;
      }),
      { numRuns: sequences },
    );
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(sequences / 14);
    console.log(`${sequences} sequences: ${JSON.stringify(tally)}`);
  }, 120_000);
});
