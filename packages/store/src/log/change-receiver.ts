import { messageOf, type ChangeListener } from "@bron/core";
import pg from "pg";
import { channel, parseChangeMessage, partialTextMark } from "./change-message.ts";

interface ChangeReceiverDeps {
  readonly url: string;
  /** The name of this process in its messages. */
  readonly sender: string;
  readonly onProblem: (message: string, error?: unknown) => void;
  /** No new connection is opened after it. */
  readonly closing: AbortSignal;
}

export interface ChangeReceiver {
  /** The first subscription opens the connection. */
  subscribe(listener: ChangeListener): () => void;
  /** True if no other process listens. False if unknown. */
  isAlone(): boolean;
  /** Ends the connection. Abort `closing` first. Does not reject. */
  close(): Promise<void>;
}

const maxPauseMs = 2_000;
/**
 * How often a listener checks whether other processes listen. The query also detects a dead
 * connection.
 */
const checkMs = 5_000;
const listenerName = "bron-listen";

export function createChangeReceiver(deps: ChangeReceiverDeps): ChangeReceiver {
  const { url, sender, onProblem, closing } = deps;
  const listeners = new Set<ChangeListener>();
  let listening: Promise<void> | undefined;
  let client: pg.Client | undefined;
  let isAlone = false;
  let received = 0;

  const receive = (payload: string | undefined) => {
    const { isOwn, changes } = parseChangeMessage(payload, sender);
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
    for (let pauseMs = 50; !closing.aborted; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const connection = newConnection(url);
      const ended = new Promise<void>((resolve) => connection.once("end", () => resolve()));
      connection.on("notification", ({ payload }) => receive(payload));
      try {
        await connection.connect();
        await connection.query(`listen ${channel}`);
        // Announces this process to processes that believe that they are alone.
        await connection.query("select pg_notify($1, $2)", [channel, JSON.stringify([sender, []])]);
        // Ended here and not in close, because a connection that is being opened cannot be ended.
        if (closing.aborted) return await connection.end();
        client = connection;
        pauseMs = 50;
        for (const listener of listeners) listener.onGap();
        await checkForOthers(connection, ended);
        client = undefined;
      } catch (error) {
        if (!closing.aborted)
          onProblem(`Can't receive changes from other processes: ${messageOf(error)}`, error);
        // Not awaited, because a dead connection may never end.
        void connection.end().catch(() => undefined);
      }
      isAlone = false;
      if (!closing.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      listening ??= keepListening();
      return () => listeners.delete(listener);
    },
    isAlone: () => isAlone,
    async close() {
      await client?.end().catch(() => undefined);
      await listening;
    },
  };
}

function newConnection(url: string): pg.Client {
  const connection = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: checkMs,
    keepAlive: true,
    application_name: listenerName,
  });
  connection.on("error", () => undefined);
  return connection;
}

const othersStatement =
  "select exists (select 1 from pg_stat_activity where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()) as others";
