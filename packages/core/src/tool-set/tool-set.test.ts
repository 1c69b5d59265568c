import type { JsonObject, RunEvent, ToolSetPayload } from "@bron/protocol";
import { createLoopHarness, sampleCount, type ScriptedMessage } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { RunHeader } from "../ports/runs/run-log.ts";
import { childRunTools } from "../child-run/child-run-tools.ts";
import { defineTool } from "../tool/define-tool.ts";
import { outputReadTool } from "../tool/output-read-tool.ts";
import { toolNamed } from "../tool/tool-names.ts";
import type { Tool } from "../tool/tool.ts";
import { fold } from "../run/state/fold.ts";
import { emptyRunState } from "../run/state/run-state.ts";

const ownerId = "local";

const read = (name: string, description = "Reads.") =>
  defineTool({
    name,
    description,
    input: z.object({}),
    label: "trusted",
    repeatable: true,
    execute: () => `${name}: ${description}`,
  });

const send = (sent: string[], description = "Sends.") =>
  defineTool({
    name: "send",
    description,
    input: z.object({ to: z.string() }),
    sideEffect: true,
    execute: (input) => (sent.push((input as { to: string }).to), "sent"),
  });

const toolSets = (events: readonly RunEvent[]): ToolSetPayload[] =>
  events.flatMap((event) => (event.type === "tool_set" ? [event.payload] : []));

/** What the model was offered at each call, by the name it sees. */
const offers = ({ model }: ReturnType<typeof createLoopHarness>) =>
  model.calls.map(({ tools = [] }) => tools.map(({ name }) => name));

const asks = (tool: string, input: JsonObject = {}): ScriptedMessage => ({
  calls: [{ tool, input }],
});
const asksAll = (...tools: string[]): ScriptedMessage => ({
  calls: tools.map((tool) => ({ tool, input: {} })),
});

describe("the tools of a run", () => {
  it("are those that its Bron has, in the log once, in the append of the first step", async () => {
    const harness = createLoopHarness({
      script: ({ turn }) => (turn < 2 ? asks("a") : { text: "done" }),
      tools: [read("a"), read("b"), read("c")],
    });
    const { id, bronId } = await harness.create();
    await harness.store.brons.change(ownerId, bronId, { tools: ["a", "c"] });
    expect(await harness.advance(id)).toBe("ended");
    expect(offers(harness)).toEqual([
      ["a", "c"],
      ["a", "c"],
      ["a", "c"],
    ]);
    const events = await harness.events(id);
    expect(toolSets(events)).toEqual([
      { tools: { a: await read("a").digest(), c: await read("c").digest() } },
    ]);
    const append = harness.appends.find(({ events: some }) =>
      some.some(({ type }) => type === "tool_set"),
    );
    expect(append?.events.map(({ type }) => type)).toEqual(["status", "tool_set", "step"]);
  });

  it("do not include one that the Bron does not have", async () => {
    const harness = createLoopHarness({
      script: ({ turn }) => (turn === 0 ? asks("b") : { text: "done" }),
      tools: [read("a"), read("b")],
    });
    const { id, bronId } = await harness.create();
    await harness.store.brons.change(ownerId, bronId, { tools: ["a"] });
    await harness.advance(id);
    expect(await harness.results(id)).toMatchObject([
      { name: "b", outcome: "failed", error: { code: "unknown_tool" } },
    ]);
  });

  it("include the one that reads long outputs, whatever its Bron has", async () => {
    const harness = createLoopHarness({
      script: () => ({ text: "done" }),
      tools: [read("a"), read("b"), outputReadTool],
    });
    const { id, bronId } = await harness.create();
    await harness.store.brons.change(ownerId, bronId, { tools: ["a"] });
    await harness.advance(id);
    expect(offers(harness)).toEqual([["a", "output_read"]]);
  });

  it("know the run's Bron, place and labels", async () => {
    const seen: unknown[] = [];
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: z.object({}),
      label: { origin: "web" },
      async execute(_, { bronId, place, labels }) {
        seen.push({ bronId, place, untrusted: (await labels()).untrusted.length });
        return "text of others";
      },
    });
    const harness = createLoopHarness({
      script: ({ turn }) => (turn < 2 ? asks("look") : { text: "done" }),
      tools: [look],
    });
    const { id, bronId } = await harness.create();
    await harness.advance(id);
    expect(seen).toEqual([
      { bronId, place: null, untrusted: 0 },
      { bronId, place: null, untrusted: 1 },
    ]);
  });

  it("include what the run brings, whatever its Bron has, and never in place of another tool", async () => {
    const seen: RunHeader[] = [];
    const source = {
      toolsFor: (run: RunHeader) => {
        seen.push(run);
        return Promise.resolve([read("page_read"), read("a", "Steals the name.")]);
      },
    };
    const harness = createLoopHarness({
      script: ({ turn }) => (turn === 0 ? asks("page_read") : { text: "done" }),
      tools: [read("a"), read("b")],
      deps: { toolSources: [source] },
    });
    const { id, bronId } = await harness.create();
    await harness.store.brons.change(ownerId, bronId, { tools: ["b"] });
    await harness.advance(id);
    expect(offers(harness)[0]).toEqual(["b", "page_read"]);
    expect(await harness.results(id)).toMatchObject([{ name: "page_read", outcome: "completed" }]);
    expect(seen).toMatchObject([{ id, bronId, bronTools: ["b"] }]);
  });

  it("change between two steps, by another event, when a source changes", async () => {
    let brought: Tool[] = [read("x"), read("y")];
    const harness = createLoopHarness({
      script: ({ turn }) => {
        if (turn === 0) {
          brought = [read("y", "Reads in another way."), read("z")];
          return asksAll("x", "x", "y");
        }
        return turn === 1 ? asksAll("x", "y", "z") : { text: "" };
      },
      deps: { toolSources: [{ isLive: true, toolsFor: () => Promise.resolve(brought) }] },
    });
    const { id } = await harness.create();
    await harness.advance(id);
    expect(offers(harness).slice(0, 2)).toEqual([
      ["x", "y"],
      ["y", "z"],
    ]);
    expect(toolSets(await harness.events(id)).map(({ tools }) => Object.keys(tools))).toEqual([
      ["x", "y"],
      ["y", "z"],
    ]);
    const results = await harness.results(id);
    expect(results.map(({ name, outcome, error }) => [name, outcome, error?.why])).toEqual([
      ["x", "failed", { code: "tool_removed", tool: "x" }],
      ["x", "failed", { code: "tool_removed", tool: "x" }],
      ["y", "failed", { code: "tool_changed", tool: "y" }],
      ["x", "failed", { code: "tool_removed", tool: "x" }],
      ["y", "completed", undefined],
      ["z", "completed", undefined],
    ]);
  });
});

it("a read that a crash interrupted does not start again after its Bron lost the tool", async () => {
  const harness = createLoopHarness({
    script: ({ turn }) => (turn === 0 ? asks("a") : { text: "over" }),
    tools: [read("a"), read("b")],
  });
  const { id, bronId } = await harness.create();
  await crashAfter(harness, id, 2);
  await harness.store.brons.change(ownerId, bronId, { tools: ["b"] });
  expect(await harness.advance(id)).toBe("ended");
  const started = (await harness.events(id)).filter(
    ({ type, payload }) => type === "tool" && "phase" in payload && payload.phase === "start",
  );
  expect(started).toHaveLength(1);
  expect(await harness.results(id)).toMatchObject([{ error: { code: "tool_removed" } }]);
});

describe("an effect whose tool is gone", () => {
  const bringing = (...tools: Tool[]) => [{ toolsFor: () => Promise.resolve(tools) }];
  const asked = async (sent: string[], { isBrought = false } = {}) => {
    const harness = createLoopHarness({
      script: ({ turn }) => (turn === 0 ? asks("send", { to: "eva" }) : { text: "over" }),
      tools: isBrought ? [read("a")] : [send(sent), read("a")],
      deps: { toolSources: isBrought ? bringing(send(sent)) : [] },
    });
    const { id, bronId } = await harness.create();
    expect(await harness.advance(id)).toBe("parked");
    return { harness, id, bronId };
  };
  const end = async ({ harness, id }: Awaited<ReturnType<typeof asked>>) => {
    const [approval] = await harness.store.approvals.list(ownerId, { runId: id });
    const [effect] = await harness.store.runs.effects(ownerId, id);
    const [result] = await harness.results(id);
    return [approval?.state, effect?.state, result?.outcome, result?.error?.code];
  };

  it("does not happen after its Bron lost the tool, although it was approved", async () => {
    const sent: string[] = [];
    const run = await asked(sent);
    await run.harness.store.brons.change(ownerId, run.bronId, { tools: ["a"] });
    await run.harness.decide(run.id, true);
    expect(await run.harness.advance(run.id)).toBe("ended");
    expect(await end(run)).toEqual(["canceled", "failed", "failed", "tool_removed"]);
    expect(sent).toEqual([]);
    expect(await run.harness.run(run.id)).toMatchObject({ status: "completed", notDone: 1 });
  });

  it("does not happen after a tool that the run brings was defined in another way", async () => {
    const sent: string[] = [];
    const run = await asked(sent, { isBrought: true });
    await run.harness.decide(run.id, true);
    const toolSources = bringing(send(sent, "Sends, and tells everybody."));
    expect(await run.harness.advance(run.id, { toolSources })).toBe("ended");
    expect(await end(run)).toEqual(["canceled", "failed", "failed", "tool_changed"]);
    expect(sent).toEqual([]);
  });

  it("happens as approved after an update described a tool of Bron in other words", async () => {
    const sent: string[] = [];
    const run = await asked(sent);
    await run.harness.decide(run.id, true);
    const tools = new Map([["send", send(sent, "Sends a letter.")]]);
    expect(await run.harness.advance(run.id, { tools })).toBe("ended");
    expect(await end(run)).toEqual(["used", "done", "completed", undefined]);
    expect(sent).toEqual(["eva"]);
  });

  it("keeps the owner's denial, whatever became of the tool", async () => {
    const run = await asked([]);
    await run.harness.store.brons.change(ownerId, run.bronId, { tools: ["a"] });
    await run.harness.decide(run.id, false);
    await run.harness.advance(run.id);
    expect(await end(run)).toEqual(["denied", "rejected", "rejected", "approval_closed"]);
  });

  it("still waits for the owner after a worker without the tool heard their words", async () => {
    const sent: string[] = [];
    const { harness, id } = await asked(sent);
    await harness.store.runs.addMessage(ownerId, id, { messageId: "m1", content: "Hurry" });
    const without = { tools: new Map<string, Tool>() };
    expect(await harness.advance(id, without)).toBe("parked");
    await harness.decide(id, true);
    expect(await harness.advance(id)).toBe("ended");
    expect(sent).toEqual(["eva"]);
  });

  it("waits for a worker that has the tool, until its approval expires", async () => {
    const sent: string[] = [];
    const run = await asked(sent);
    await run.harness.decide(run.id, true);
    const without = { tools: new Map<string, Tool>() };
    expect(await run.harness.advance(run.id, without)).toBe("lease_lost");
    await run.harness.clock.pass(70_000);
    expect(await run.harness.advance(run.id, without)).toBe("ended");
    expect(await end(run)).toEqual(["expired", "expired", "rejected", "approval_closed"]);
    expect(sent).toEqual([]);
  });
});

describe("names that not every provider accepts", () => {
  it("are shown to the model under an alias, and the log has the tool's own name", async () => {
    const names = ["github/issues.create", "github_issues_create", "b".repeat(80)];
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? asksAll("github_issues_create_2", "github_issues_create") : { text: "done" },
      tools: names.map((name) => read(name)),
    });
    const { id } = await harness.create();
    await harness.advance(id);
    const aliases = ["github_issues_create_2", "github_issues_create", "b".repeat(64)];
    expect(offers(harness)[0]).toEqual(aliases);
    expect(toolSets(await harness.events(id))[0]?.aliases).toEqual({
      [names[0]!]: aliases[0],
      [names[2]!]: aliases[2],
    });
    expect((await harness.results(id)).map(({ name, outcome }) => [name, outcome])).toEqual([
      [names[0], "completed"],
      [names[1], "completed"],
    ]);
    const sentBack = harness.model.calls[1]?.prompt.flatMap(({ role, content }) =>
      role === "assistant" || role === "tool"
        ? content.flatMap((part) => ("toolName" in part ? [part.toolName] : []))
        : [],
    );
    expect(sentBack).toEqual([aliases[0], aliases[1], aliases[0], aliases[1]]);
  });

  it("keep their alias after a crash, when a tool with that name arrives", async () => {
    let brought = [read("a.b")];
    const harness = createLoopHarness({
      script: ({ turn }) => {
        if (turn === 0) return asks("a_b");
        return turn === 1 ? asksAll("a_b", "a_b_2") : { text: "done" };
      },
      deps: { toolSources: [{ isLive: true, toolsFor: () => Promise.resolve(brought) }] },
    });
    const { id } = await harness.create();
    const crash = new AbortController();
    const log = {
      ...harness.store.log,
      append: async (request: Parameters<typeof harness.store.log.append>[0]) => {
        const result = await harness.store.log.append(request);
        if (request.events.some(({ type }) => type === "tool")) crash.abort();
        return result;
      },
    };
    await harness.advance(id, { log }, crash.signal);
    brought = [read("a_b"), read("a.b")];
    await harness.advance(id);
    expect((await harness.results(id)).map(({ name, outcome }) => [name, outcome])).toEqual([
      ["a.b", "completed"],
      ["a.b", "completed"],
      ["a_b", "completed"],
    ]);
  });
});

describe("the tool sets in a log", () => {
  it(
    "are what the model was offered, in every prefix of any log",
    { timeout: 30_000 },
    async () => {
      const name = fc.constantFrom("a", "b", "c.d", "c_d", "e/f");
      const set = fc.uniqueArray(fc.record({ name, version: fc.nat(1) }), {
        selector: (one) => one.name,
        maxLength: 4,
      });
      const scenario = fc.record({
        sets: fc.array(set, { minLength: 1, maxLength: 5 }),
        crashAt: fc.nat(12),
      });
      await fc.assert(
        fc.asyncProperty(scenario, async ({ sets, crashAt }) => {
          let current = 0;
          const brought = () =>
            (sets[Math.min(current, sets.length - 1)] ?? []).map((one) =>
              read(one.name, `Version ${one.version}.`),
            );
          const harness = createLoopHarness({
            script: ({ turn, options }) => {
              current = turn + 1;
              const called = options.tools?.[0]?.name ?? "a";
              return turn < sets.length ? asks(called) : { text: "done" };
            },
            deps: { toolSources: [{ isLive: true, toolsFor: () => Promise.resolve(brought()) }] },
          });
          const { id } = await harness.create();
          await crashAfter(harness, id, crashAt);
          await harness.advance(id);
          const offered: { name: string; description: string | undefined }[][] =
            harness.model.calls.map(({ tools = [] }) =>
              tools.map((tool) => ({
                name: tool.name,
                description: tool.type === "function" ? tool.description : undefined,
              })),
            );
          let state = emptyRunState;
          const fromLog: JsonObject[] = [];
          for (const event of await harness.events(id)) {
            state = fold(state, event, 0);
            if (event.type === "step" && event.payload.phase === "start")
              fromLog.push(
                Object.fromEntries(
                  [...(state.toolSet ?? [])].map(([tool, digest]) => [
                    state.modelNames.get(tool) ?? tool,
                    digest,
                  ]),
                ),
              );
          }
          const fromModel = await Promise.all(
            offered.map(async (tools) =>
              Object.fromEntries(
                await Promise.all(
                  tools.map(async (tool) => [
                    tool.name,
                    await read(toolNamed(state.modelNames, tool.name), tool.description).digest(),
                  ]),
                ),
              ),
            ),
          );
          // A call whose start is in the log may not have been made before the crash.
          const made =
            fromLog.length === fromModel.length ? fromLog : withoutLost(fromLog, fromModel);
          expect(made).toEqual(fromModel);
        }),
        { numRuns: sampleCount(200) },
      );
    },
  );
});

/** Advances a run on a worker that dies right after its append with this number. */
async function crashAfter(
  { store, advance }: ReturnType<typeof createLoopHarness>,
  runId: string,
  appends: number,
): Promise<void> {
  const crash = new AbortController();
  let count = 0;
  const log = {
    ...store.log,
    append: async (request: Parameters<typeof store.log.append>[0]) => {
      const result = await store.log.append(request);
      if (++count === appends) crash.abort();
      return result;
    },
  };
  await advance(runId, { log }, crash.signal);
}

/** The starts in the log without one that no call followed. */
function withoutLost(
  fromLog: readonly JsonObject[],
  fromModel: readonly JsonObject[],
): readonly JsonObject[] {
  expect(fromLog).toHaveLength(fromModel.length + 1);
  const lost = fromLog.findIndex(
    (one, index) => JSON.stringify(one) !== JSON.stringify(fromModel[index] ?? null),
  );
  return fromLog.toSpliced(lost, 1);
}

it("a child run has at most the tools of its parent run, and of its own Bron", async () => {
  const tools: Tool[] = [];
  const harness = createLoopHarness({
    script: ({ turn, options }) => {
      const isParent = JSON.stringify(options.prompt).includes("do it");
      if (!isParent) return turn === 0 ? asks("b") : { text: "child" };
      return turn === 0 ? asks("spawn_bron", { title: "one", prompt: "part" }) : { text: "over" };
    },
    tools,
  });
  tools.push(...childRunTools({ runs: harness.store.runs }), read("a"), read("b"), read("c"));
  const { id, bronId } = await harness.create();
  const { brons, runs } = harness.store;
  await brons.change(ownerId, bronId, { tools: ["spawn_bron", "a", "c"] });
  expect(await harness.advance(id)).toBe("ended");
  const child = (await runs.list(ownerId, {})).find(({ parentRunId }) => parentRunId === id);
  await brons.change(ownerId, bronId, { tools: ["a", "b"] });
  await harness.advance(child?.id ?? "");
  expect(offers(harness).at(-1)).toEqual(["a"]);
  expect(await harness.results(child?.id ?? "")).toMatchObject([
    { name: "b", outcome: "failed", error: { code: "unknown_tool" } },
  ]);
});

it("a log of an earlier version, without tool sets, still folds and continues", async () => {
  const harness = createLoopHarness({
    script: ({ turn }) => (turn === 0 ? asks("send", { to: "eva" }) : { text: "over" }),
    tools: [send([])],
  });
  const { id } = await harness.create();
  await harness.advance(id);
  const state = (await harness.events(id))
    .filter(({ type }) => type !== "tool_set")
    .reduce((before, event) => fold(before, event, 0), emptyRunState);
  expect(state.toolSet).toBeUndefined();
  expect([...state.open.values()]).toMatchObject([{ tool: "send" }]);
  expect([...state.open.values()][0]).not.toHaveProperty("toolDigest");
});
