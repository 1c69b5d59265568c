import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import type { DigestText } from "../ports/digest-text.ts";
import { withOrderedResults } from "./model-messages.ts";

export interface DigestedRequest {
  readonly messages: readonly LanguageModelV4Message[];
  readonly declarations: readonly LanguageModelV4FunctionTool[];
  readonly maxOutputTokens: number;
  /** The digests of the files whose content is sent. */
  readonly files?: readonly string[];
  /** The required form of the output, for an auxiliary call. */
  readonly responseFormat?: LanguageModelV4CallOptions["responseFormat"];
}

/**
 * Digests model requests, so that the requests of two runs, or of a run and its replay, can be
 * compared. It covers everything that is sent except the name of the model. A message or list of
 * declarations is digested once, however many requests contain it, because it never changes.
 */
export function createRequestDigest(digestText: DigestText): (request: DigestedRequest) => string {
  const known = new WeakMap<object, string>();
  const digestOf = (key: object, content: () => unknown) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const digest = digestText(JSON.stringify(content()));
    known.set(key, digest);
    return digest;
  };
  return ({ messages, declarations, maxOutputTokens, files = [], responseFormat }) =>
    digestText(
      JSON.stringify({
        messages: messages.map((message, index) =>
          digestOf(message, () => withOrderedResults(message, messages[index - 1])),
        ),
        tools: digestOf(declarations, () => declarations),
        maxOutputTokens,
        files,
        responseFormat,
      }),
    );
}
