import type { Attributes, Span, SpanKind } from "@opentelemetry/api";

/** How spans are begun below the segment that they belong to. */
export interface SpanStarter {
  start(name: string, kind: SpanKind, attributes: Attributes): Span;
  /** What it calls finds the span as its parent, if the process has a context manager. */
  within<T>(span: Span, work: () => T): T;
  /** Whether the words of the run may stand in spans. */
  readonly withContent: boolean;
}
