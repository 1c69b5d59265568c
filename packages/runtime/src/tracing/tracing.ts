import type { AdvanceEnd, RunLog, RunModel, Tool } from "@bron/core";
import { context, trace, SpanKind, type Context, type Span } from "@opentelemetry/api";
import { AsyncLocalStorage } from "node:async_hooks";
import { endFailed } from "./end-failed.ts";
import type { SpanStarter } from "./span-starter.ts";
import { traceModel } from "./trace-model.ts";
import { traceTool } from "./trace-tool.ts";

/** Wraps the ports of the engine. The overhead is negligible without an SDK in the process. */
export interface Tracing {
  segment(work: () => Promise<AdvanceEnd>): Promise<AdvanceEnd>;
  log(log: RunLog): RunLog;
  model(model: RunModel): RunModel;
  tool(tool: Tool): Tool;
}

/**
 * Names and attributes follow OpenTelemetry's conventions for generative AI. Each segment of a run
 * is its own trace. `bron.run_id` connects them.
 */
export function createTracing({ withContent }: { readonly withContent: boolean }): Tracing {
  const tracer = trace.getTracer("bron");
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
    log: (log) => ({
      ...log,
      async claim(request) {
        const result = await log.claim(request);
        const segment = segments.getStore();
        // The claim decides whether the segment gets a span.
        if (result.claimed && segment) {
          const { id, ownerId, bronId, threadId } = result.run;
          const attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.id": bronId,
            "gen_ai.conversation.id": threadId,
            "bron.run_id": id,
            "bron.owner_id": ownerId,
            "bron.worker": request.worker,
          };
          segment.span = tracer.startSpan("invoke_agent bron", {
            kind: SpanKind.INTERNAL,
            root: true,
            attributes,
          });
        }
        return result;
      },
    }),
    model: (model) => traceModel(model, starter),
    tool: (tool) => traceTool(tool, starter),
  };
}
