import type { RunStatus, RunView } from "@bron/protocol";
import { openDatabase } from "@bron/store";
import type { Bron } from "bron";
import { ownerId } from "../owner.ts";

export interface Overview {
  readonly counts: Readonly<Partial<Record<RunStatus, number>>>;
  readonly newest: readonly RunView[];
}

/** What the status page shows of the database, on one connection of its own. Its methods throw when the database does not answer. */
export interface OverviewSource {
  ping(): Promise<void>;
  read(): Promise<Overview>;
  close(): Promise<void>;
}

const shownRuns = 20;

export async function openOverview(bron: Bron): Promise<OverviewSource> {
  const { db, pool, close } = await openDatabase({ url: bron.databaseUrl, poolSize: 1, applicationName: "bron-status" });
  return {
    async ping() {
      await pool.query("select 1");
    },
    async read() {
      const rows = await db
        .selectFrom("runs")
        .select((eb) => ["status", eb.fn.countAll<number>().as("runs")])
        .where("owner_id", "=", ownerId)
        .groupBy("status")
        .execute();
      return { counts: Object.fromEntries(rows.map(({ status, runs }) => [status, Number(runs)])), newest: await bron.runs.list(ownerId, { limit: shownRuns }) };
    },
    close,
  };
}
