import type pg from "pg";
import { channel, partialTextMark } from "./change-message.ts";

interface ChangeSenderDeps {
  readonly pool: pg.Pool;
  /** The name of this process in its messages. */
  readonly sender: string;
  /**
   * Whether no other process listens. Then nothing is sent, because a NOTIFY costs as much as a
   * commit.
   */
  readonly isAlone: () => boolean;
}

export interface ChangeSender {
  send(runId: string, lastSeq: number): void;
  /** Sends what is left. Does not reject. */
  close(): Promise<void>;
}

/**
 * Notifications are sent outside the writers' transactions, because NOTIFY in a transaction takes a
 * global lock at commit.
 */
const coalesceMs = 10;
/** A payload is limited to 8,000 bytes. One change takes about 50. */
const changesPerNotify = 120;

export function createChangeSender({ pool, sender, isAlone }: ChangeSenderDeps): ChangeSender {
  const waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let closed = false;

  const sendWaiting = async () => {
    const changes = [...waiting];
    waiting.clear();
    if (isAlone()) return;
    for (let start = 0; start < changes.length; start += changesPerNotify) {
      await pool.query({
        name: "bron-notify-1",
        text: "select pg_notify($1, $2)",
        values: [channel, JSON.stringify([sender, changes.slice(start, start + changesPerNotify)])],
      });
    }
  };

  return {
    send(runId, lastSeq) {
      if (closed) return;
      // A change of the log takes precedence over one of the partial text, because a reader of the
      // log learns about both.
      waiting.set(runId, Math.max(waiting.get(runId) ?? partialTextMark, lastSeq));
      timer ??= setTimeout(() => {
        timer = undefined;
        // The safety poll of the readers makes up for a lost hint.
        sending = sending.then(sendWaiting).catch(() => undefined);
      }, coalesceMs);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await sending;
      if (waiting.size > 0) await sendWaiting().catch(() => undefined);
    },
  };
}
