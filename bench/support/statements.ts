import pg from "pg";

export interface StatementCounter {
  /** The statements since the last call, counted by their first words. */
  take(): Record<string, number>;
}

/** Counts what this process sends to Postgres, by any library. */
export function countStatements(): StatementCounter {
  let counts: Record<string, number> = {};
  const original: (...args: unknown[]) => unknown = pg.Client.prototype.query;
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const key = nameOf(args[0]);
    counts[key] = (counts[key] ?? 0) + 1;
    return original.apply(this, args);
  } as typeof pg.Client.prototype.query;
  return {
    take() {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}

function nameOf(query: unknown): string {
  if (typeof query === "string") return shorten(query);
  const { name, text } = query as { name?: string; text?: string };
  return name ?? shorten(text ?? "?");
}

function shorten(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").slice(0, 100);
}
