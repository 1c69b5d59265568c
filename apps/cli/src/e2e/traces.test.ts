import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { makeTempFolder } from "@bron/testing";
import { runBron } from "./spawn-bron.fixture.ts";
import { openTraceCollector, type CollectedSpan } from "./trace-collector.fixture.ts";

const timeout = 60_000;

describe("a run whose process sends traces", () => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await makeTempFolder();
    database = await createTestDatabase(inject("postgresUrl"));
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const runtime = (endpoint: string, args: readonly string[], more: Record<string, string> = {}) =>
    runBron(args, {
      BRON_HOME: join(folder, "home"),
      DATABASE_URL: database.url,
      BRON_SECRET_KEY: "a secret key for traces, long enough",
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      ...more,
    });
  const named = (spans: readonly CollectedSpan[], name: string) =>
    spans.filter((span) => span.name === name);

  test(
    "BR23 has a span for the segment, each model call and each tool, named by the conventions and without content",
    { timeout },
    async () => {
      const collector = await openTraceCollector();
      const { code, out, err } = await runtime(collector.url, [
        "run",
        "What is 1723 * 4?",
        "--json",
      ]);
      await collector.close();
      expect(code, err).toBe(0);
      expect(out).toContain("6892");
      expect(new Set(collector.asked)).toEqual(new Set(["POST /v1/traces"]));
      const { spans } = collector;
      const [segment, ...otherSegments] = named(spans, "invoke_agent bron");
      expect(otherSegments).toEqual([]);
      const runId = /"runId":"([0-9a-f-]{36})"/.exec(out)?.[1];
      expect(segment).toMatchObject({
        kind: 1,
        isFailed: false,
        resource: { "service.name": "bron" },
      });
      expect(segment?.parentSpanId).toBeUndefined();
      expect(segment?.attributes).toEqual({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "gen_ai.conversation.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "bron.run_id": runId,
        "bron.owner_id": "local",
        "bron.worker": expect.any(String),
        "bron.segment.end": "ended",
      });
      const modelSpans = named(spans, "chat gemini-demo");
      expect(modelSpans).toHaveLength(2);
      expect(modelSpans[0]).toMatchObject({ kind: 3, isFailed: false });
      expect(modelSpans[0]?.attributes).toMatchObject({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "demo",
        "gen_ai.request.model": "gemini-demo",
        "gen_ai.usage.input_tokens": expect.any(Number),
        "gen_ai.usage.output_tokens": expect.any(Number),
        "gen_ai.response.finish_reasons": ["tool-calls"],
      });
      // The answer comes with the call that says how the task went.
      expect(modelSpans[1]?.attributes["gen_ai.response.finish_reasons"]).toEqual(["tool-calls"]);
      const [tool] = named(spans, "execute_tool calculator");
      expect(tool?.attributes).toEqual({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "calculator",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(spans).toHaveLength(4);
      for (const span of [...modelSpans, tool])
        expect(span).toMatchObject({ traceId: segment?.traceId, parentSpanId: segment?.spanId });
      expect(collector.sent()).not.toMatch(/1723|6892/);
    },
  );

  test(
    "BR23 includes prompts, messages, arguments and results in its spans when configured",
    { timeout },
    async () => {
      const collector = await openTraceCollector();
      expect(
        (
          await runtime(`${collector.url}/`, ["run", "What is 1723 * 4?"], {
            BRON_TRACE_CONTENT: "true",
          })
        ).code,
      ).toBe(0);
      await collector.close();
      const [first, second] = named(collector.spans, "chat gemini-demo").map(
        ({ attributes }) => attributes,
      );
      expect(JSON.parse(String(first?.["gen_ai.input.messages"]))).toContainEqual({
        role: "user",
        parts: [{ type: "text", content: "What is 1723 * 4?" }],
      });
      expect(JSON.parse(String(first?.["gen_ai.system_instructions"]))).toMatchObject([
        { type: "text", content: expect.any(String) },
      ]);
      expect(JSON.parse(String(first?.["gen_ai.output.messages"]))).toMatchObject([
        {
          role: "assistant",
          parts: [
            { type: "reasoning" },
            { type: "tool_call", name: "calculator", arguments: { expression: "1723 * 4" } },
          ],
          finish_reason: "tool-calls",
        },
      ]);
      expect(JSON.parse(String(second?.["gen_ai.output.messages"]))).toEqual([
        {
          role: "assistant",
          parts: expect.arrayContaining([
            { type: "text", content: "1723 * 4 = 6892" },
            expect.objectContaining({ type: "tool_call", name: "report_outcome" }),
          ]),
          finish_reason: "tool-calls",
        },
      ]);
      const [tool] = named(collector.spans, "execute_tool calculator");
      expect(tool?.attributes).toMatchObject({
        "gen_ai.tool.call.arguments": '{"expression":"1723 * 4"}',
        "gen_ai.tool.call.result": expect.stringContaining("6892"),
      });
    },
  );

  test("BR23 records a failure by its code, without its message", { timeout }, async () => {
    const collector = await openTraceCollector();
    await runtime(collector.url, ["run", "What is 1723 / 0?"]);
    await collector.close();
    const [tool] = named(collector.spans, "execute_tool calculator");
    expect(tool).toMatchObject({
      isFailed: true,
      attributes: { "error.type": expect.stringMatching(/^[a-zA-Z_]+$/) },
    });
    expect(collector.sent()).not.toContain("1723");
  });

  test.each([
    ["away", undefined],
    ["silent", { isSilent: true }],
  ])(
    "BR23 runs normally and exits in time when the collector is %s",
    { timeout },
    async (_how, options) => {
      const collector = options && (await openTraceCollector(options));
      const start = performance.now();
      const { code, out, err } = await runtime(collector?.url ?? "http://127.0.0.1:9", [
        "run",
        "What is 5 * 5?",
      ]);
      const took = performance.now() - start;
      await collector?.close();
      expect({ code, out }).toEqual({ code: 0, out: "5 * 5 = 25\n" });
      expect(err).not.toMatch(/otlp|trace|ECONNREFUSED/i);
      expect(took).toBeLessThan(25_000);
    },
  );
});
