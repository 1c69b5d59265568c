import { messageOf } from "@bron/core";
import { randomBytes } from "node:crypto";
import pg from "pg";

/** A hint: the log of this run ends at `lastSeq` or later. 0 says only that it may have changed. */
export interface Change {
  readonly runId: string;
  readonly lastSeq: number;
}

export interface ChangeFeed {
  /** Tells every process on this database, a few milliseconds later and together with others. Never throws. */
  changed(change: Change): void;
  /** The same for the run's answer in progress. */
  answered(runId: string): void;
  /** For each change in another process; `onGap` when changes may have been missed. */
  listen(listener: ChangeListener): void;
  close(): Promise<void>;
}

export interface ChangeListener {
  onChange(change: Change): void;
  onAnswer(runId: string): void;
  onGap(): void;
}

export interface ChangeFeedOptions {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly onProblem: (message: string, error?: unknown) => void;
}

const channel = "bron_changes";
/** Outside the writers' transactions: inside, NOTIFY takes a global lock at every commit. */
const coalesceMs = 10;
/** A payload may have 8,000 bytes; one change takes about 50. */
const changesPerNotify = 120;
const longestPauseMs = 2_000;
/** In place of a seq. */
const ofAnswer = -1;

/** NOTIFY and LISTEN between the processes of one database: hints, never the truth. */
export function openChangeFeed({ url, pool, onProblem }: ChangeFeedOptions): ChangeFeed {
  const sender = randomBytes(6).toString("hex");
  const waiting = new Map<string, number>();
  const listeners = new Set<ChangeListener>();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let closed = false;
  let listening: Promise<void> | undefined;
  let client: pg.Client | undefined;

  const send = async () => {
    const changes = [...waiting];
    waiting.clear();
    for (let start = 0; start < changes.length; start += changesPerNotify) {
      await pool.query({ name: "bron-notify-1", text: "select pg_notify($1, $2)", values: [channel, JSON.stringify([sender, changes.slice(start, start + changesPerNotify)])] });
    }
  };

  const receive = (payload: string | undefined) => {
    for (const [runId, lastSeq] of parseChanges(payload, sender)) {
      for (const listener of listeners) {
        if (lastSeq === ofAnswer) listener.onAnswer(runId);
        else listener.onChange({ runId, lastSeq });
      }
    }
  };

  /** One connection for all; when it breaks it is made anew, and everybody looks for what was missed. */
  const keepListening = async () => {
    for (let pauseMs = 50; !closed; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const connection = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true, application_name: "bron-listen" });
      const ended = new Promise<void>((resolve) => connection.once("end", () => resolve()));
      connection.on("error", () => undefined);
      connection.on("notification", ({ payload }) => receive(payload));
      try {
        await connection.connect();
        await connection.query(`listen ${channel}`);
        // Ended here and not by close: a connection that is being made cannot be.
        if (closed) return await connection.end();
        client = connection;
        pauseMs = 50;
        for (const listener of listeners) listener.onGap();
        await ended;
        client = undefined;
      } catch (error) {
        if (!closed) onProblem(`Changes of other processes cannot be heard: ${messageOf(error)}`, error);
        await connection.end().catch(() => undefined);
      }
      if (!closed) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };

  const tell = (runId: string, lastSeq: number) => {
    if (closed) return;
    // A change of the log outranks one of the answer: whoever reads the log learns of both.
    waiting.set(runId, Math.max(waiting.get(runId) ?? ofAnswer, lastSeq));
    timer ??= setTimeout(() => {
      timer = undefined;
      // A hint that is lost is made up for by the readers' safety poll.
      sending = sending.then(send).catch(() => undefined);
    }, coalesceMs);
  };

  return {
    changed: ({ runId, lastSeq }) => tell(runId, lastSeq),
    answered: (runId) => tell(runId, ofAnswer),
    listen(listener) {
      listeners.add(listener);
      listening ??= keepListening();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await sending;
      if (waiting.size > 0) await send().catch(() => undefined);
      await client?.end().catch(() => undefined);
      await listening;
    },
  };
}

/** Anyone may notify: what is not ours is no change. */
function parseChanges(payload: string | undefined, sender: string): [string, number][] {
  try {
    const [from, changes] = JSON.parse(payload ?? "") as [unknown, unknown];
    if (from === sender || !Array.isArray(changes)) return [];
    return changes.filter((change): change is [string, number] => Array.isArray(change) && typeof change[0] === "string" && typeof change[1] === "number");
  } catch {
    return [];
  }
}
