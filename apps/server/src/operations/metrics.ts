import type { RuntimeEvent, Load } from "bron";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { createLoadReader } from "./load-reader.ts";
import type { RequestEntry } from "./request-entry.ts";

/** Figures of this process in Prometheus' form, and a few of the whole database. Labels are names of ours or bounded; no id is one. */
export interface Metrics {
  /** For `onDeed` of createBron. */
  runtimeEvent(runtimeEvent: RuntimeEvent): void;
  request(entry: RequestEntry): void;
  readonly contentType: string;
  text(now: { readonly load: () => Promise<Load>; readonly openStreams: number }): Promise<string>;
}

/** Runs take from a fraction of a second to days, if a person is asked. */
const runSeconds = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600, 21_600, 86_400, 259_200];
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Owners may bring models of their own. */
const mostModels = 50;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });

  const runs = counter("bron_runs_total", "Runs that ended here, by how.", ["status"]);
  const duration = new Histogram({
    name: "bron_run_duration_seconds",
    help: "From a run's creation to its end, time parked included.",
    labelNames: ["status"],
    buckets: runSeconds,
    registers,
  });
  const active = gauge("bron_runs_active", "Runs under way here.");
  const modelCalls = counter("bron_model_calls_total", "Calls of models, by how they ended.", [
    "model",
    "outcome",
  ]);
  const tokens = counter("bron_tokens_total", "Tokens that went to models and came from them.", [
    "direction",
    "model",
  ]);
  const cost = counter(
    "bron_cost_microusd_total",
    "What models cost, in millionths of a US dollar.",
    ["model"],
  );
  const toolCalls = counter("bron_tool_calls_total", "Actions, by how they ended.", [
    "tool",
    "outcome",
  ]);
  const effects = counter("bron_effects_total", "Effects that came to a state.", ["tool", "state"]);
  const approvals = counter(
    "bron_approvals_total",
    "Approvals that were asked for, and what became of them.",
    ["decision"],
  );
  const requests = counter("bron_http_requests_total", "Requests that were answered.", [
    "route",
    "method",
    "status",
  ]);
  const requestTimes = new Histogram({
    name: "bron_http_request_seconds",
    help: "How long answers took, streams left out.",
    labelNames: ["route", "method"],
    buckets: requestSeconds,
    registers,
  });
  const streams = gauge("bron_streams_open", "Event streams that are open here.");
  const databaseUp = gauge("bron_database_up", "Whether the database answered a moment ago.");
  const allRuns = gauge("bron_runs", "Runs that are not over, in all processes.", ["status"]);
  const pending = gauge(
    "bron_approvals_pending",
    "Approvals that wait for a person, in all processes.",
  );
  const oldest = gauge(
    "bron_oldest_waiting_seconds",
    "How long the run has waited that nobody has taken up for longest, in all processes.",
  );
  const readLoad = createLoadReader();
  const modelLabel = bounded(mostModels);

  const showLoad = (load: Load | undefined) => {
    databaseUp.set(load ? 1 : 0);
    allRuns.reset();
    for (const [status, count] of Object.entries(load?.runs ?? {})) allRuns.set({ status }, count);
    // No number is not zero.
    pending.set(load?.approvalsPending ?? Number.NaN);
    oldest.set(load?.oldestWaitingSeconds ?? Number.NaN);
  };

  return {
    runtimeEvent(runtimeEvent) {
      switch (runtimeEvent.what) {
        case "run_claimed":
          return active.inc();
        case "segment_ended":
          return active.dec();
        case "run_ended":
          runs.inc({ status: runtimeEvent.status });
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
    },
    request({ route, method, status, ms, isStream }) {
      requests.inc({ route, method, status });
      if (!isStream) requestTimes.observe({ route, method }, ms / 1_000);
    },
    contentType: registry.contentType,
    async text({ load, openStreams }) {
      streams.set(openStreams);
      showLoad(await readLoad(load));
      return await registry.metrics();
    },
  };
}

/** The first so many names as they are, whatever comes later as `other`. */
function bounded(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < most) known.add(name);
    return known.has(name) ? name : "other";
  };
}
