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
  partialTextChanged(runId: string): void;
  /** For each change in another process; `onGap` when changes may have been missed. */
  subscribe(listener: ChangeListener): void;
  close(): Promise<void>;
}

export interface ChangeListener {
  onChange(change: Change): void;
  onPartialText(runId: string): void;
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
/** How often a listener looks whether others are there, and with it whether its own connection still lives. */
const lookMs = 5_000;
const listenerName = "bron-listen";

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
  /** Nobody else listens, so that there is nobody to tell: a NOTIFY costs as much as a commit. Not sure is no. */
  let alone = false;
  let heard = 0;

  const send = async () => {
    const changes = [...waiting];
    waiting.clear();
    if (alone) return;
    for (let start = 0; start < changes.length; start += changesPerNotify) {
      await pool.query({
        name: "bron-notify-1",
        text: "select pg_notify($1, $2)",
        values: [channel, JSON.stringify([sender, changes.slice(start, start + changesPerNotify)])],
      });
    }
  };

  const receive = (payload: string | undefined) => {
    const { isOwn, changes } = parseMessage(payload, sender);
    if (!isOwn) {
      heard++;
      alone = false;
    }
    for (const [runId, lastSeq] of changes) {
      for (const listener of listeners) {
        if (lastSeq === ofAnswer) listener.onPartialText(runId);
        else listener.onChange({ runId, lastSeq });
      }
    }
  };

  /** Until the connection ends, or no longer answers. */
  const lookAround = async (connection: pg.Client, ended: Promise<void>) => {
    let over = false;
    void ended.then(() => (over = true));
    while (!over) {
      const before = heard;
      const { rows } = await connection.query<{ others: boolean }>(othersStatement, [listenerName]);
      // Whoever came while this was asked has said so.
      alone = rows[0]?.others === false && heard === before;
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, lookMs)))]);
      clearTimeout(timer);
    }
  };

  /** One connection for all; when it breaks it is made anew, and everybody looks for what was missed. */
  const keepListening = async () => {
    for (let pauseMs = 50; !closed; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const connection = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5_000,
        query_timeout: lookMs,
        keepAlive: true,
        application_name: listenerName,
      });
      const ended = new Promise<void>((resolve) => connection.once("end", () => resolve()));
      connection.on("error", () => undefined);
      connection.on("notification", ({ payload }) => receive(payload));
      try {
        await connection.connect();
        await connection.query(`listen ${channel}`);
        // Whoever was alone until now learns that it is not.
        await connection.query("select pg_notify($1, $2)", [channel, JSON.stringify([sender, []])]);
        // Ended here and not by close: a connection that is being made cannot be.
        if (closed) return await connection.end();
        client = connection;
        pauseMs = 50;
        for (const listener of listeners) listener.onGap();
        await lookAround(connection, ended);
        client = undefined;
      } catch (error) {
        if (!closed)
          onProblem(`Can't receive changes from other processes: ${messageOf(error)}`, error);
        // Not awaited: a connection that died without a word does not end either.
        void connection.end().catch(() => undefined);
      }
      alone = false;
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
    partialTextChanged: (runId) => tell(runId, ofAnswer),
    subscribe(listener) {
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

const othersStatement =
  "select exists (select 1 from pg_stat_activity where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()) as others";

/** Anyone may notify: what is not ours is no change. */
function parseMessage(
  payload: string | undefined,
  sender: string,
): { isOwn: boolean; changes: [string, number][] } {
  try {
    const [from, changes] = JSON.parse(payload ?? "") as [unknown, unknown];
    if (from === sender || !Array.isArray(changes)) return { isOwn: from === sender, changes: [] };
    return {
      isOwn: false,
      changes: changes.filter(
        (change): change is [string, number] =>
          Array.isArray(change) && typeof change[0] === "string" && typeof change[1] === "number",
      ),
    };
  } catch {
    return { isOwn: false, changes: [] };
  }
}
