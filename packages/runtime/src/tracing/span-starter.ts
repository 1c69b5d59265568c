import type { Attributes, Span, SpanKind } from "@opentelemetry/api";

/** Starts spans below the span of the current segment. */
export interface SpanStarter {
  start(name: string, kind: SpanKind, attributes: Attributes): Span;
  /**
   * Makes the span the parent of spans that `work` starts, if the process has a context manager.
   */
  within<T>(span: Span, work: () => T): T;
  /** Whether spans may contain text of the run. */
  readonly withContent: boolean;
}
