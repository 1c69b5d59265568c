import type { EventView } from "@bron/protocol";

/** An event as it may leave the process: without what only the model must get back. */
export function eventJson({ runId, seq, createdAt, type, payload }: EventView): string {
  const shown =
    type === "message" && payload.role === "assistant" ? { ...payload, parts: undefined } : payload;
  return JSON.stringify({ runId, seq, createdAt, type, payload: shown });
}
