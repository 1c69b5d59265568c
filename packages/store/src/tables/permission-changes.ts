import {
  BronError,
  requireContact,
  requireGrantTarget,
  requireHostPattern,
  type Permissions,
} from "@bron/core";
import type { AllowedView, AuditKind, GrantView, RuleView } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { ensureBron } from "./ensure-bron.ts";
import type { OpenDatabase } from "../database/database.ts";
import { allowedColumns, effectColumns, grantColumns, ruleColumns } from "./permission-columns.ts";

type Deps = Pick<OpenDatabase, "db" | "pool">;

/** Runs the change and its audit entry as one statement. */
type Change = <Row extends object>(
  what: AuditKind,
  statement: string,
  values: readonly unknown[],
) => Promise<Row | undefined>;

function createChange(pool: pg.Pool): Change {
  return async <Row extends object>(
    what: AuditKind,
    statement: string,
    values: readonly unknown[],
  ) => {
    const { rows } = await pool.query<{ row: Row }>(
      `with changed as (${statement}),
        noted as (insert into audit (owner_id, what, by, tool, details)
        select $1, '${what}', 'owner', to_jsonb(changed) ->> 'tool', to_jsonb(changed) from changed) select to_jsonb(changed) as row from changed`,
      [...values],
    );
    return rows[0]?.row;
  };
}

export function levelChanges({ db, pool }: Deps): Pick<Permissions, "setTrustLevel" | "setEffect"> {
  const change = createChange(pool);
  return {
    async setTrustLevel(ownerId, bronId, level) {
      const id = await ensureBron(db, ownerId, bronId ?? undefined);
      await change(
        "trust.changed",
        `update brons set trust_level = $3 where owner_id = $1 and id = $2 returning id as "bronId", trust_level as "trustLevel"`,
        [ownerId, id, level],
      );
    },

    async setEffect(ownerId, { kind, undoSeconds, approvalsPerMinute }) {
      await ensureBron(db, ownerId);
      await change(
        "effect_setting.changed",
        `insert into effect_settings (owner_id, kind, undo_seconds, approvals_per_minute) values ($1, $2, $3, $4)
         on conflict (owner_id, kind) do update set undo_seconds = excluded.undo_seconds,
           approvals_per_minute = excluded.approvals_per_minute returning ${effectColumns}`,
        [ownerId, kind, undoSeconds, approvalsPerMinute],
      );
    },
  };
}

export function ruleChanges({ db, pool }: Deps): Pick<Permissions, "putRule" | "removeRule"> {
  const change = createChange(pool);
  return {
    async putRule(ownerId, { bronId, tool, verdict, host = null, server = null }) {
      const pattern = host === null ? null : requireHostPattern(host);
      await ensureBron(db, ownerId);
      return needed(
        await change<RuleView>(
          "rule.changed",
          `insert into rules (id, owner_id, bron_id, tool, verdict, host, server)
            select $2, $1, $3::uuid, $4, $5, $6, $7 where $3::uuid is null or exists (select from brons where id = $3 and owner_id = $1)
           on conflict (owner_id, coalesce(bron_id, '00000000-0000-0000-0000-000000000000'), tool,
             coalesce(host, ''), coalesce(server, '')) do update set verdict = excluded.verdict returning ${ruleColumns}`,
          [ownerId, randomUUID(), bronId, tool, verdict, pattern, server],
        ),
        "Bron",
      );
    },
    removeRule: async (ownerId, id) =>
      void needed(
        await change(
          "rule.removed",
          `delete from rules where owner_id = $1 and id = $2 returning ${ruleColumns}`,
          [ownerId, id],
        ),
        "rule",
      ),
  };
}

export function contactChanges({ db, pool }: Deps): Pick<Permissions, "allow" | "disallow"> {
  const change = createChange(pool);
  return {
    async allow(ownerId, text) {
      const contact = requireContact(text);
      await ensureBron(db, ownerId);
      const values = [ownerId, randomUUID(), contact.kind, contact.value, contact.name];
      return needed(
        await change<AllowedView>(
          "allowed.added",
          `insert into allowed (id, owner_id, kind, value, name) values ($2, $1, $3, $4, $5)
           on conflict (owner_id, value) do update set kind = excluded.kind, name = coalesce(excluded.name, allowed.name) returning ${allowedColumns}`,
          values,
        ),
        "entry",
      );
    },
    disallow: async (ownerId, id) =>
      void needed(
        await change(
          "allowed.removed",
          `delete from allowed where owner_id = $1 and id = $2 returning ${allowedColumns}`,
          [ownerId, id],
        ),
        "entry",
      ),
  };
}

export function grantChanges({
  db,
  pool,
}: Deps): Pick<Permissions, "grant" | "revoke" | "countUses"> {
  const change = createChange(pool);
  return {
    async grant(ownerId, { bronId, tool, days, includesPrivate = false, ...named }) {
      const { recipient, host, server } = requireGrantTarget({ tool, ...named });
      await ensureBron(db, ownerId);
      const values = [
        ownerId,
        randomUUID(),
        bronId,
        tool,
        recipient,
        days,
        host,
        server,
        includesPrivate,
      ];
      return needed(
        await change<GrantView>(
          "grant.given",
          `insert into grants (id, owner_id, bron_id, tool, recipient, expires_at, host, server, includes_private)
            select $2, $1, $3::uuid, $4, $5, clock_timestamp() + $6::float8 * interval '1 day', $7, $8, $9::boolean
           where $3::uuid is null or exists (select from brons where id = $3 and owner_id = $1) returning ${grantColumns}`,
          values,
        ),
        "Bron",
      );
    },
    revoke: async (ownerId, id) =>
      void needed(
        await change(
          "grant.revoked",
          `update grants set revoked_at = clock_timestamp() where owner_id = $1 and id = $2 and revoked_at is null returning ${grantColumns}`,
          [ownerId, id],
        ),
        "grant",
      ),
    countUses: async (ownerId, grantIds) =>
      void (await pool.query(
        `update grants set uses = uses + 1 where owner_id = $1 and id = any($2::uuid[])`,
        [ownerId, grantIds],
      )),
  };
}

function needed<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new BronError("not_found", `No such ${what}.`);
  return row;
}
