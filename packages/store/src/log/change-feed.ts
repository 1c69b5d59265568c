import { messageOf, type ChangeFeed, type ChangeListener } from "@bron/core";
import { randomBytes } from "node:crypto";
import pg from "pg";

export interface OpenChangeFeed extends ChangeFeed {
  close(): Promise<void>;
}

export interface ChangeFeedOptions {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly onProblem: (message: string, error?: unknown) => void;
}

const channel = "bron_changes";
/**
 * Notifications are sent outside the writers' transactions, because NOTIFY in a transaction takes a
 * global lock at commit.
 */
const coalesceMs = 10;
/** A payload is limited to 8,000 bytes. One change takes about 50. */
const changesPerNotify = 120;
const maxPauseMs = 2_000;
/** Sent instead of a seq for a change of the partial text. */
const partialTextMark = -1;
/**
 * How often a listener checks whether other processes listen. The query also detects a dead
 * connection.
 */
const checkMs = 5_000;
const listenerName = "bron-listen";

/**
 * Exchanges hints between the processes of one database with NOTIFY and LISTEN. Hints may get lost.
 */
export function openChangeFeed({ url, pool, onProblem }: ChangeFeedOptions): OpenChangeFeed {
  const sender = randomBytes(6).toString("hex");
  const waiting = new Map<string, number>();
  const listeners = new Set<ChangeListener>();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let closed = false;
  let listening: Promise<void> | undefined;
  let client: pg.Client | undefined;
  /**
   * True if no other process listens. Then nothing is sent, because a NOTIFY costs as much as a
   * commit. False if unknown.
   */
  let isAlone = false;
  let received = 0;

  const send = async () => {
    const changes = [...waiting];
    waiting.clear();
    if (isAlone) return;
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
      received++;
      isAlone = false;
    }
    for (const [runId, lastSeq] of changes) {
      for (const listener of listeners) {
        if (lastSeq === partialTextMark) listener.onPartialText(runId);
        else listener.onChange({ runId, lastSeq });
      }
    }
  };

  /** Runs until the connection ends or stops responding. */
  const checkForOthers = async (connection: pg.Client, ended: Promise<void>) => {
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    while (!hasEnded) {
      const before = received;
      const { rows } = await connection.query<{ others: boolean }>(othersStatement, [listenerName]);
      // A process that joined during the query has announced itself.
      isAlone = rows[0]?.others === false && received === before;
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, checkMs)))]);
      clearTimeout(timer);
    }
  };

  /**
   * Keeps one connection for all listeners. After a reconnect, all listeners learn about the
   * gap.
   */
  const keepListening = async () => {
    for (let pauseMs = 50; !closed; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const connection = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5_000,
        query_timeout: checkMs,
        keepAlive: true,
        application_name: listenerName,
      });
      const ended = new Promise<void>((resolve) => connection.once("end", () => resolve()));
      connection.on("error", () => undefined);
      connection.on("notification", ({ payload }) => receive(payload));
      try {
        await connection.connect();
        await connection.query(`listen ${channel}`);
        // Announces this process to processes that believe that they are alone.
        await connection.query("select pg_notify($1, $2)", [channel, JSON.stringify([sender, []])]);
        // Ended here and not in close, because a connection that is being opened cannot be ended.
        if (closed) return await connection.end();
        client = connection;
        pauseMs = 50;
        for (const listener of listeners) listener.onGap();
        await checkForOthers(connection, ended);
        client = undefined;
      } catch (error) {
        if (!closed)
          onProblem(`Can't receive changes from other processes: ${messageOf(error)}`, error);
        // Not awaited, because a dead connection may never end.
        void connection.end().catch(() => undefined);
      }
      isAlone = false;
      if (!closed) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };

  const notify = (runId: string, lastSeq: number) => {
    if (closed) return;
    // A change of the log takes precedence over one of the partial text, because a reader of the
    // log learns about both.
    waiting.set(runId, Math.max(waiting.get(runId) ?? partialTextMark, lastSeq));
    timer ??= setTimeout(() => {
      timer = undefined;
      // The safety poll of the readers makes up for a lost hint.
      sending = sending.then(send).catch(() => undefined);
    }, coalesceMs);
  };

  return {
    changed: ({ runId, lastSeq }) => notify(runId, lastSeq),
    partialTextChanged: (runId) => notify(runId, partialTextMark),
    subscribe(listener) {
      listeners.add(listener);
      listening ??= keepListening();
      return () => listeners.delete(listener);
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

/** Any client may send a notification, so unknown messages are ignored. */
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
