import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import { attachedFilesNote } from "../context/attached-files.ts";
import { byteLength, inCallOrder } from "../context/model-messages.ts";
import { createRequestDigest } from "../context/request-digest.ts";
import type { DigestText } from "../ports/digest-text.ts";
import type { Tool } from "../tool/tool.ts";
import type { LazyPreamble } from "./preamble.ts";
import type { RunState } from "./run-state.ts";

/** Builds the requests of a run's steps from its state. */
export interface ModelRequests {
  options(state: RunState): Pick<LanguageModelV4CallOptions, "prompt" | "tools">;
  /** Bytes besides the run's own messages: instruction, thread history and tool declarations. */
  fixedBytes(): number;
  digest(state: RunState, maxOutputTokens: number): string;
  digestAuxiliary(
    options: Pick<LanguageModelV4CallOptions, "prompt" | "responseFormat">,
    maxOutputTokens: number,
  ): string;
}

export function createModelRequests(
  tools: ReadonlyMap<string, Tool>,
  preamble: LazyPreamble,
  digestText: DigestText,
): ModelRequests {
  const declarations = [...tools.values()].map(declare);
  const declaredBytes = byteLength(declarations);
  const digestRequest = createRequestDigest(digestText);
  const messagesOf = ({ files, messages }: RunState): LanguageModelV4Message[] => [
    ...preamble.messages(),
    ...attachedFilesNote(files),
    ...messages,
  ];
  return {
    options: (state) => ({
      prompt: inCallOrder(messagesOf(state)),
      ...(declarations.length > 0 ? { tools: declarations } : {}),
    }),
    fixedBytes: () => declaredBytes + preamble.bytes(),
    digest: (state, maxOutputTokens) =>
      digestRequest({ messages: messagesOf(state), declarations, maxOutputTokens }),
    digestAuxiliary: ({ prompt, responseFormat }, maxOutputTokens) =>
      digestRequest({ messages: prompt, declarations: [], maxOutputTokens, responseFormat }),
  };
}

function declare(tool: Tool): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputJsonSchema,
  };
}
