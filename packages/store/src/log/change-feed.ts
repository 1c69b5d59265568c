import type { ChangeFeed } from "@bron/core";
import { randomBytes } from "node:crypto";
import type pg from "pg";
import { partialTextMark } from "./change-message.ts";
import { createChangeReceiver } from "./change-receiver.ts";
import { createChangeSender } from "./change-sender.ts";

interface OpenChangeFeed extends ChangeFeed {
  close(): Promise<void>;
}

interface ChangeFeedOptions {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/**
 * Exchanges hints between the processes of one database with NOTIFY and LISTEN. Hints may get lost.
 */
export function openChangeFeed({ url, pool, onProblem }: ChangeFeedOptions): OpenChangeFeed {
  const sender = randomBytes(6).toString("hex");
  const closing = new AbortController();
  const receiver = createChangeReceiver({ url, sender, onProblem, closing: closing.signal });
  const { send, close } = createChangeSender({ pool, sender, isAlone: receiver.isAlone });
  return {
    changed: ({ runId, lastSeq }) => send(runId, lastSeq),
    partialTextChanged: (runId) => send(runId, partialTextMark),
    subscribe: receiver.subscribe,
    async close() {
      closing.abort();
      await close();
      await receiver.close();
    },
  };
}
