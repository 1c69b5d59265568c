import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { AuxiliaryRequest } from "../model/auxiliary-request.ts";
import type { UpkeepInput } from "../ports/runs/upkeep.ts";
import type { RunState } from "../run/state/run-state.ts";
import { byteLength, userMessage } from "./model-messages.ts";
import { olderMessagesNote, summaryOfOlder } from "./older-messages.ts";
import type { OwnerText } from "../intent/owner-text.ts";
import type { Readings } from "../ports/runs/ask-uses.ts";
import type { ShownSkill } from "../skill/run-skills.ts";
import type { RunLabels } from "../policy/run-labels.ts";

/** System instruction and thread history: the messages before the run's own. */
export interface Preamble {
  readonly system: LanguageModelV4Message;
  /** The messages that follow the summary of older ones. */
  readonly messages: readonly LanguageModelV4Message[];
  /** The summary of older messages that an earlier run made. */
  readonly older?: string | undefined;
  /** Asks for a summary of messages that no longer fit. It has the text of `older`. */
  readonly olderRequest?: AuxiliaryRequest | undefined;
  /** Set for an upkeep run. */
  readonly upkeep?: UpkeepInput | undefined;
  /** Labels of the parts that other people wrote. */
  readonly labels: RunLabels;
  /** What the owner typed before this run, for earlier tasks and for all of them. */
  readonly texts: readonly OwnerText[];
  /** The run that the owner's words were typed for. Child runs belong to it. */
  readonly rootRunId: string;
  /** What the runs above this one have read in the owner's words. */
  readonly readings: Readings;
  /** The skills that the system instruction lists. */
  readonly skills: readonly ShownSkill[];
}

/** Loaded before the first model call only, so that approved effects need not wait for it. */
export interface LazyPreamble {
  load(): Promise<Preamble>;
  isLoaded(): boolean;
  messages(state: RunState): readonly LanguageModelV4Message[];
  /** What the run asks a model before its first step, to shorten what was said before it. */
  requests(): readonly AuxiliaryRequest[];
  /** Set for an upkeep run, once it is loaded. */
  upkeep(): UpkeepInput | undefined;
  /** Everything that the owner typed, with what the run itself has. */
  ownerTexts(own: RunLabels): readonly OwnerText[];
  /** See `Preamble`. Empty as long as it is not loaded. */
  readingsAbove(): Readings;
  /** See `Preamble`. Empty as long as it is not loaded. */
  skills(): readonly ShownSkill[];
  bytes(): number;
  /** True if it contains nothing untrusted, and as long as it is not loaded. */
  isTrusted(): boolean;
}

/** A summary that this run makes takes no more than this. */
const maxOlderBytes = 8_000;

function messagesOf(
  { system, messages }: Preamble,
  older: string | undefined,
): readonly LanguageModelV4Message[] {
  return [
    system,
    ...(older === undefined ? [] : [userMessage(olderMessagesNote(older))]),
    ...messages,
  ];
}

export function createLazyPreamble(load: () => Promise<Preamble>): LazyPreamble {
  let preamble: Preamble | undefined;
  let bytes = 0;
  return {
    async load() {
      preamble ??= await load();
      bytes = byteLength(messagesOf(preamble, preamble.older)) + maxOlderBytes;
      return preamble;
    },
    isLoaded: () => preamble !== undefined,
    messages: (state) =>
      preamble ? messagesOf(preamble, summaryOfOlder(state) ?? preamble.older) : [],
    requests: () => (preamble?.olderRequest ? [preamble.olderRequest] : []),
    upkeep: () => preamble?.upkeep,
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
    skills: () => preamble?.skills ?? [],
    bytes: () => bytes,
    isTrusted: () => (preamble?.labels.untrusted.length ?? 0) === 0,
  };
}
