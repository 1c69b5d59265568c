import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { byteLength } from "../context/model-messages.ts";
import type { RunLabels } from "../policy/run-labels.ts";

/** System instruction and thread history: the messages before the run's own. */
export interface Preamble {
  readonly messages: readonly LanguageModelV4Message[];
  /** Labels of the parts that other people wrote. */
  readonly labels: RunLabels;
}

/** Loaded before the first model call only, so that approved effects need not wait for it. */
export interface LazyPreamble {
  load(): Promise<Preamble>;
  isLoaded(): boolean;
  messages(): readonly LanguageModelV4Message[];
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
    bytes: () => bytes,
    isTrusted: () => (preamble?.labels.untrusted.length ?? 0) === 0,
  };
}
