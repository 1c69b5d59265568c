import { createLoopHarness, type ScriptedMessage } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError, isOutage } from "../errors.ts";
import { defaultRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { EffectContext } from "../tool/tool.ts";

const input = z.object({ to: z.string() });
const callOnce =
  (tool: string) =>
  ({ turn }: { turn: number }): ScriptedMessage =>
    turn === 0 ? { calls: [{ tool, input: { to: "eva" } }] } : { text: "Finished." };
const driverWords = "connect ECONNREFUSED 10.1.2.3:5432";
const away = () =>
  new BronError("database_unreachable", "The database is not responding.", {
    cause: new Error(driverWords),
  });

/** Throws the outage the given number of times, then calls through. */
function failing(times: number) {
  let calls = 0;
  return async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (++calls <= times) throw away();
    return await work();
  };
}

interface Failures {
  readonly prepare?: number;
  readonly rules?: number;
  readonly proof?: number;
  readonly execute?: number;
}

/** A loop with one effect tool. Storage is unreachable for the given number of calls. */
function createHarness({ prepare = 0, rules = 0, proof = 0, execute = 0 }: Failures) {
  const sent: string[] = [];
  const throughPrepare = failing(prepare);
  const throughRules = failing(rules);
  const throughProof = failing(proof);
  const throughExecute = failing(execute);
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input,
    sideEffect: true,
    prepare: ({ to }) => throughPrepare(() => ({ prepared: { to }, preview: `To ${to}` })),
    async execute(prepared: { to: string }, context: EffectContext) {
      await throughExecute(() => undefined).catch((error: unknown) => {
        throw new BronError("effect_not_done", "Not sent: the database is not responding.", {
          retryable: true,
          cause: error,
        });
      });
      await context.requireApproval();
      sent.push(prepared.to);
      return "sent";
    },
  });
  const deps = {
    permissions: { rules: () => throughRules(() => defaultRules) },
    proveApproval: () => throughProof(() => true),
  };
  return { harness: createLoopHarness({ script: callOnce("send"), tools: [send], deps }), sent };
}

describe("an outage of Bron's storage", () => {
  it("is recognized by its code, even as the cause of another error", () => {
    expect(isOutage(away())).toBe(true);
    expect(isOutage(new BronError("effect_not_done", "Not sent.", { cause: away() }))).toBe(true);
    expect(isOutage(new BronError("disk_full", "Full."))).toBe(true);
    expect(
      isOutage(new BronError("storage_unreachable", "Wrong keys.", { retryable: false })),
    ).toBe(false);
    expect(isOutage(new BronError("model_unavailable", "Away."))).toBe(false);
    expect(isOutage(new Error(driverWords))).toBe(false);
  });

  it.each([
    ["while an effect is prepared", { prepare: 4 }],
    ["while the rules are read for a new effect", { rules: 4 }],
  ])(
    "X2 %s is retried until storage is back, and the owner is asked about the effect",
    async (_when, failures) => {
      const { harness, sent } = createHarness(failures);
      const run = await harness.create();
      expect(await harness.advance(run.id)).toBe("parked");
      await harness.decide(run.id, true);
      expect(await harness.advance(run.id)).toBe("ended");
      expect(sent).toEqual(["eva"]);
      expect(await harness.run(run.id)).toMatchObject({ status: "completed", notDone: 0 });
      expect(JSON.stringify(await harness.events(run.id))).not.toContain("10.1.2.3");
    },
  );

  it.each([
    ["while the approval is proved", { proof: 5 }],
    ["while an effect is carried out, before anything left", { execute: 5 }],
  ])("X2 %s uses up none of the attempts", async (_when, failures) => {
    const { harness, sent } = createHarness(failures);
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(sent).toEqual(["eva"]);
    expect(await harness.store.runs.effects("local", run.id)).toMatchObject([
      { state: "done", attempts: 6 },
    ]);
  });

  it("X2 while the rules are read again before sending uses up none of the attempts", async () => {
    const { harness, sent } = createHarness({});
    const throughRules = failing(5);
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.decide(run.id, true);
    expect(
      await harness.advance(run.id, {
        permissions: { rules: () => throughRules(() => defaultRules) },
      }),
    ).toBe("ended");
    expect(sent).toEqual(["eva"]);
    expect(await harness.run(run.id)).toMatchObject({ status: "completed", notDone: 0 });
  });

  it("X2 in a repeatable tool is retried, and the model does not see it", async () => {
    const through = failing(3);
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input,
      repeatable: true,
      execute: () => through(() => "found"),
    });
    const harness = createLoopHarness({ script: callOnce("look"), tools: [look] });
    const run = await harness.create();
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.results(run.id)).toMatchObject([
      { outcome: "completed", output: "found" },
    ]);
    const warnings = (await harness.events(run.id)).flatMap((event) =>
      event.type === "log" ? [event.payload] : [],
    );
    expect(warnings).toMatchObject([
      { level: "warn", kind: "outage", code: "database_unreachable" },
    ]);
  });

  it("X2 in a tool that is not repeatable ends the segment, and the next one reports the call as unknown", async () => {
    const through = failing(1);
    const count = defineTool({
      name: "count",
      description: "Counts.",
      input,
      execute: () => through(() => "counted"),
    });
    const harness = createLoopHarness({ script: callOnce("count"), tools: [count] });
    const run = await harness.create();
    await expect(harness.advance(run.id)).rejects.toThrow("The database is not responding.");
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.results(run.id)).toMatchObject([{ outcome: "unknown" }]);
  });

  it("X2 during reconciliation is retried, and the effect does not end as unknown", async () => {
    const through = failing(5);
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input,
      sideEffect: true,
      execute: () => Promise.reject(new Error("connection reset")),
      reconcile: () => through(() => ({ state: "done" as const, output: "sent" })),
    });
    const harness = createLoopHarness({ script: callOnce("send"), tools: [send] });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.store.runs.effects("local", run.id)).toMatchObject([{ state: "done" }]);
  });

  it("BR21 that lasts ends the run at its time cap", async () => {
    const { harness } = createHarness({ prepare: 100_000 });
    const run = await harness.create({}, { activeMs: 30_000 });
    expect(await harness.advance(run.id)).toBe("ended");
    expect(await harness.run(run.id)).toMatchObject({
      status: "failed",
      error: { code: "cap_time" },
    });
  });
});

describe("an effect that could not be proposed", () => {
  const refusing = (times: number) => {
    let calls = 0;
    return defineTool({
      name: "send",
      description: "Sends.",
      input,
      sideEffect: true,
      prepare: ({ to }) =>
        ++calls <= times
          ? Promise.reject(new BronError("invalid_arguments", "There is no such draft."))
          : Promise.resolve({ prepared: { to }, preview: to }),
      execute: () => "sent",
    });
  };

  it("BR18 X2 counts as not done at the end of the run, and is named in the card", async () => {
    const harness = createLoopHarness({ script: callOnce("send"), tools: [refusing(1)] });
    const run = await harness.create();
    await harness.advance(run.id);
    expect(await harness.run(run.id)).toMatchObject({ status: "completed", notDone: 1 });
    const card = (await harness.events(run.id)).findLast(({ type }) => type === "ui")?.payload;
    expect(card).toMatchObject({
      payload: {
        effectsNotDone: 1,
        notDone: [{ tool: "send", cause: "failed", message: "There is no such draft." }],
      },
    });
  });

  it.each([1, 2])(
    "does not count if a later step does it with the same tool, after %i failures",
    async (refusals) => {
      const again = ({ turn }: { turn: number }): ScriptedMessage =>
        turn <= refusals
          ? { calls: [{ tool: "send", input: { to: "eva" } }] }
          : { text: "Finished." };
      const harness = createLoopHarness({ script: again, tools: [refusing(refusals)] });
      const run = await harness.create();
      await harness.advance(run.id);
      await harness.decide(run.id, true);
      await harness.advance(run.id);
      expect(await harness.run(run.id)).toMatchObject({ status: "completed", notDone: 0 });
    },
  );

  it("does not show the model the message of a defect", async () => {
    const harness = createLoopHarness({
      script: callOnce("send"),
      tools: [refusing(0)],
      deps: {
        permissions: {
          rules: () =>
            Promise.reject(new Error(`relation "rules" does not exist at ${driverWords}`)),
        },
      },
    });
    const run = await harness.create();
    await harness.advance(run.id);
    expect(await harness.results(run.id)).toMatchObject([
      {
        outcome: "failed",
        error: {
          code: "tool_failed",
          message: "Your rules could not be checked, so nothing was done.",
        },
      },
    ]);
    expect(await harness.run(run.id)).toMatchObject({ notDone: 1 });
  });
});
