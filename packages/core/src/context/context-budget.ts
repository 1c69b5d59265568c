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
  /** What falls out, oldest first. */
  readonly older: readonly ThreadMessage[];
}

/**
 * The newest messages that fit. Once one does not fit, the rest is cut to two thirds of the limits, so
 * that the next tasks of the conversation need no new summary. A newest message that is too long for
 * all of it is cut at its end.
 */
export function splitTail(messages: readonly ThreadMessage[], limits: TailLimits): SplitTail {
  const all = fitting(messages, limits);
  if (all === messages.length) return { shown: messages, older: [] };
  const less = {
    messages: Math.ceil((limits.messages * 2) / 3),
    tokens: Math.floor((limits.tokens * 2) / 3),
  };
  const kept = fitting(messages, less);
  const newest = messages.at(-1);
  if (kept > 0 || !newest || less.messages === 0 || less.tokens <= 0)
    return {
      shown: messages.slice(messages.length - kept),
      older: messages.slice(0, messages.length - kept),
    };
  return { shown: [cutMessage(newest, less.tokens)], older: messages.slice(0, -1) };
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

function cutMessage(message: ThreadMessage, tokens: number): ThreadMessage {
  const { content } = message;
  // A token has at least one character of three bytes.
  return { ...message, content: content.slice(0, boundaryBefore(content, tokens)) + cutMark };
}
