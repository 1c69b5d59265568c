import { z } from "zod";
import type { AssistantMessage, EventPayloads, EventType, UserMessage } from "./events.ts";

/** An error as it leaves over HTTP: problem details, RFC 9457. A code may be one that only a newer Bron knows. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  hint: z.string(),
  /** With `internal`: the same words stand in the log. */
  reference: z.string().optional(),
  /** With `invalid_input`: every field that did not fit. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

type ShownPayload<T extends EventType> = T extends "message"
  ? UserMessage | Omit<AssistantMessage, "parts">
  : EventPayloads[T];

/** What leaves of a log entry: nothing that only the model may see. Outputs that are very long are cut. */
export type EventView = {
  [T in EventType]: { readonly type: T; readonly payload: ShownPayload<T> };
}[EventType] & { readonly runId: string; readonly seq: number; readonly createdAt: string };

/** What the model has said so far in a step that is under way. Not an entry of the log. */
export const partialTextSchema = z.object({
  step: z.number().int(),
  attempt: z.number().int(),
  text: z.string(),
});
export type PartialText = z.infer<typeof partialTextSchema>;

/** The header by which /healthz says which server it is: another Bron may have the port by now. */
export const serverIdHeader = "bron-server";

/** Whoever asks /healthz with a challenge gets the proof that this server has the home's secret. */
export const challengeHeader = "bron-challenge";
export const proofHeader = "bron-proof";
