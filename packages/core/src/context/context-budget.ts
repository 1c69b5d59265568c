import type { ThreadMessage } from "../ports/runs/threads.ts";
import { boundaryBefore } from "./cut-text.ts";

const encoder = new TextEncoder();

/** How many tokens a text has at most in a language with letters of its own. */
export function tokensOf(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}

interface TailLimits {
  readonly messages: number;
  readonly tokens: number;
}

interface SplitTail {
  /** What the model sees in full, oldest first. */
  readonly shown: readonly ThreadMessage[];
  /** What is to be summarized, oldest first: all that is not shown and has no summary yet. */
  readonly toSummarize: readonly ThreadMessage[];
}

/**
 * The newest messages that fit. Once one falls out that has no summary, the oldest third of those that
 * are shown is summarized too, so that the next tasks of the conversation need no new summary. A
 * newest message that is too long for all of it is cut at its end. `upTo` is the id of the newest
 * message that has a summary.
 */
export function splitTail(
  messages: readonly ThreadMessage[],
  limits: TailLimits,
  upTo = "0",
): SplitTail {
  const count = fitting(messages, limits);
  const shown = count === 0 ? cutNewest(messages, limits) : messages.slice(-count);
  const isNew = ({ id }: ThreadMessage) => Number(id) > Number(upTo);
  const hidden = messages.slice(0, messages.length - shown.length);
  if (!hidden.some(isNew)) return { shown, toSummarize: [] };
  const kept = Math.min(
    shown.length,
    fitting(messages, {
      messages: Math.ceil((limits.messages * 2) / 3),
      tokens: Math.floor((limits.tokens * 2) / 3),
    }),
  );
  // A message that is cut is not covered by the summary, so that its beginning stays exact.
  const covered = messages.length - Math.max(kept, Math.min(shown.length, 1));
  return { shown, toSummarize: messages.slice(0, covered).filter(isNew) };
}

/** How many of the newest messages are within the limits. */
function fitting(messages: readonly ThreadMessage[], limits: TailLimits): number {
  let left = limits.tokens;
  let count = 0;
  for (const { content } of messages.toReversed()) {
    left -= tokensOf(content);
    if (left < 0 || count === limits.messages) break;
    count++;
  }
  return count;
}

const cutMark = "\n[…]";

function cutNewest(
  messages: readonly ThreadMessage[],
  { messages: most, tokens }: TailLimits,
): ThreadMessage[] {
  const newest = messages.at(-1);
  // A token has at least one character, of at most three bytes.
  const characters = tokens - tokensOf(cutMark);
  if (!newest || most === 0 || characters <= 0) return [];
  const { content } = newest;
  return [{ ...newest, content: content.slice(0, boundaryBefore(content, characters)) + cutMark }];
}
