import { BronError, messageOf, type RunModel } from "@bron/core";
import { statusOf } from "./own-key-model.ts";

/** The result of a test call to a model. */
export type KeyTestResult = "works" | "not_reached";

const defaultTimeoutMs = 10_000;
const maxOutputTokens = 16;
/** Temporary errors say nothing about the key. */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/**
 * Throws invalid_input with the provider's message if the provider rejects the request. A timeout
 * counts as `not_reached`, because the key may still work.
 */
export async function testModel(
  { model }: RunModel,
  timeoutMs = defaultTimeoutMs,
): Promise<KeyTestResult> {
  try {
    const abortSignal = AbortSignal.timeout(timeoutMs);
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
    if (status === undefined || status < 400 || status >= 500 || temporaryStatuses.has(status))
      return "not_reached";
    throw new BronError(
      "invalid_input",
      `The provider rejected it (${status}): ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}
