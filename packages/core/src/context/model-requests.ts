import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { attachedFilesNote, type AttachedFile, type FileContent } from "./attached-files.ts";
import { inCallOrder } from "./model-messages.ts";
import { createRequestDigest } from "./request-digest.ts";
import { readShownFiles } from "./shown-files.ts";
import type { DigestText } from "../ports/digest-text.ts";
import type { CurrentTools } from "../tool-set/current-tools.ts";
import type { LazyPreamble } from "./preamble.ts";
import type { RunState } from "../run/state/run-state.ts";

/** Builds the requests of a run's steps from its state. */
export interface ModelRequests {
  /** Reads the content of the files. Throws if their storage is away. */
  options(
    state: RunState,
    files: readonly AttachedFile[],
  ): Promise<Pick<LanguageModelV4CallOptions, "prompt" | "tools">>;
  /** Bytes besides the run's own messages: instruction, thread history and tool declarations. */
  fixedBytes(): number;
  digest(
    state: RunState,
    request: { readonly maxOutputTokens: number; readonly files: readonly AttachedFile[] },
  ): string;
  digestAuxiliary(
    options: Pick<LanguageModelV4CallOptions, "prompt" | "responseFormat">,
    maxOutputTokens: number,
  ): string;
}

interface ModelRequestsDeps {
  readonly digestText: DigestText;
  readonly readFile: (digest: string) => Promise<Uint8Array | undefined>;
}

export function createModelRequests(
  tools: Pick<CurrentTools, "declarations" | "bytes">,
  preamble: LazyPreamble,
  { digestText, readFile }: ModelRequestsDeps,
): ModelRequests {
  const digestRequest = createRequestDigest(digestText);
  const messagesOf = (state: RunState, content: FileContent = []): LanguageModelV4Message[] => [
    ...preamble.messages(state),
    ...attachedFilesNote(state.files, content),
    ...state.messages,
  ];
  return {
    async options(state, files) {
      const declarations = tools.declarations(state);
      return {
        prompt: inCallOrder(messagesOf(state, await readShownFiles(files, readFile))),
        ...(declarations.length > 0 ? { tools: declarations } : {}),
      };
    },
    fixedBytes: () => tools.bytes() + preamble.bytes(),
    digest: (state, { maxOutputTokens, files }) =>
      digestRequest({
        messages: messagesOf(state),
        declarations: tools.declarations(state),
        maxOutputTokens,
        files: files.map(({ digest }) => digest),
      }),
    digestAuxiliary: ({ prompt, responseFormat }, maxOutputTokens) =>
      digestRequest({ messages: prompt, declarations: [], maxOutputTokens, responseFormat }),
  };
}
