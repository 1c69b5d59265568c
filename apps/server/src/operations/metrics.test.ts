import { randomUUID } from "node:crypto";
import type { Load } from "@bron/core";
import type { RuntimeEvent } from "@bron/runtime";
import { describe, expect, it } from "vitest";
import { createMetrics, type Metrics } from "./metrics.ts";

const run = () => ({ runId: randomUUID(), ownerId: "mara@example.com" });
const noLoad: Load = { runs: {}, approvalsPending: 0, oldestWaitingSeconds: 0 };
const now = (load: () => Promise<Load> = () => Promise.resolve(noLoad)) => ({
  load,
  openStreams: 0,
});
/** The samples of one metric, without its help. */
const samples = async (metrics: Metrics, name: string, at = now()) =>
  (await metrics.text(at))
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
const called = (model: string): RuntimeEvent => ({
  what: "model_called",
  ...run(),
  model,
  outcome: "settled",
  inputTokens: 100,
  outputTokens: 10,
  costMicrousd: 7,
});

describe("metrics", () => {
  it("BR23 count runs, durations, tool calls, decisions, tokens and cost", async () => {
    const metrics = createMetrics();
    metrics.runtimeEvent({ what: "run_claimed", ...run(), bronId: randomUUID(), claims: 1 });
    metrics.runtimeEvent({ what: "run_claimed", ...run(), bronId: randomUUID(), claims: 1 });
    metrics.runtimeEvent({ what: "segment_ended", ...run(), end: "ended", ms: 20 });
    metrics.runtimeEvent({
      what: "run_ended",
      ...run(),
      status: "completed",
      outcome: "done",
      ms: 1_500,
    });
    metrics.runtimeEvent({
      what: "run_ended",
      ...run(),
      status: "failed",
      outcome: "could_not",
      code: "cap_time",
      ms: 400_000,
    });
    metrics.runtimeEvent(called("gemini/one"));
    metrics.runtimeEvent(called("gemini/one"));
    metrics.runtimeEvent({
      what: "tool_ended",
      ...run(),
      tool: "gmail_search",
      outcome: "completed",
      actionId: randomUUID(),
    });
    metrics.runtimeEvent({
      what: "effect_moved",
      ...run(),
      tool: "gmail_draft_send",
      state: "done",
      effectId: randomUUID(),
    });
    for (const to of ["requested", "approved", "denied", "approved"] as const)
      metrics.runtimeEvent({
        what: "approval_moved",
        ...run(),
        tool: "gmail_draft_send",
        to,
        approvalId: randomUUID(),
      });
    metrics.runtimeEvent({ what: "approvals_expired", count: 3 });
    expect(await samples(metrics, "bron_runs_total")).toEqual([
      'bron_runs_total{status="completed",outcome="done"} 1',
      'bron_runs_total{status="failed",outcome="could_not"} 1',
    ]);
    expect(await samples(metrics, "bron_run_duration_seconds_sum")).toEqual([
      'bron_run_duration_seconds_sum{status="completed"} 1.5',
      'bron_run_duration_seconds_sum{status="failed"} 400',
    ]);
    expect(await samples(metrics, "bron_runs_active")).toEqual(["bron_runs_active 1"]);
    expect(await samples(metrics, "bron_tokens_total")).toEqual([
      'bron_tokens_total{direction="input",model="gemini/one"} 200',
      'bron_tokens_total{direction="output",model="gemini/one"} 20',
    ]);
    expect(await samples(metrics, "bron_cost_microusd_total")).toEqual([
      'bron_cost_microusd_total{model="gemini/one"} 14',
    ]);
    expect(await samples(metrics, "bron_tool_calls_total")).toEqual([
      'bron_tool_calls_total{tool="gmail_search",outcome="completed"} 1',
    ]);
    expect(await samples(metrics, "bron_effects_total")).toEqual([
      'bron_effects_total{tool="gmail_draft_send",state="done"} 1',
    ]);
    expect(await samples(metrics, "bron_approvals_total")).toEqual(
      ["requested} 1", "approved} 2", "denied} 1", "expired} 3"].map(
        (end) => `bron_approvals_total{decision="${end.replace("}", '"}')}`,
      ),
    );
    expect(await metrics.text(now())).toMatch(/^process_cpu_seconds_total /m);
    expect(await metrics.text(now())).toMatch(/^nodejs_eventloop_lag_seconds /m);
  });

  it("have bounded labels without names of people or ids", async () => {
    const metrics = createMetrics();
    for (let index = 0; index < 500; index++) metrics.runtimeEvent(called(`openai/own-${index}`));
    const models = await samples(metrics, "bron_cost_microusd_total");
    expect(models).toHaveLength(51);
    expect(models).toContain('bron_cost_microusd_total{model="other"} 3150');
    expect(await metrics.text(now())).not.toMatch(/mara|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it("measure requests by route, without streams", async () => {
    const metrics = createMetrics();
    const entry = { requestId: "r", method: "GET", status: 200 };
    metrics.request({ ...entry, route: "/api/runs/:id", ms: 20, isStream: false });
    metrics.request({ ...entry, route: "/api/stream", ms: 900_000, isStream: true });
    expect(await samples(metrics, "bron_http_requests_total")).toEqual([
      'bron_http_requests_total{route="/api/runs/:id",method="GET",status="200"} 1',
      'bron_http_requests_total{route="/api/stream",method="GET",status="200"} 1',
    ]);
    expect(await samples(metrics, "bron_http_request_seconds_sum")).toEqual([
      'bron_http_request_seconds_sum{route="/api/runs/:id",method="GET"} 0.02',
    ]);
  });

  it("query the database once for several scrapers", async () => {
    const metrics = createMetrics();
    let asked = 0;
    const load = () => {
      asked++;
      return Promise.resolve({
        runs: { queued: 4, awaiting_auth: 1 },
        approvalsPending: 2,
        oldestWaitingSeconds: 12.5,
      });
    };
    const texts = await Promise.all(Array.from({ length: 20 }, () => metrics.text(now(load))));
    expect(asked).toBe(1);
    for (const line of [
      'bron_runs{status="queued"} 4',
      'bron_runs{status="awaiting_auth"} 1',
      "bron_approvals_pending 2",
      "bron_oldest_waiting_seconds 12.5",
      "bron_database_up 1",
    ])
      expect(texts[0]?.split("\n")).toContain(line);
  });

  it("are available while the database is unreachable, without its values", async () => {
    const metrics = createMetrics();
    const text = await metrics.text(now(() => Promise.reject(new TypeError("away"))));
    expect(text).toMatch(/^bron_database_up 0$/m);
    expect(text).not.toMatch(/^bron_(?:runs\{|approvals_pending \d|oldest_waiting_seconds \d)/m);
    expect(text).toMatch(/^bron_runs_active 0$/m);
  });
});
