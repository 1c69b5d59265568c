import { z } from "zod";
import type { SplitWords } from "./context.ts";
import type {
  AssistantMessage,
  EffectPayload,
  EventPayloads,
  EventType,
  UserMessage,
} from "./events.ts";
import type { JsonObject } from "./json.ts";
import { problemReasonSchema } from "./problem-reason.ts";

/**
 * An HTTP error as problem details (RFC 9457). A newer server may send a code that this version
 * does not know.
 */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  hint: z.string(),
  /** Why the request was not accepted. */
  why: problemReasonSchema.optional().catch(undefined),
  /** With `internal`: the log contains the same reference. */
  reference: z.string().optional(),
  /** With `invalid_input`: every invalid field. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

interface Split {
  readonly split?: SplitWords;
}

type ShownPayload<T extends EventType> = T extends "message"
  ? (UserMessage & Split) | Omit<AssistantMessage, "parts">
  : T extends "effect"
    ? EffectPayload & { readonly editable?: JsonObject }
    : T extends "owner_message" | "question" | "approval"
      ? EventPayloads[T] & Split
      : EventPayloads[T];

/**
 * A log entry as HTTP responses contain it. It has nothing that only the model may see, and texts of the owner are split. Very long
 * outputs are truncated. An effect that waits for approval is complete, and says what can be
 * edited.
 */
export type EventView = {
  [T in EventType]: { readonly type: T; readonly payload: ShownPayload<T> };
}[EventType] & { readonly runId: string; readonly seq: number; readonly createdAt: string };

/**
 * What a run is doing now: the text of a model message that is still streaming, the model's
 * thoughts, and how far its tools are. It is not an entry of the log.
 */
export const partialTextSchema = z.object({
  step: z.number().int(),
  attempt: z.number().int(),
  text: z.string(),
  /** The end of the thoughts of this step. `from` is the number of characters before it. */
  thoughts: z.object({ from: z.number().int(), text: z.string() }).optional(),
  /** The latest word of each tool call that is running, in the words of the tool. */
  progress: z.array(z.object({ actionId: z.string(), message: z.string() })).optional(),
  /** Grows with every change, so that readers can drop an older state that arrives late. */
  revision: z.number().optional(),
});
export type PartialText = z.infer<typeof partialTextSchema>;

/**
 * The header by which /healthz identifies the server, because another Bron may use the port by now.
 */
export const serverIdHeader = "bron-server";

/**
 * A request to /healthz with a challenge returns the proof that this server knows the home's
 * secret.
 */
export const challengeHeader = "bron-challenge";
export const proofHeader = "bron-proof";
