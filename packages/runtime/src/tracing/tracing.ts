import { mapModels, type AdvanceEnd, type Claimed, type ModelSet, type Tool } from "@bron/core";
import {
  context,
  trace,
  SpanKind,
  type Context,
  type Span,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import { AsyncLocalStorage } from "node:async_hooks";
import { endFailed } from "./end-failed.ts";
import type { SpanStarter } from "./span-starter.ts";
import { traceModel } from "./trace-model.ts";
import { traceTool } from "./trace-tool.ts";

/** Records spans for segments, and for the models and tools that it wraps. */
export interface Tracing {
  segment(work: () => Promise<AdvanceEnd>): Promise<AdvanceEnd>;
  /** Call it in the segment, after its claim. The claim decides whether the segment has a span. */
  claimed(claim: Claimed): void;
  models(models: ModelSet): ModelSet;
  tool(tool: Tool): Tool;
}

/**
 * Names and attributes follow OpenTelemetry's conventions for generative AI. Each segment of a run
 * is its own trace. `bron.run_id` connects them. Returns undefined if the process has no
 * OpenTelemetry SDK.
 */
export function createTracing({
  withContent,
  provider = trace.getTracerProvider(),
}: {
  readonly withContent: boolean;
  readonly provider?: TracerProvider;
}): Tracing | undefined {
  const tracer = provider.getTracer("bron");
  if (!isRecorded(tracer)) return undefined;
  const segments = new AsyncLocalStorage<{ span?: Span }>();
  const parent = (): Context => {
    const span = segments.getStore()?.span;
    return span ? trace.setSpan(context.active(), span) : context.active();
  };
  const starter: SpanStarter = {
    start: (name, kind, attributes) => tracer.startSpan(name, { kind, attributes }, parent()),
    within: (span, work) => context.with(trace.setSpan(context.active(), span), work),
    withContent,
  };
  return {
    async segment(work) {
      const segment: { span?: Span } = {};
      try {
        const end = await segments.run(segment, work);
        if (typeof end === "string") segment.span?.setAttribute("bron.segment.end", end);
        segment.span?.end();
        return end;
      } catch (error) {
        if (segment.span) endFailed(segment.span, error, withContent);
        throw error;
      }
    },
    claimed({ run, lease }) {
      const segment = segments.getStore();
      if (!segment) return;
      const attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": run.bronId,
        "gen_ai.conversation.id": run.threadId,
        "bron.run_id": run.id,
        "bron.owner_id": run.ownerId,
        "bron.worker": lease.worker,
      };
      segment.span = tracer.startSpan("invoke_agent bron", {
        kind: SpanKind.INTERNAL,
        root: true,
        attributes,
      });
    },
    models: (models) => mapModels(models, (model) => traceModel(model, starter)),
    tool: (tool) => traceTool(tool, starter),
  };
}

/**
 * Only spans of an SDK have a valid context, sampled or not. This span never ends, so it is not
 * exported.
 */
function isRecorded(tracer: Tracer): boolean {
  return trace.isSpanContextValid(tracer.startSpan("probe", { root: true }).spanContext());
}
