import { currentTurnStart } from "./conversation.ts";
import { invalidArgument, type GoogleError } from "./google-error.ts";
import { isOwnCall, isSignatureOf, skipSignature } from "./signatures.ts";
import type { Content } from "./wire.ts";

/**
 * The first call of every model turn must come back with its signature. Gemini 3 checks this in the
 * current turn only. This model also checks its own calls of earlier turns, because only a bug can
 * lose those signatures. Calls of other models need Google's skip word in the current turn. For its
 * own calls the skip word is refused, because @ai-sdk/google inserts it where a signature was lost.
 */
export function validateSignatures(contents: readonly Content[]): GoogleError | undefined {
  const current = currentTurnStart(contents);
  for (const [index, content] of contents.entries()) {
    const part = content.parts.find(({ functionCall }) => functionCall !== undefined);
    if (part?.functionCall === undefined) continue;
    const { functionCall: call, thoughtSignature: signature } = part;
    if (signature !== undefined && isSignatureOf(call, signature)) continue;
    if ((index < current || signature === skipSignature) && !isOwnCall(call.id)) continue;
    return signature === undefined || signature === "" || signature === skipSignature
      ? missing(call.name, index + 1)
      : invalidArgument("Corrupted thought signature.");
  }
  return undefined;
}

function missing(name: string, position: number): GoogleError {
  return invalidArgument(
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing " +
      `thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${position}. ` +
      "Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
  );
}
