import { createLoopHarness, type LoopHarness, type Script } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { reportOutcomeTool } from "../../tool/report-outcome-tool.ts";

const ownerId = "local";
const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({}),
  execute: () => Promise.resolve("seen"),
});

function harness(script: Script, light: Script = () => ({ text: "{}" })): LoopHarness {
  return createLoopHarness({
    script,
    roles: (named) => ({ light: named("light", light) }),
    tools: [reportOutcomeTool, look],
  });
}

async function endOf(loop: LoopHarness, runId: string) {
  const events = await loop.events(runId);
  const run = await loop.run(runId);
  return {
    outcome: run.outcome,
    status: run.status,
    summary: run.summary,
    last: events.at(-1)?.payload,
    steps: events.filter(({ type, payload }) => type === "step" && "calls" in payload).length,
    asked: events.flatMap((event) =>
      event.type === "auxiliary_call" && event.payload.phase === "start"
        ? [event.payload.purpose]
        : [],
    ),
  };
}

const report = (outcome: unknown) => ({ tool: "report_outcome", input: { outcome } });

describe("the outcome that the model declares", () => {
  it("ends the run with the message that has it, and is no action of the run", async () => {
    const loop = harness(({ turn }) =>
      turn === 0
        ? { calls: [{ tool: "look", input: {} }] }
        : { text: "I can't.", calls: [report("could_not")] },
    );
    const { id } = await loop.create();
    expect(await loop.advance(id)).toBe("ended");
    expect(await endOf(loop, id)).toEqual({
      outcome: "could_not",
      status: "completed",
      summary: "I can't.",
      last: { status: "completed", outcome: "could_not" },
      steps: 2,
      asked: [],
    });
    const actions = await loop.store.runs.actions(ownerId, id);
    expect(actions.map(({ tool }) => tool)).toEqual(["look"]);
  });

  it("without a message lets the model write one", async () => {
    const loop = harness(({ turn }) =>
      turn === 0 ? { calls: [report("needs_answer")] } : { text: "Which Eva?", outcome: null },
    );
    const { id } = await loop.create();
    await loop.advance(id);
    expect(await endOf(loop, id)).toMatchObject({
      outcome: "needs_answer",
      summary: "Which Eva?",
      steps: 2,
      asked: [],
    });
  });

  it("beside other calls does not end the run", async () => {
    const loop = harness(({ turn }) =>
      turn === 0
        ? { text: "Looking.", calls: [{ tool: "look", input: {} }, report("done")] }
        : { text: "Seen.", calls: [report("partly_done")] },
    );
    const { id } = await loop.create();
    await loop.advance(id);
    expect(await endOf(loop, id)).toMatchObject({ outcome: "partly_done", summary: "Seen." });
  });

  it("that does not exist is rejected, and declared again", async () => {
    const loop = harness(({ turn }) =>
      turn === 0
        ? { text: "It went great.", calls: [report("great")] }
        : { text: "It is done.", calls: [report("done")] },
    );
    const { id } = await loop.create();
    await loop.advance(id);
    expect(await endOf(loop, id)).toMatchObject({ outcome: "done", summary: "It is done." });
    expect(JSON.stringify(await loop.events(id))).toContain("invalid_arguments");
  });
});

describe("a model that declares no outcome", () => {
  const silent: Script = () => ({ text: "Sorry, no.", outcome: null });

  it("is asked once, after its last message", async () => {
    const prompts: string[] = [];
    const loop = harness(silent, ({ options }) => {
      prompts.push(JSON.stringify(options.prompt));
      return { text: '{"outcome":"could_not"}' };
    });
    const { id } = await loop.create();
    await loop.advance(id);
    expect(await endOf(loop, id)).toMatchObject({
      outcome: "could_not",
      summary: "Sorry, no.",
      steps: 1,
      asked: ["outcome 1"],
    });
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain("Sorry, no.");
  });

  it.each([
    ["nonsense", () => ({ text: "nonsense" })],
    ["an outcome that only the ledger knows", () => ({ text: '{"outcome":"denied"}' })],
    [
      "an error",
      () => {
        throw Object.assign(new TypeError("overloaded"), { statusCode: 403 });
      },
    ],
  ] satisfies [string, Script][])("ends by the ledger after %s", async (_name, light) => {
    const loop = harness(silent, light);
    const { id } = await loop.create();
    expect(await loop.advance(id)).toBe("ended");
    expect(await endOf(loop, id)).toMatchObject({ outcome: "done", status: "completed" });
  });
});
