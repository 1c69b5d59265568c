import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { EffectFacts } from "../policy/effect-facts.ts";
import { defaultRules, type PolicyRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";

const ownerId = "local";

function harness(
  seenBy: "others" | "owner" = "others",
  undoMs: (owner: string, kind: string) => Promise<number> = () => Promise.resolve(20_000),
) {
  const sent: number[] = [];
  const loop = createLoopHarness({
    script: ({ turn }) =>
      turn === 0 ? { calls: [{ tool: "send", input: {} }] } : { text: "Done." },
    tools: [
      defineTool({
        name: "send",
        description: "Sends.",
        input: z.object({}),
        sideEffect: true,
        effectKind: "send_mail",
        seenBy,
        facts: (): EffectFacts => ({
          kind: "mail",
          account: "mara@lindqvist.example",
          recipients: [{ address: "eva@brandt.example", role: "to" }],
          hosts: [],
          attachments: [],
          warnings: [],
        }),
        execute: () => (sent.push(loop.clock.now()), "sent"),
      }),
    ],
    deps: {
      permissions: {
        rules: (): Promise<PolicyRules> =>
          Promise.resolve({ ...defaultRules, trustLevel: "autonomous" }),
      },
      undoMs,
    },
  });
  return { loop, sent };
}

describe("an effect that needs no approval", () => {
  it("BR2 starts only after the time for undo", async () => {
    const { loop, sent } = harness();
    const run = await loop.create({ prompt: "Write to eva@brandt.example" });
    const begun = loop.clock.now();
    expect(await loop.advance(run.id)).toBe("ended");
    expect(sent).toHaveLength(1);
    expect(sent[0]).toBeGreaterThanOrEqual(begun + 20_000);
    const [effect] = await loop.store.runs.effects(ownerId, run.id);
    await expect(loop.store.effects.undo(ownerId, effect!.id)).rejects.toMatchObject({
      code: "approval_closed",
    });
  });

  /** Advances the run, and does something as soon as the effect may be undone. */
  const advanceAndThen = async (
    { loop }: ReturnType<typeof harness>,
    then: (effectId: string) => Promise<unknown>,
  ) => {
    const run = await loop.create({ prompt: "Write to eva@brandt.example" });
    const append = loop.store.log.append.bind(loop.store.log);
    loop.store.log.append = async (request) => {
      const result = await append(request);
      const undoable = request.events.find(
        ({ type, payload }) => type === "effect" && payload.undoUntil !== undefined,
      );
      if (undoable?.type === "effect") await then(undoable.payload.effectId);
      return result;
    };
    expect(await loop.advance(run.id)).toBe("ended");
    return run;
  };

  it("BR2 is not done if the owner undoes it in time, and the task continues", async () => {
    const one = harness();
    const { loop, sent } = one;
    const run = await advanceAndThen(one, async (effectId) => {
      const undone = await loop.store.effects.undo(ownerId, effectId);
      expect(undone).toMatchObject({ state: "rejected" });
    });
    expect(sent).toEqual([]);
    expect(await loop.results(run.id)).toMatchObject([
      { outcome: "rejected", notDone: { cause: "undone" } },
    ]);
    expect(await loop.run(run.id)).toMatchObject({ outcome: "denied", notDone: 1 });
    expect(await loop.store.audit.list(ownerId, { what: "effect.rejected" })).toMatchObject([
      { by: "owner", details: { undone: true } },
    ]);
  });

  it("X7 ends once in the ledger if its run is canceled after the undo", async () => {
    const one = harness();
    const { loop, sent } = one;
    const run = await advanceAndThen(one, async (effectId) => {
      const { runId } = await loop.store.effects.undo(ownerId, effectId);
      await loop.store.runs.requestCancel(ownerId, runId);
    });
    expect(sent).toEqual([]);
    const ledger = (await loop.events(run.id)).flatMap(({ type, payload }) =>
      type === "effect" ? [payload.state] : [],
    );
    expect(ledger).toEqual(["approved", "rejected"]);
    expect(await loop.results(run.id)).toMatchObject([{ notDone: { cause: "undone" } }]);
  });

  it.for([
    ["what only the owner sees", harness("owner")],
    ["a kind without a time for undo", harness("others", () => Promise.resolve(0))],
  ] as const)("BR2 does not delay %s", async ([, { loop, sent }]) => {
    const run = await loop.create({ prompt: "Write to eva@brandt.example" });
    const begun = loop.clock.now();
    await loop.advance(run.id);
    expect(sent[0]).toBeLessThan(begun + 10_000);
  });
});
