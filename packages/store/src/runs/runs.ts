import { BronError, type Runs } from "@bron/core";
import { isUuid } from "@bron/protocol";
import { addMessage } from "./add-message.ts";
import { announceConnected } from "./announce-connected.ts";
import { cancelAll, cancelTree } from "./cancel-runs.ts";
import { notifyParents } from "./child-status.ts";
import { createRun } from "./create-run.ts";
import { crossOutAsk } from "./cross-out-ask.ts";
import type { OpenDatabase } from "../database/database.ts";
import { listActions, listEffects } from "./list-actions.ts";
import { countRuns, listChanges, listRuns } from "./list-runs.ts";
import { readLog } from "../log/log-rows.ts";
import { moveRun } from "./move-run.ts";
import { runColumns, toRunView, type RunRow } from "../tables/rows.ts";
import type { WakeWriter } from "./wake.ts";

/** It has a name, because planning it takes longer than running it. */
const runStatement = {
  name: "bron-run-1",
  text: `select ${runColumns("r")} from runs r where r.id = $1 and r.owner_id = $2`,
} as const;

export function postgresRuns(
  { pool, db }: Pick<OpenDatabase, "pool" | "db">,
  writer: WakeWriter,
): Runs {
  return {
    create: (run) => createRun(db, writer, run),

    async get(ownerId, runId) {
      if (!isUuid(runId)) return undefined;
      const { rows } = await pool.query<RunRow>({ ...runStatement, values: [runId, ownerId] });
      return rows[0] && toRunView(rows[0]);
    },

    list: (ownerId, options) => listRuns(db, ownerId, options),

    changes: (ownerIds, options) => listChanges(pool, ownerIds, options),

    async events(ownerId, runId, afterSeq, limit = 1_000) {
      return isUuid(runId) ? await readLog(pool, { ownerId, runId, afterSeq, limit }) : [];
    },

    counts: (ownerId) => countRuns(pool, ownerId),

    actions: (ownerId, runId) => listActions({ pool, db }, ownerId, runId),

    effects: (ownerId, runId) => listEffects(db, ownerId, runId),

    announceConnected: (ownerId, provider) => announceConnected(db, writer, { ownerId, provider }),

    notifyParents: (only) => notifyParents({ pool, db }, writer, only),

    async addMessage(ownerId, runId, message) {
      if (!(await this.get(ownerId, runId)))
        throw new BronError("not_found", `Run ${runId} not found.`);
      return await writer.transaction((transaction) =>
        addMessage(transaction, { ownerId, runId, message }),
      );
    },

    async crossOutAsk(ownerId, rootRunId, key) {
      if (!(await this.get(ownerId, rootRunId)))
        throw new BronError("not_found", `Run ${rootRunId} not found.`);
      return await writer.transaction((transaction) =>
        crossOutAsk(transaction, { ownerId, rootRunId }, key),
      );
    },

    async requestCancel(ownerId, runId, reason) {
      const root = await this.get(ownerId, runId);
      if (!root) throw new BronError("not_found", `Run ${runId} not found.`);
      return await writer.transaction(
        async (transaction) => await cancelTree(transaction, runId, { ownerId, reason }),
      );
    },

    async move(ownerId, runId, place) {
      if (!isUuid(runId)) throw new BronError("not_found", `Run ${runId} not found.`);
      await writer.transaction((transaction) => moveRun(transaction, ownerId, runId, place));
      const run = await this.get(ownerId, runId);
      if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
      return run;
    },

    async requestCancelAll(ownerId, reason) {
      return await writer.transaction(
        async (transaction) => await cancelAll(transaction, { ownerId, reason }),
      );
    },
  };
}
