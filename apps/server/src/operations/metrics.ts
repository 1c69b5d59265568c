import type { Load } from "@bron/core";
import type { RuntimeEvent } from "@bron/runtime";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { createLoadReader } from "./load-reader.ts";
import type { RequestEntry } from "./request-entry.ts";

/**
 * Prometheus metrics of this process, and a few of the entire database. Label values are bounded
 * and never ids.
 */
export interface Metrics {
  /** Pass this as `onRuntimeEvent` to createRuntime. */
  runtimeEvent(runtimeEvent: RuntimeEvent): void;
  request(entry: RequestEntry): void;
  readonly contentType: string;
  text(now: { readonly load: () => Promise<Load>; readonly openStreams: number }): Promise<string>;
}

/** Runs take from a fraction of a second to days, if they wait for a person. */
const runSeconds = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600, 21_600, 86_400, 259_200];
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Limits the label values, because owners can use their own models. */
const maxModels = 50;

/** Makes the metrics of one registry. */
function createCollectors(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      { labelNames, buckets }: { readonly labelNames: Label[]; readonly buckets: number[] },
    ) => new Histogram({ name, help, labelNames, buckets, registers }),
  };
}
type Collectors = ReturnType<typeof createCollectors>;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const collectors = createCollectors(registry);
  const runtimeEvent = countRuntimeEvents(collectors);
  const request = countRequests(collectors);
  const streams = collectors.gauge("bron_streams_open", "Open event streams of this process.");
  const showLoad = createLoadGauges(collectors);
  const readLoad = createLoadReader();
  return {
    runtimeEvent,
    request,
    contentType: registry.contentType,
    async text({ load, openStreams }) {
      streams.set(openStreams);
      showLoad(await readLoad(load));
      return await registry.metrics();
    },
  };
}

function countRuntimeEvents({ counter, gauge, histogram }: Collectors): Metrics["runtimeEvent"] {
  const runs = counter(
    "bron_runs_total",
    "Runs that ended in this process, by status and outcome.",
    ["status", "outcome"],
  );
  const duration = histogram(
    "bron_run_duration_seconds",
    "Time from a run's creation to its end, including time spent waiting for a person.",
    { labelNames: ["status"], buckets: runSeconds },
  );
  const active = gauge("bron_runs_active", "Runs that this process is working on.");
  const modelCalls = counter("bron_model_calls_total", "Model calls, by outcome.", [
    "model",
    "outcome",
  ]);
  const tokens = counter("bron_tokens_total", "Tokens sent to and received from models.", [
    "direction",
    "model",
  ]);
  const cost = counter(
    "bron_cost_microusd_total",
    "Cost of model calls, in millionths of a US dollar.",
    ["model"],
  );
  const toolCalls = counter("bron_tool_calls_total", "Tool calls, by outcome.", [
    "tool",
    "outcome",
  ]);
  const effects = counter("bron_effects_total", "Effects that reached a state.", ["tool", "state"]);
  const approvals = counter(
    "bron_approvals_total",
    "Approvals that were requested, and their decisions.",
    ["decision"],
  );
  const modelLabel = boundedLabel(maxModels);
  return (runtimeEvent) => {
    switch (runtimeEvent.what) {
      case "run_claimed":
        return active.inc();
      case "segment_ended":
        return active.dec();
      case "run_ended":
        runs.inc({ status: runtimeEvent.status, outcome: runtimeEvent.outcome });
        return duration.observe({ status: runtimeEvent.status }, runtimeEvent.ms / 1_000);
      case "model_called": {
        const model = modelLabel(runtimeEvent.model);
        modelCalls.inc({ model, outcome: runtimeEvent.outcome });
        tokens.inc({ direction: "input", model }, runtimeEvent.inputTokens);
        tokens.inc({ direction: "output", model }, runtimeEvent.outputTokens);
        return cost.inc({ model }, runtimeEvent.costMicrousd);
      }
      case "tool_ended":
        return toolCalls.inc({ tool: runtimeEvent.tool, outcome: runtimeEvent.outcome });
      case "effect_moved":
        return effects.inc({ tool: runtimeEvent.tool, state: runtimeEvent.state });
      case "approval_moved":
        return approvals.inc({ decision: runtimeEvent.to });
      case "approvals_expired":
        return approvals.inc({ decision: "expired" }, runtimeEvent.count);
      case "run_created":
      case "run_stop_asked":
      case "run_parked":
        return;
    }
  };
}

function countRequests({ counter, histogram }: Collectors): Metrics["request"] {
  const requests = counter("bron_http_requests_total", "HTTP requests.", [
    "route",
    "method",
    "status",
  ]);
  const requestTimes = histogram(
    "bron_http_request_seconds",
    "Duration of HTTP requests, without streams.",
    { labelNames: ["route", "method"], buckets: requestSeconds },
  );
  return ({ route, method, status, ms, isStream }) => {
    requests.inc({ route, method, status });
    if (!isStream) requestTimes.observe({ route, method }, ms / 1_000);
  };
}

/** Shows the load of all processes, or that the database does not respond. */
function createLoadGauges({ gauge }: Collectors): (load: Load | undefined) => void {
  const databaseUp = gauge("bron_database_up", "Whether the database responds (1 or 0).");
  const allRuns = gauge("bron_runs", "Unfinished runs in all processes, by status.", ["status"]);
  const pending = gauge("bron_approvals_pending", "Pending approvals in all processes.");
  const oldest = gauge(
    "bron_oldest_waiting_seconds",
    "How long the oldest runnable run has waited for a worker, in all processes.",
  );
  return (load) => {
    databaseUp.set(load ? 1 : 0);
    allRuns.reset();
    for (const [status, count] of Object.entries(load?.runs ?? {})) allRuns.set({ status }, count);
    // An unknown value is NaN, not zero.
    pending.set(load?.approvalsPending ?? Number.NaN);
    oldest.set(load?.oldestWaitingSeconds ?? Number.NaN);
  };
}

/** Keeps the first `max` names and maps later ones to `other`. */
function boundedLabel(max: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < max) known.add(name);
    return known.has(name) ? name : "other";
  };
}
