import { trace, TraceFlags, type Tracer } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { createTracing } from "./tracing.ts";

/** A tracer of an SDK that samples nothing. Its spans have ids, and record nothing. */
const unsampled: Tracer = {
  startSpan: () =>
    trace.wrapSpanContext({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      traceFlags: TraceFlags.NONE,
    }),
  startActiveSpan: () => expect.unreachable(),
};

it("traces nothing in a process without an OpenTelemetry SDK", () => {
  expect(createTracing({ withContent: true })).toBeUndefined();
});

it("traces in a process with an SDK, whatever it samples", () => {
  expect(
    createTracing({ withContent: false, provider: { getTracer: () => unsampled } }),
  ).toBeDefined();
});
