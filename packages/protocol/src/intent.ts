import { z } from "zod";
import { askedForSchema, askKinds, describeAskedFor } from "./ask-kinds.ts";

/** A request in the owner's words. */
const askInWordsSchema = askedForSchema.extend({
  /** Names the request within its task. */
  key: z.string(),
  /** The words that ask. */
  words: z.string(),
  /** `each`: one effect per person or thing. */
  times: z.enum(["once", "each"]),
});
export type AskInWords = Readonly<z.infer<typeof askInWordsSchema>>;

/** What the owner's words forbid. Without people and things it is about all effects of the kind. */
const prohibitionInWordsSchema = askedForSchema.extend({
  kind: z.enum([...askKinds, "any"]),
  words: z.string(),
});
export type ProhibitionInWords = Readonly<z.infer<typeof prohibitionInWordsSchema>>;

/**
 * What the owner's words ask for, as a model read them. `callId` names the auxiliary call, whose start
 * has the model and the digest of its request. `unread`: no model could read the words.
 * `crossed_out`: the owner takes a request back. Written by the process that received this, without
 * the lease.
 */
export const intentSchema = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("read"),
    callId: z.string(),
    asks: z.array(askInWordsSchema).readonly(),
    prohibitions: z.array(prohibitionInWordsSchema).readonly(),
  }),
  z.object({ state: z.literal("unread"), callId: z.string() }),
  z.object({ state: z.literal("crossed_out"), key: z.string(), by: z.string() }),
]);
export type IntentPayload = z.infer<typeof intentSchema>;

/** "You asked for an email to Eva. Bron asks before it changes anything else." */
export function describeIntent(intent: IntentPayload): string {
  if (intent.state === "crossed_out")
    return "You crossed out a request. Bron asks before it does this.";
  if (intent.state === "unread")
    return "Bron couldn't compare its changes with your words, so it asks before each of them.";
  const { asks, prohibitions } = intent;
  const ruledOut = prohibitions.map(({ words }) => ` You ruled out: “${words}”.`).join("");
  if (asks.length === 0)
    return `You didn't ask for any changes, so Bron asks before it makes one.${ruledOut}`;
  const listed = asks.map((ask) => describeAskedFor(ask)).join(", and ");
  return `You asked for ${listed}.${ruledOut} Bron asks before it changes anything else.`;
}
