import { messageOf } from "@bron/core";
import { SpanStatusCode, type Span } from "@opentelemetry/api";

/** Error messages may repeat text of the run, so they count as content. */
export function endFailed(span: Span, error: unknown, withContent: boolean): void {
  span.setAttribute("error.type", errorType(error));
  span.setStatus({
    code: SpanStatusCode.ERROR,
    ...(withContent ? { message: messageOf(error) } : {}),
  });
  span.end();
}

function errorType(error: unknown): string {
  if (typeof error !== "object" || error === null) return "_OTHER";
  if ("code" in error && typeof error.code === "string") return error.code;
  if ("statusCode" in error && typeof error.statusCode === "number")
    return String(error.statusCode);
  return error instanceof Error ? error.name : "_OTHER";
}
