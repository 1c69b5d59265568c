import { BronError } from "@bron/core";

/** What a server may send between two of our requests. A flood ends the connection. */
const maxBytesPerRequest = 32 * 1024 * 1024;
const maxMessagesPerRequest = 20_000;

/** Counts what a server sends. Throws once it is too much. */
export interface FlowLimit {
  countBytes(bytes: number): void;
  countMessage(): void;
  /** Starts again, with a request of ours. */
  reset(): void;
}

export function createFlowLimit(): FlowLimit {
  let bytes = 0;
  let messages = 0;
  const refuse = (what: string) => {
    throw new BronError("tool_failed", `The server sent ${what}, so the connection was closed.`);
  };
  return {
    countBytes(count) {
      bytes += count;
      if (bytes > maxBytesPerRequest) refuse(`more than ${maxBytesPerRequest / 1024 / 1024} MB`);
    },
    countMessage() {
      messages += 1;
      if (messages > maxMessagesPerRequest) refuse(`more than ${maxMessagesPerRequest} messages`);
    },
    reset() {
      bytes = 0;
      messages = 0;
    },
  };
}
