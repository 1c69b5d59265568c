import type { EventView } from "@bron/protocol";

/** An event for output. Omits the message parts that only the model needs. */
export function eventJson({ runId, seq, createdAt, type, payload }: EventView): string {
  const shown =
    type === "message" && payload.role === "assistant" ? { ...payload, parts: undefined } : payload;
  return JSON.stringify({ runId, seq, createdAt, type, payload: shown });
}
