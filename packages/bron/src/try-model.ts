import { BronError, messageOf, type RunModel } from "@bron/core";
import { statusOf } from "./own-key-model.ts";

/** What came of asking a model for a word. */
export type Trial = "works" | "not_reached";

const trialMs = 10_000;
const maxOutputTokens = 16;
/** It will pass: says nothing about the key. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Throws invalid_input, in the provider's words, if it refuses. Whoever does not answer in time may well do so later. */
export async function tryModel({ model }: RunModel): Promise<Trial> {
  try {
    const abortSignal = AbortSignal.timeout(trialMs);
    const { stream } = await model.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Say OK." }] }],
      maxOutputTokens,
      abortSignal,
    });
    for await (const part of stream) if (part.type === "error") throw part.error;
    return "works";
  } catch (error) {
    if (BronError.is(error, "model_refused"))
      throw new BronError("invalid_input", error.message, { cause: error });
    const status = statusOf(error);
    if (status === undefined || status < 400 || status >= 500 || passing.has(status))
      return "not_reached";
    throw new BronError("invalid_input", `It was refused with ${status}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
