import { omitUndefined, type JsonObject } from "@bron/protocol";
import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import type { Policy, PolicyView } from "../policy/policy.ts";
import { defineTool } from "../tool/define-tool.ts";

const ownerId = "local";
const shown = { to: ["eva@x.example"], text: "hello eva" };

function editableTool(sent: unknown[]) {
  return defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({}),
    sideEffect: true,
    timeoutMs: 3_600_000,
    prepare: () => ({ prepared: shown, preview: "hello eva" }),
    editing: {
      fields: z.strictObject({ to: z.array(z.string()), text: z.string() }).partial(),
      valuesOf: ({ to, text }) => ({ to, text }),
      async edit(prepared, changes) {
        const next = { to: changes.to ?? prepared.to, text: changes.text ?? prepared.text };
        if (next.text === "") throw new BronError("invalid_arguments", "There is no text.");
        return { prepared: next, preview: next.text };
      },
    },
    execute(prepared: typeof shown) {
      sent.push(prepared);
      return "sent";
    },
  });
}

async function parked(policy?: Policy) {
  const sent: unknown[] = [];
  const harness = createLoopHarness({
    script: ({ turn }) =>
      turn === 0 ? { calls: [{ tool: "send", input: {} }] } : { text: "Done." },
    tools: [editableTool(sent)],
    ...(policy ? { deps: { policy } } : {}),
  });
  const run = await harness.create();
  await harness.advance(run.id);
  return { harness, run, sent };
}

const pendingOf = async (harness: LoopHarness, runId: string) => {
  const [approval, ...more] = await harness.store.approvals.list(ownerId, {
    runId,
    pendingOnly: true,
  });
  if (!approval || more.length > 0)
    throw new Error(`${more.length + (approval ? 1 : 0)} are pending`);
  return approval;
};

const edit = async (harness: LoopHarness, runId: string, changes: JsonObject, program?: string) => {
  const { id, digest } = await pendingOf(harness, runId);
  await harness.store.approvals.edit({
    ownerId,
    approvalId: id,
    digest,
    changes,
    ...omitUndefined({ program }),
  });
  return id;
};

describe("an edited approval of a tool that the run brings", () => {
  /** A door that does not know the tool cannot check the fields, so the loop must. */
  it.each([
    [{ text: "hi" }, { code: "edited" }, { ...shown, text: "hi" }],
    [{ text: 7 }, { code: "edit_failed", message: expect.stringMatching(/^text: /) }, shown],
    [{ bcc: ["eve@evil.example"] }, { code: "edit_failed" }, shown],
  ])("X1 is checked by the tool's own schema: %j", async (changes, reason, prepared) => {
    const sent: unknown[] = [];
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "send", input: {} }] } : { text: "Done." },
      tools: [],
      deps: { toolSources: [{ toolsFor: () => Promise.resolve([editableTool(sent)]) }] },
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await edit(harness, run.id, changes);
    expect(await harness.advance(run.id)).toBe("parked");
    expect(await pendingOf(harness, run.id)).toMatchObject({
      reasons: [reason, { code: "supervised" }],
      prepared,
    });
    await harness.decide(run.id, true);
    await harness.advance(run.id);
    expect(sent).toEqual([prepared]);
  });
});

describe("an edited approval", () => {
  it("X1 BR2 is superseded, asks again with a new digest and a diff, and does only the new version", async () => {
    const { harness, run, sent } = await parked();
    const before = await pendingOf(harness, run.id);
    await edit(harness, run.id, { to: ["eva@x.example", "tom@x.example"] });
    expect(await harness.advance(run.id)).toBe("parked");
    const after = await pendingOf(harness, run.id);
    expect(after).toMatchObject({
      prepared: { ...shown, to: ["eva@x.example", "tom@x.example"] },
      actionId: before.actionId,
      diff: [{ field: "to", before: "eva@x.example", after: "eva@x.example, tom@x.example" }],
    });
    expect(after.digest).not.toBe(before.digest);
    expect(await harness.store.approvals.get(ownerId, before.id)).toMatchObject({
      state: "superseded",
    });
    expect(await harness.store.runs.effects(ownerId, run.id)).toMatchObject([
      { id: before.effectId, state: "superseded" },
      { id: after.effectId, state: "awaiting_confirmation" },
    ]);
    await expect(
      harness.store.approvals.decide({
        ownerId,
        approvalId: before.id,
        digest: before.digest,
        approved: true,
      }),
    ).rejects.toMatchObject({ code: "approval_closed" });
    await expect(
      harness.store.approvals.decide({
        ownerId,
        approvalId: after.id,
        digest: before.digest,
        approved: true,
      }),
    ).rejects.toMatchObject({ code: "digest_mismatch" });
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(sent).toEqual([{ ...shown, to: ["eva@x.example", "tom@x.example"] }]);
  });

  it("X1 is in the result that the model gets with the owner's reply to it", async () => {
    const { harness, run } = await parked();
    await edit(harness, run.id, { text: "good morning" });
    expect(await harness.advance(run.id)).toBe("parked");
    const { id, digest } = await pendingOf(harness, run.id);
    await harness.store.approvals.decide({
      ownerId,
      approvalId: id,
      digest,
      approved: false,
      reply: "add Tom too",
    });
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.results(run.id)).toMatchObject([
      {
        outcome: "rejected",
        error: {
          message:
            'The user had edited it: {"text":"good morning"}\nThe user answered: add Tom too',
        },
      },
    ]);
  });

  it("BR29 is in the result that the model gets, with the last value of each field", async () => {
    const { harness, run } = await parked();
    await edit(harness, run.id, { to: ["eva@x.example"], text: "hello" });
    expect(await harness.advance(run.id)).toBe("parked");
    await edit(harness, run.id, { text: "good morning" });
    expect(await harness.advance(run.id)).toBe("parked");
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("ended");
    const ends = (await harness.events(run.id)).flatMap((event) =>
      event.type === "tool" && event.payload.phase === "end" ? [event.payload.output] : [],
    );
    expect(ends).toEqual([
      expect.objectContaining({ changedByUser: { to: ["eva@x.example"], text: "good morning" } }),
    ]);
  });

  it("X1 asks again even if the policy would allow it now", async () => {
    let verdict: "ask" | "allow" = "ask";
    const { harness, run, sent } = await parked(() => ({ verdict, reasons: ["It leaves."] }));
    verdict = "allow";
    await edit(harness, run.id, { text: "hello" });
    expect(await harness.advance(run.id)).toBe("parked");
    expect(sent).toEqual([]);
    expect(await pendingOf(harness, run.id)).toMatchObject({
      prepared: { text: "hello" },
      reasons: [{ code: "edited" }],
    });
  });

  it("X1 does not ask if a rule denies the edited version", async () => {
    const { harness, run, sent } = await parked(({ prepared }) => ({
      verdict: JSON.stringify(prepared).includes("mallory") ? "deny" : "ask",
      reasons: ["A rule."],
    }));
    await edit(harness, run.id, { to: ["mallory@x.example"] });
    expect(await harness.advance(run.id)).toBe("ended");
    expect(sent).toEqual([]);
    expect(await harness.results(run.id)).toMatchObject([
      { outcome: "rejected", error: { code: "forbidden" } },
    ]);
  });

  it("X3 counts only new words as typed, and keeps them through a second edit", async () => {
    const seen: (PolicyView["edited"] | undefined)[] = [];
    const { harness, run } = await parked((_, { edited }) => {
      seen.push(edited);
      return { verdict: "ask", reasons: ["It leaves."] };
    });
    await edit(harness, run.id, { to: ["eva@x.example", "tom@x.example"] });
    await harness.advance(run.id);
    await edit(harness, run.id, { text: "hello eva and tom" });
    await harness.advance(run.id);
    expect(seen).toEqual([undefined, "tom@x.example", "tom@x.example\nand tom"]);
  });

  it("X3 counts nothing as typed that a program edited", async () => {
    const seen: (PolicyView["edited"] | undefined)[] = [];
    const { harness, run } = await parked((_, { edited }) => {
      seen.push(edited);
      return { verdict: "ask", reasons: ["It leaves."] };
    });
    await edit(harness, run.id, { text: "hello eva and tom" });
    await harness.advance(run.id);
    await edit(harness, run.id, { to: ["eve@evil.example"] }, "CI");
    await harness.advance(run.id);
    expect(seen).toEqual([undefined, "and tom", "and tom"]);
  });

  it("BR2 shows the original, with the reason, if the edit cannot be applied", async () => {
    const { harness, run, sent } = await parked();
    await edit(harness, run.id, { text: "" });
    expect(await harness.advance(run.id)).toBe("parked");
    expect(await pendingOf(harness, run.id)).toMatchObject({
      prepared: shown,
      diff: [],
      reasons: expect.arrayContaining([{ code: "edit_failed", message: "There is no text." }]),
    });
    await harness.decide(run.id, true);
    await harness.advance(run.id);
    expect(sent).toEqual([shown]);
  });

  it("X2 continues after a worker died before or after the edited effect was closed in the ledger", async () => {
    for (const dies of ["before", "after"] as const) {
      const { harness, run, sent } = await parked();
      await edit(harness, run.id, { text: "hello" });
      let isDead = false;
      const log = {
        ...harness.store.log,
        append: async (request: Parameters<typeof harness.store.log.append>[0]) => {
          const result = dies === "after" ? await harness.store.log.append(request) : undefined;
          isDead = true;
          throw new Error(`died, having ${result ? "written" : "not written"}`);
        },
        read: () => (isDead ? Promise.reject(new Error("dead")) : Promise.resolve([])),
      };
      const gone = AbortSignal.timeout(300);
      await harness.advance(run.id, { log }, gone).catch(() => undefined);
      expect(isDead).toBe(true);
      expect(await harness.advance(run.id)).toBe("parked");
      expect(await pendingOf(harness, run.id)).toMatchObject({ prepared: { text: "hello" } });
      await harness.decide(run.id, true);
      await harness.advance(run.id);
      expect(sent).toEqual([{ ...shown, text: "hello" }]);
      expect((await harness.store.runs.effects(ownerId, run.id)).map(({ state }) => state)).toEqual(
        ["superseded", "done"],
      );
    }
  });

  it("X7 is not prepared again once the run is canceled", async () => {
    const { harness, run, sent } = await parked();
    await edit(harness, run.id, { text: "hello" });
    await harness.store.runs.requestCancel(ownerId, run.id);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.run(run.id)).toMatchObject({ status: "canceled" });
    expect(
      await harness.store.approvals.list(ownerId, { runId: run.id, pendingOnly: true }),
    ).toEqual([]);
    expect(sent).toEqual([]);
  });
});
