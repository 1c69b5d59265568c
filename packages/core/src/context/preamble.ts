import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { byteLength } from "./model-messages.ts";
import type { OwnerText } from "../intent/owner-text.ts";
import type { Readings } from "../ports/runs/ask-uses.ts";
import type { RunLabels } from "../policy/run-labels.ts";

/** System instruction and thread history: the messages before the run's own. */
export interface Preamble {
  readonly messages: readonly LanguageModelV4Message[];
  /** Labels of the parts that other people wrote. */
  readonly labels: RunLabels;
  /** What the owner typed before this run, for earlier tasks and for all of them. */
  readonly texts: readonly OwnerText[];
  /** The run that the owner's words were typed for. Child runs belong to it. */
  readonly rootRunId: string;
  /** What the runs above this one have read in the owner's words. */
  readonly readings: Readings;
}

/** Loaded before the first model call only, so that approved effects need not wait for it. */
export interface LazyPreamble {
  load(): Promise<Preamble>;
  isLoaded(): boolean;
  messages(): readonly LanguageModelV4Message[];
  /** Everything that the owner typed, with what the run itself has. */
  ownerTexts(own: RunLabels): readonly OwnerText[];
  /** See `Preamble`. Empty as long as it is not loaded. */
  readingsAbove(): Readings;
  bytes(): number;
  /** True if it contains nothing untrusted, and as long as it is not loaded. */
  isTrusted(): boolean;
}

export function createLazyPreamble(load: () => Promise<Preamble>): LazyPreamble {
  let preamble: Preamble | undefined;
  let bytes = 0;
  return {
    async load() {
      preamble ??= await load();
      bytes = byteLength(preamble.messages);
      return preamble;
    },
    isLoaded: () => preamble !== undefined,
    messages: () => preamble?.messages ?? [],
    ownerTexts: (own) => [
      ...(preamble?.texts ?? []),
      ...[...(preamble?.labels.typed ?? []), ...own.typed].map(
        ({ content, ...rest }): OwnerText => ({
          when: "now",
          text: content,
          ...rest,
        }),
      ),
    ],
    readingsAbove: () => preamble?.readings ?? new Map(),
    bytes: () => bytes,
    isTrusted: () => (preamble?.labels.untrusted.length ?? 0) === 0,
  };
}
