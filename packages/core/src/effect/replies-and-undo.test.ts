import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { readOwnerWords } from "../policy/owner-words/named-by-owner.ts";
import { defineTool } from "../tool/define-tool.ts";
import { fold } from "../run/state/fold.ts";
import { emptyRunState } from "../run/state/run-state.ts";

const ownerId = "local";

function harness(calls: readonly string[] = ["send"]) {
  const sent: unknown[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({}),
    sideEffect: true,
    timeoutMs: 3_600_000,
    execute: () => (sent.push("sent"), "sent"),
  });
  const made = createLoopHarness({
    script: ({ turn }) =>
      turn === 0 ? { calls: calls.map((tool) => ({ tool, input: {} })) } : { text: "Done." },
    tools: [send],
  });
  return { harness: made, sent };
}

const pendingOf = (one: LoopHarness, runId: string) =>
  one.store.approvals.list(ownerId, { runId, pendingOnly: true });

describe("an approval that gets a reply", () => {
  it("X1 is closed, and the run continues with the reply as a user message after the result", async () => {
    const { harness: loop, sent } = harness();
    const run = await loop.create();
    await loop.advance(run.id);
    const [approval] = await pendingOf(loop, run.id);
    const hasFinalMessage = await loop.store.approvals.decide({
      ownerId,
      approvalId: approval!.id,
      digest: approval!.digest,
      approved: false,
      reply: "shorter, and cc Eva",
    });
    expect(hasFinalMessage).toMatchObject({ state: "denied", reply: "shorter, and cc Eva" });
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toEqual([]);
    expect(await loop.results(run.id)).toMatchObject([
      { outcome: "rejected", error: { message: "The user answered: shorter, and cc Eva" } },
    ]);
    const asked = loop.model.calls.at(-1)?.prompt.slice(-3);
    expect(asked?.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
    expect(asked?.at(-1)).toMatchObject({
      content: [{ type: "text", text: "shorter, and cc Eva" }],
    });
  });

  it("X3 does not take an address from a reply, which may be a refusal", async () => {
    const { harness: loop } = harness();
    const run = await loop.create({ prompt: "Write to eva@brandt.example" });
    await loop.advance(run.id);
    const [approval] = await pendingOf(loop, run.id);
    await loop.store.approvals.decide({
      ownerId,
      approvalId: approval!.id,
      digest: approval!.digest,
      approved: false,
      reply: "No! Never write to mallory@evil.example, and do not open evil.example",
    });
    expect(await loop.advance(run.id)).toBe("ended");
    const { labels } = (await loop.events(run.id)).reduce(
      (state, event) => fold(state, event, Date.parse(event.createdAt)),
      emptyRunState,
    );
    const words = readOwnerWords(labels.words);
    expect(words.hasAddress("eva@brandt.example")).toBe(true);
    expect(words.hasAddress("mallory@evil.example")).toBe(false);
    expect(words.hasHost("evil.example")).toBe(false);
  });

  it("delays the reply until every call of the step has its result", async () => {
    const { harness: loop } = harness(["send", "send"]);
    const run = await loop.create();
    await loop.advance(run.id);
    const [first, second] = await pendingOf(loop, run.id);
    await loop.store.approvals.decide({
      ownerId,
      approvalId: first!.id,
      digest: first!.digest,
      approved: false,
      reply: "one is enough",
    });
    expect(await loop.advance(run.id)).toBe("parked");
    expect((await loop.events(run.id)).filter(({ type }) => type === "message")).toHaveLength(2);
    await loop.store.approvals.decide({
      ownerId,
      approvalId: second!.id,
      digest: second!.digest,
      approved: true,
    });
    expect(await loop.advance(run.id)).toBe("ended");
    const said = (await loop.events(run.id)).flatMap((event) =>
      event.type === "message"
        ? [`${event.payload.role}: ${event.payload.content}`]
        : event.type === "tool" && event.payload.phase === "end"
          ? [event.payload.outcome]
          : [],
    );
    expect(said).toEqual([
      "user: do it",
      "assistant: ",
      "rejected",
      "completed",
      "user: one is enough",
      "assistant: Done.",
    ]);
  });
});

describe("a finished run", () => {
  /**
   * Runs the given calls and choices, and checks that the card, the status and the run agree on
   * `notDone`.
   */
  const notDoneAfter = async (
    turns: readonly (readonly string[])[],
    choices: readonly ("approve" | "deny" | "reply")[],
  ) => {
    let fails = 1;
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({ step: z.number() }),
      sideEffect: true,
      execute: () => "sent",
    });
    const post = defineTool({
      name: "post",
      description: "Posts, the second time.",
      input: z.object({ step: z.number() }),
      sideEffect: true,
      seenBy: "owner",
      execute: () =>
        fails-- > 0
          ? Promise.reject(new BronError("effect_not_done", "no", { retryable: false }))
          : "posted",
    });
    const read = defineTool({
      name: "read",
      description: "Reads, never.",
      input: z.object({ step: z.number() }),
      execute: () => Promise.reject(new BronError("tool_failed", "no")),
    });
    const loop = createLoopHarness({
      script: ({ turn }) =>
        turns[turn]
          ? { calls: turns[turn].map((tool) => ({ tool, input: { step: turn } })) }
          : { text: "That is all." },
      tools: [send, post, read],
    });
    const run = await loop.create();
    for (const left = [...choices]; (await loop.advance(run.id)) === "parked";) {
      for (const { id: approvalId, digest } of await pendingOf(loop, run.id)) {
        const choice = left.shift() ?? "approve";
        await loop.store.approvals.decide({
          ownerId,
          approvalId,
          digest,
          approved: choice === "approve",
          ...(choice === "reply" ? { reply: "otherwise" } : {}),
        });
      }
    }
    const events = await loop.events(run.id);
    const card = events.findLast(({ type }) => type === "ui")?.payload as {
      payload: { effectsNotDone?: number; nextAction?: string };
    };
    const status = events.at(-1)?.payload as {
      status: string;
      notDone?: number;
      outcome: string;
    };
    expect(status.status).toBe("completed");
    expect([
      card.payload.effectsNotDone,
      (await loop.store.runs.get(ownerId, run.id))?.notDone,
    ]).toEqual([status.notDone, status.notDone ?? 0]);
    // A retry asks for nothing that the owner declined.
    const retries = { partly_done: undefined, could_not: "retry" };
    const nextAction = Object.entries(retries).find(([outcome]) => outcome === status.outcome)?.[1];
    expect(card.payload.nextAction).toBe(nextAction);
    return [status.notDone ?? 0, status.outcome];
  };

  it.for([
    ["with all done", [["send"]], ["approve"], 0, "done"],
    ["with the only change denied", [["send"]], ["deny"], 1, "denied"],
    [
      "with one of three denied",
      [["send", "send", "send"]],
      ["approve", "deny", "approve"],
      1,
      "partly_done",
    ],
    [
      "with another one done after a denial",
      [["send"], ["send"]],
      ["deny", "approve"],
      1,
      "partly_done",
    ],
    [
      "with a reply instead of a choice, and the replacement done",
      [["send"], ["send"]],
      ["reply", "approve"],
      0,
      "done",
    ],
    [
      "with words instead of a choice, and what came of them denied",
      [["send"], ["send"]],
      ["reply", "deny"],
      1,
      "denied",
    ],
    ["after a change that failed, done in a later turn", [["post"], ["post"]], [], 0, "done"],
    ["after a change that failed", [["post"]], [], 1, "could_not"],
    ["after a read that failed", [["read"]], [], 0, "could_not"],
  ] as const)(
    "BR5 BR18 %s says how it went, and how much was not done",
    async ([, turns, choices, notDone, outcome]) => {
      expect(await notDoneAfter(turns, choices)).toEqual([notDone, outcome]);
    },
  );
});

describe("an approval that can be undone", () => {
  const approved = async (undoMs: number) => {
    const { harness: loop, sent } = harness();
    const run = await loop.create();
    await loop.advance(run.id);
    const [approval] = await pendingOf(loop, run.id);
    const begun = loop.clock.now();
    await loop.store.approvals.decide({
      ownerId,
      approvalId: approval!.id,
      digest: approval!.digest,
      approved: true,
      undoMs,
    });
    return { loop, sent, run, approvalId: approval!.id, begun };
  };

  it("X1 starts only after the undo time, and keeps its lease meanwhile", async () => {
    const { loop, sent, run, begun } = await approved(10_000);
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toEqual(["sent"]);
    const attempt = (await loop.events(run.id)).find(
      (event) => event.type === "effect" && event.payload.state === "attempting",
    );
    expect(Date.parse(attempt?.createdAt ?? "")).toBeGreaterThanOrEqual(begun + 10_000);
  });

  it("BR2 counts as running meanwhile, unless another approval is pending", async () => {
    const { harness: loop } = harness(["send", "send"]);
    const run = await loop.create();
    await loop.advance(run.id);
    const decide = async () => {
      const [next] = await pendingOf(loop, run.id);
      await loop.store.approvals.decide({
        ownerId,
        approvalId: next!.id,
        digest: next!.digest,
        approved: true,
        undoMs: 10_000,
      });
    };
    const statuses = async () =>
      (await loop.events(run.id)).flatMap((event) =>
        event.type === "status"
          ? [event.payload.status]
          : event.type === "effect" && event.payload.state === "attempting"
            ? ["attempting"]
            : [],
      );
    await decide();
    await loop.advance(run.id);
    expect((await statuses()).slice(-2)).toEqual(["attempting", "awaiting_confirmation"]);
    await decide();
    await loop.advance(run.id);
    expect((await statuses()).slice(-3)).toEqual(["executing", "attempting", "completed"]);
  });

  it("X1 is denied when it is undone in time, and nothing is done", async () => {
    const { loop, sent, run, approvalId } = await approved(10_000);
    expect(await loop.store.approvals.undo(ownerId, approvalId)).toMatchObject({ state: "denied" });
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toEqual([]);
    expect(await loop.results(run.id)).toMatchObject([
      {
        outcome: "rejected",
        error: { message: "The user undid the approval, so it was not done." },
      },
    ]);
  });

  it("X1 cannot be undone after the undo time, or without one", async () => {
    const { loop, run, approvalId } = await approved(1_000);
    await loop.clock.pass(1_001);
    await expect(loop.store.approvals.undo(ownerId, approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
    await loop.advance(run.id);
    await expect(loop.store.approvals.undo(ownerId, approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
    const without = await approved(0);
    await expect(
      without.loop.store.approvals.undo(ownerId, without.approvalId),
    ).rejects.toMatchObject({ code: "approval_closed" });
  });

  it("X7 is canceled with its run", async () => {
    const { loop, sent, run, approvalId } = await approved(10_000);
    await loop.store.runs.requestCancel(ownerId, run.id);
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toEqual([]);
    expect(await loop.store.approvals.get(ownerId, approvalId)).toMatchObject({
      state: "canceled",
    });
  });
});

describe("a denial that can be undone", () => {
  const denied = async (calls?: readonly string[]) => {
    const { harness: loop, sent } = harness(calls);
    const run = await loop.create();
    await loop.advance(run.id);
    const [approval] = await pendingOf(loop, run.id);
    const choice = { ownerId, approvalId: approval!.id, digest: approval!.digest };
    const begun = loop.clock.now();
    await loop.store.approvals.decide({ ...choice, approved: false, undoMs: 10_000 });
    return { loop, sent, run, choice, begun };
  };

  it("X1 reaches the run only after the undo time", async () => {
    const { loop, run, begun, sent } = await denied();
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toEqual([]);
    const end = (await loop.events(run.id)).find(
      (event) => event.type === "tool" && event.payload.phase === "end",
    );
    expect(Date.parse(end?.createdAt ?? "")).toBeGreaterThanOrEqual(begun + 10_000);
    expect(await loop.results(run.id)).toMatchObject([{ outcome: "rejected" }]);
  });

  it("X1 is pending again when it is undone in time, and can be approved", async () => {
    const { loop, sent, run, choice } = await denied();
    await loop.store.approvals.undo(ownerId, choice.approvalId);
    expect(await loop.advance(run.id)).toBe("parked");
    expect(await loop.store.runs.get(ownerId, run.id)).toMatchObject({
      status: "awaiting_confirmation",
    });
    expect(await pendingOf(loop, run.id)).toMatchObject([{ id: choice.approvalId }]);
    await loop.store.approvals.decide({ ...choice, approved: true });
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toEqual(["sent"]);
  });

  it("X7 leaves nothing open if its run is stopped meanwhile", async () => {
    const { loop, sent, run, choice } = await denied();
    await loop.store.runs.requestCancel(ownerId, run.id);
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toEqual([]);
    await expect(loop.store.approvals.undo(ownerId, choice.approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
  });
});
