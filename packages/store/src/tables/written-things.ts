import type { WrittenThingsPort } from "@bron/core";
import type { Writer } from "@bron/protocol";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

export function postgresWritten(pool: pg.Pool): WrittenThingsPort {
  return wrapDatabaseErrors<WrittenThingsPort>({
    async writersOf(ownerId, { kind, id }) {
      const { rows } = await pool.query<Writer>({
        name: "bron-writers-1",
        text: `select run_id as "runId", trusted from written_things
          where owner_id = $1 and kind = $2 and thing_id = $3 order by run_id`,
        values: [ownerId, kind, id],
      });
      return rows;
    },
  });
}
