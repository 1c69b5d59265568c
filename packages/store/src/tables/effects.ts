import {
  cleanText,
  restoredEntry,
  restoreError,
  restoringMs,
  settledEntry,
  settleError,
  undoError,
  type Effects,
} from "@bron/core";
import { sql, type Kysely, type Selectable } from "kysely";
import { toJson } from "../database/database.ts";
import { toEffectView } from "./rows.ts";
import type { Database } from "../database/schema.ts";
import { undoEffect } from "../runs/undo-effect.ts";
import type { WakeWriter } from "../runs/wake.ts";
import { isUuid } from "@bron/protocol";

export function postgresEffects(db: Kysely<Database>, writer: WakeWriter): Effects {
  const find = findEffect(db);
  return {
    async get(ownerId, effectId) {
      const row = await find(ownerId, effectId);
      return row && toEffectView(row);
    },

    async listUnknown(ownerId) {
      const rows = await db
        .selectFrom("effects")
        .selectAll()
        .where("owner_id", "=", ownerId)
        .where("state", "=", "unknown")
        .where("settled_at", "is", null)
        .orderBy("updated_at", "desc")
        .limit(500)
        .execute();
      return rows.map(toEffectView);
    },

    async settle({ ownerId, effectId, as, note }) {
      const words = note === undefined ? undefined : cleanText(note);
      const entry = toJson(settledEntry(as, words));
      if (isUuid(effectId)) {
        const { rows } = await sql<Selectable<Database["effects"]>>`
          with settled as (
            update effects set settled_as = ${as}, settled_at = clock_timestamp(), settled_note = ${words ?? null}
            where id = ${effectId} and owner_id = ${ownerId} and state = 'unknown' and settled_at is null
            returning *
          ), audited as (
            insert into audit (owner_id, what, by, run_id, action_id, effect_id, tool, digest, details)
            select owner_id, entry ->> 'what', entry ->> 'by', run_id, action_id, id, tool, digest,
              entry -> 'details' from settled cross join (select ${entry}::jsonb as entry) as entries
          ), counted as (
            update runs r set not_done = r.not_done - 1, outcome = case when r.not_done = 1
              and r.outcome = 'partly_done' then 'done' else r.outcome end from settled
              where r.id = settled.run_id and r.not_done > 0 and settled.settled_as = 'happened'
          )
          select * from settled`.execute(db);
        if (rows[0]) return toEffectView(rows[0]);
      }
      const found = await find(ownerId, effectId);
      throw settleError(effectId, found && toEffectView(found));
    },

    async undo(ownerId, effectId) {
      const found = await find(ownerId, effectId);
      const undone = found && (await undoEffect(writer, ownerId, toEffectView(found)));
      if (!undone) throw undoError(effectId, found && toEffectView(found));
      return undone;
    },

    async startRestoring({ ownerId, effectId }) {
      if (isUuid(effectId)) {
        const { rows } = await sql<Selectable<Database["effects"]>>`
          update effects set restoring_until = clock_timestamp() + ${restoringMs} * interval '1 millisecond'
          where id = ${effectId} and owner_id = ${ownerId} and state in ('done', 'unknown') and restored_at is null
            and (restoring_until is null or restoring_until <= clock_timestamp())
          returning *`.execute(db);
        if (rows[0]) return toEffectView(rows[0]);
      }
      const found = await find(ownerId, effectId);
      throw restoreError(effectId, found && toEffectView(found));
    },

    async endRestoring({ ownerId, effectId, isRestored }) {
      const { rows } = await sql<Selectable<Database["effects"]>>`
        with restored as (
          update effects set restoring_until = null, restored_at = case when ${isRestored} then clock_timestamp() end
          where id = ${effectId} and owner_id = ${ownerId} and restored_at is null
          returning *
        ), audited as (
          insert into audit (owner_id, what, by, run_id, action_id, effect_id, tool, digest, details)
          select owner_id, ${restoredEntry.what}, ${restoredEntry.by}, run_id, action_id, id, tool, digest, ${toJson(restoredEntry.details)}::jsonb
          from restored where restored_at is not null
        )
        select * from restored`.execute(db);
      const row = rows[0] ?? (await find(ownerId, effectId));
      if (!row) throw restoreError(effectId, undefined);
      return toEffectView(row);
    },
  };
}

function findEffect(db: Kysely<Database>) {
  return async (ownerId: string, effectId: string) =>
    isUuid(effectId)
      ? await db
          .selectFrom("effects")
          .selectAll()
          .where("id", "=", effectId)
          .where("owner_id", "=", ownerId)
          .executeTakeFirst()
      : undefined;
}
