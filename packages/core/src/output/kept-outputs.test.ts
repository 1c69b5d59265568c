import { omitUndefined, type JsonValue } from "@bron/protocol";
import { createLoopHarness, longestTurnMs, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { unlabeled } from "../run/state/fold-action.ts";
import { defineTool, type ToolLabel } from "../tool/define-tool.ts";
import { outputReadTool } from "../tool/output-read-tool.ts";

type Harness = Pick<LoopHarness, "store" | "results" | "events">;

const long = `${"a".repeat(8_000)}${"b".repeat(500)}\n${"c".repeat(32_000)}`;

function reading(value: JsonValue, label?: ToolLabel) {
  return defineTool({
    name: "read",
    description: "Reads.",
    input: z.object({}),
    repeatable: true,
    ...omitUndefined({ label }),
    execute: () => value,
  });
}

/** Reads once, then calls output_read with what `range` makes of the id, then ends. */
function openHarness(
  value: JsonValue,
  range: (outputId: string) => Record<string, JsonValue> = (output) => ({ output }),
  label?: ToolLabel,
) {
  return createLoopHarness({
    script({ options: { prompt } }) {
      const results = prompt.filter(({ role }) => role === "tool").length;
      if (results === 0) return { calls: [{ tool: "read", input: {} }] };
      const text = JSON.stringify(prompt).replaceAll("\\", "");
      const [, id = "none"] = /output "([^"]+)"/.exec(text) ?? [];
      return results === 1
        ? { calls: [{ tool: "output_read", input: range(id) }] }
        : { text: "Done." };
    },
    tools: [reading(value, label), outputReadTool],
  });
}

async function runOnce(harness: ReturnType<typeof openHarness>) {
  const run = await harness.create();
  await harness.advance(run.id);
  return { run, results: await harness.results(run.id) };
}

const textOf = (result: { readonly output?: JsonValue } | undefined): string =>
  typeof result?.output === "string" ? result.output : "";

async function artifactTexts({ store }: Harness, runId: string): Promise<string[]> {
  const listed = await store.artifacts.list("local", runId);
  return await Promise.all(
    listed.map(async ({ digest }) =>
      new TextDecoder().decode(await store.artifacts.read("local", digest)),
    ),
  );
}

const mostMs = 150;

describe("a long output", () => {
  it("is kept whole, and its result is a preview with a pointer", async () => {
    const harness = openHarness(long);
    const { run, results } = await runOnce(harness);
    const events = await harness.events(run.id);
    const end = events.findIndex(({ type, payload }) => type === "tool" && "kept" in payload);
    expect(events[end - 1]).toMatchObject({ type: "artifact", payload: { kind: "tool_output" } });
    expect(await artifactTexts(harness, run.id)).toEqual([long]);
    expect(results[0]?.kept).toMatchObject({
      outputId: results[0]?.actionId,
      name: "read.txt",
      characters: long.length,
      sizeBytes: long.length,
    });
    const shown = textOf(results[0]);
    expect(shown.startsWith(`${"a".repeat(8_000)}\n[501 of 40501 characters are left out`)).toBe(
      true,
    );
    expect(shown.endsWith(`]\n${"c".repeat(32_000)}`)).toBe(true);
  });

  it("stays in the log up to 40,000 characters, as text and as JSON", async () => {
    for (const value of ["x".repeat(40_000), { text: "x".repeat(40_000 - '{"text":""}'.length) }]) {
      const harness = openHarness(value);
      const { run, results } = await runOnce(harness);
      expect(results[0]?.output).toEqual(value);
      expect(results[0]?.kept).toBeUndefined();
      expect(await artifactTexts(harness, run.id)).toEqual([]);
    }
  });

  it("is kept as lines if it is JSON", async () => {
    const value = { rows: Array.from({ length: 9_000 }, (_, index) => index) };
    const harness = openHarness(value, (output) => ({ output, line: 3, lines: 2 }));
    const { run, results } = await runOnce(harness);
    expect(await artifactTexts(harness, run.id)).toEqual([JSON.stringify(value, null, 1)]);
    expect(results[0]?.kept).toMatchObject({ name: "read.json", mediaType: "application/json" });
    expect(results[1]?.output).toMatch(
      /^\[From line 3\]\n\[Characters 13 to 23 of \d+\. .*\]\n {2}0,\n {2}1,\n$/,
    );
  });

  it("is read by offset, with a bounded range that says where the next one starts", async () => {
    const harness = openHarness(long, (output) => ({ output, from: 8_000, characters: 501 }));
    const { results } = await runOnce(harness);
    expect(results[1]?.output).toBe(
      `[Characters 8000 to 8501 of 40501. The next part starts at 8501.]\n${"b".repeat(500)}\n`,
    );
    const whole = await runOnce(openHarness(long));
    expect(textOf(whole.results[1]).length).toBeLessThan(20_200);
    expect(whole.results[1]?.kept).toBeUndefined();
    const end = await runOnce(openHarness(long, (output) => ({ output, from: 99_999 })));
    expect(end.results[1]?.output).toBe("[Characters 40501 to 40501 of 40501. This is the end.]\n");
    const tooMuch = await runOnce(openHarness(long, (output) => ({ output, characters: 20_001 })));
    expect(tooMuch.results[1]).toMatchObject({
      outcome: "failed",
      error: { code: "invalid_arguments" },
    });
  });

  it.each<[string, ToolLabel | undefined]>([
    ["an untrusted label", undefined],
    [
      "a label with readers",
      { origin: "mail", readers: (output) => [`${JSON.stringify(output).length}@x.test`] },
    ],
    ["a trusted label", "trusted"],
  ])("X3 keeps %s when a part of it is read", async (_, label) => {
    const { results } = await runOnce(openHarness(long, (output) => ({ output }), label));
    expect(results[1]?.label).toEqual(results[0]?.label);
    expect((results[0]?.label ?? unlabeled).trusted).toBe(label === "trusted");
    // The label is that of the whole output, not of its preview.
    if (typeof label === "object")
      expect(results[0]?.label?.readers).toEqual([`${JSON.stringify(long).length}@x.test`]);
  });

  it("X3 cannot be read by another run", async () => {
    const first = openHarness(long);
    const outputId = (await runOnce(first)).results[0]?.actionId ?? "";
    const other = createLoopHarness({
      script: ({ turn }) =>
        turn === 0
          ? { calls: [{ tool: "output_read", input: { output: outputId } }] }
          : { text: "Done." },
      tools: [outputReadTool],
    });
    const run = await other.create();
    await other.advance(run.id, { artifacts: first.store.artifacts });
    const results = await other.results(run.id);
    expect(results).toMatchObject([{ outcome: "failed", error: { code: "not_found" } }]);
    expect((results[0]?.label ?? unlabeled).trusted).toBe(false);
  });

  it("is a preview only, and not lost, if it cannot be stored", async () => {
    const harness = openHarness(long);
    const run = await harness.create();
    await harness.advance(run.id, {
      artifacts: {
        ...harness.store.artifacts,
        put: () => Promise.reject(new BronError("store_full", "This store is full.")),
      },
    });
    const [result] = await harness.results(run.id);
    expect(result).toMatchObject({ outcome: "completed" });
    expect(result?.kept).toBeUndefined();
    expect(textOf(result)).toContain(
      "501 of 40501 characters are left out here. They could not be kept.",
    );
  });

  it("X2 is stored before its result, so a worker may die in between", async () => {
    const harness = openHarness(long);
    const run = await harness.create();
    const stored: string[] = [];
    const dying = harness.advance(run.id, {
      artifacts: {
        ...harness.store.artifacts,
        async put(artifact) {
          const put = await harness.store.artifacts.put(artifact);
          stored.push(put.digest);
          return put;
        },
      },
      log: {
        ...harness.store.log,
        append(request) {
          if (request.events.some(({ type, payload }) => type === "tool" && "kept" in payload))
            throw new BronError("internal", "The worker dies.");
          return harness.store.log.append(request);
        },
      },
    });
    await expect(dying).rejects.toThrow("The worker dies.");
    expect(stored).toHaveLength(1);
    expect(await harness.results(run.id)).toEqual([]);
    expect(await harness.store.artifacts.list("local", run.id)).toEqual([]);
    await harness.clock.pass(3_600_001);
    await harness.advance(run.id);
    expect((await harness.results(run.id))[0]?.kept?.digest).toBe(stored[0]);
    expect(await artifactTexts(harness, run.id)).toEqual([long]);
  });

  it("waits for storage that is away, without running the tool again", async () => {
    let calls = 0;
    const tool = defineTool({
      name: "read",
      description: "Reads.",
      input: z.object({}),
      execute() {
        calls++;
        return long;
      },
    });
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "read", input: {} }] } : { text: "Done." },
      tools: [tool],
    });
    const run = await harness.create();
    let failures = 0;
    await harness.advance(run.id, {
      artifacts: {
        ...harness.store.artifacts,
        put(artifact) {
          if (failures++ < 3) throw new BronError("storage_unreachable", "It is away.");
          return harness.store.artifacts.put(artifact);
        },
      },
    });
    expect(calls).toBe(1);
    expect((await harness.results(run.id))[0]?.kept).toBeDefined();
  });

  it("BR18 is reused by a retry, which can read it too", async () => {
    const harness = openHarness(long, (output) => ({ output, from: 8_000, characters: 500 }));
    const { run, results } = await runOnce(harness);
    const { run: second } = await harness.store.runs.create({
      ownerId: "local",
      input: { prompt: "do it", threadId: run.threadId },
      title: "do it",
      caps: run.caps,
      retry: { runId: run.id, notDone: [] },
    });
    await harness.advance(second.id);
    const [again] = await harness.results(second.id);
    expect(again).toMatchObject({ reused: { runId: run.id }, kept: results[0]?.kept });
    expect(await artifactTexts(harness, second.id)).toEqual([long]);
  });

  it("of 2 MB without spaces does not block the event loop", async () => {
    // CPU time, because the time on the clock also counts other processes. A garbage collection may
    // add to any run, so one that is short enough counts.
    let longestMs = Infinity;
    for (let runs = 0; runs < 3 && longestMs >= mostMs; runs++) {
      const harness = openHarness("x".repeat(2_000_000));
      const run = await harness.create();
      longestMs = await longestTurnMs(() => harness.advance(run.id));
      expect((await harness.results(run.id))[0]?.kept?.characters).toBe(2_000_000);
    }
    expect(longestMs).toBeLessThan(mostMs);
  });
});
