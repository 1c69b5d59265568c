import type { AskTask, AskUses, OpenAsks, Readings } from "@bron/core";
import type { JsonValue } from "@bron/protocol";
import type pg from "pg";
import { inTransaction, type Transaction } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

/** Whether the action that holds an ask has ended without its effect, which gives the ask back. */
const isGivenBack = `exists (
  select from actions a
  where a.run_id = u.run_id and a.id = u.action_id and a.state in ('failed', 'rejected', 'canceled')
)`;

/** Stands for the owner, who holds an ask that they crossed out. No action has this id. */
const owner = "00000000-0000-0000-0000-000000000000";

export function postgresAskUses(pool: pg.Pool): AskUses {
  return wrapDatabaseErrors<AskUses>({
    async open(task, readings) {
      const open = await read(pool, task);
      const missing = [...readings].filter(([texts]) => !open.readings.has(texts));
      if (missing.length === 0) return open;
      await keep(pool, task, new Map(missing));
      // Another run of the task may have been first.
      return await read(pool, task);
    },
    async use({ ownerId, rootRunId }, { keys, runId, actionId }) {
      return await inTransaction(pool, async ({ client }) => {
        const { rowCount } = await client.query({
          name: "bron-use-asks-1",
          text: `insert into ask_uses as u (owner_id, root_run_id, key, run_id, action_id)
            select $1, $2, key, $4, $5 from unnest($3::text[]) as key order by key
            on conflict (root_run_id, key) do update set run_id = excluded.run_id, action_id = excluded.action_id
            where u.action_id = excluded.action_id or ${isGivenBack}`,
          values: [ownerId, rootRunId, keys, runId, actionId],
        });
        if (rowCount === keys.length) return true;
        throw new NotAll();
      }).catch((error: unknown) => {
        if (error instanceof NotAll) return false;
        throw error;
      });
    },
  });
}

/** Rolls back what was taken, because another action holds a part of it. */
class NotAll extends Error {}

async function read(pool: pg.Pool, { ownerId, rootRunId }: AskTask): Promise<OpenAsks> {
  const { rows } = await pool.query<{
    readings: Record<string, JsonValue> | null;
    held: Record<string, string> | null;
  }>({
    name: "bron-open-asks-1",
    text: `select
      (select jsonb_object_agg(texts, output) from readings where root_run_id = $1 and owner_id = $2) as readings,
      (select jsonb_object_agg(key, action_id) from ask_uses u where root_run_id = $1 and owner_id = $2 and not ${isGivenBack}) as held`,
    values: [rootRunId, ownerId],
  });
  const { readings = null, held = null } = rows[0] ?? {};
  const holders = Object.entries(held ?? {});
  return {
    readings: new Map(
      Object.entries(readings ?? {}).map(([texts, output]) => [Number(texts), output]),
    ),
    held: new Map(holders.filter(([, actionId]) => actionId !== owner)),
    crossedOut: new Set(holders.flatMap(([key, actionId]) => (actionId === owner ? [key] : []))),
  };
}

async function keep(
  pool: pg.Pool,
  { ownerId, rootRunId }: AskTask,
  readings: Readings,
): Promise<void> {
  await pool.query({
    name: "bron-keep-readings-1",
    text: `insert into readings (owner_id, root_run_id, texts, output)
      select $1, $2, texts, output::jsonb from unnest($3::int[], $4::text[]) as given (texts, output)
      on conflict do nothing`,
    values: [
      ownerId,
      rootRunId,
      [...readings.keys()],
      [...readings.values()].map((output) => JSON.stringify(output)),
    ],
  });
}

/** Gives an ask to the owner. `used`: an effect holds it. */
export async function takeAsk(
  { client }: Pick<Transaction, "client">,
  { ownerId, rootRunId }: AskTask,
  key: string,
): Promise<"taken" | "already" | "used"> {
  const { rowCount } = await client.query({
    name: "bron-cross-out-1",
    text: `insert into ask_uses as u (owner_id, root_run_id, key, run_id, action_id) values ($1, $2, $3, $2, '${owner}')
      on conflict (root_run_id, key) do update set run_id = excluded.run_id, action_id = excluded.action_id
      where ${isGivenBack}`,
    values: [ownerId, rootRunId, key],
  });
  if (rowCount === 1) return "taken";
  const { rowCount: own } = await client.query({
    text: `select from ask_uses where root_run_id = $1 and key = $2 and action_id = '${owner}'`,
    values: [rootRunId, key],
  });
  return own === 1 ? "already" : "used";
}
