import type { OpenDatabase } from "@bron/store";
import type pg from "pg";

export interface RecordedStatement {
  /** The name of a prepared statement, which Postgres may plan without looking at its values. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Records the statements that the store sends to Postgres. `take` returns those sent since its last
 * call.
 */
export function recordStatements({ pool, heartbeats }: Pick<OpenDatabase, "pool" | "heartbeats">): {
  take(): RecordedStatement[];
} {
  let recorded: RecordedStatement[] = [];
  const known = new WeakSet<pg.PoolClient>();
  const record = (client: pg.PoolClient | undefined) => {
    if (!client || known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [first, second] = args;
      const statement =
        typeof first === "string"
          ? { text: first, values: Array.isArray(second) ? second : [] }
          : (first as { name?: string; text: string; values?: unknown[] });
      recorded.push({
        name: "name" in statement ? statement.name : undefined,
        text: statement.text,
        values: statement.values ?? (Array.isArray(second) ? second : []),
      });
      return query(...args);
    }) as typeof client.query;
  };
  type Connected = (
    error: Error | undefined,
    client: pg.PoolClient | undefined,
    done: (release?: unknown) => void,
  ) => void;
  for (const source of [pool, heartbeats]) {
    const connect = source.connect.bind(source) as {
      (): Promise<pg.PoolClient>;
      (callback: Connected): void;
    };
    source.connect = ((callback?: Connected) => {
      if (!callback)
        return connect().then((client) => {
          record(client);
          return client;
        });
      return connect((error, client, done) => {
        record(client);
        callback(error, client, done);
      });
    }) as typeof source.connect;
  }
  return {
    take() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
  };
}
