import {
  allEffectSettings,
  BronError,
  defaultEffectSetting,
  requireContact,
  requireGrantTarget,
  requireHostPattern,
  type Permissions,
  type PolicyRules,
} from "@bron/core";
import {
  isUuid,
  type AllowedView,
  type AuditKind,
  type EffectSetting,
  type GrantView,
  type RuleView,
  type TrustLevel,
} from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { ensureBron } from "./brons.ts";
import type { OpenDatabase } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

interface RulesRow {
  readonly trustLevel: TrustLevel;
  readonly rules: PolicyRules["rules"];
  readonly allowed: { kind: "person" | "domain"; value: string; name: string | null }[];
  readonly grants: PolicyRules["grants"];
}

const ruleColumns = `id, bron_id as "bronId", tool, host, server, verdict, to_json(created_at) #>> '{}' as "createdAt"`;
const allowedColumns = `id, kind, value, name, to_json(created_at) #>> '{}' as "createdAt"`;
const effectColumns = `kind, undo_seconds as "undoSeconds", approvals_per_minute as "approvalsPerMinute"`;
const grantColumns = `id, bron_id as "bronId", tool, recipient, host, server,
  includes_private as "includesPrivate", to_json(expires_at) #>> '{}' as "expiresAt",
  to_json(revoked_at) #>> '{}' as "revokedAt", uses, to_json(created_at) #>> '{}' as "createdAt"`;

/**
 * The owner's rules for effects. Every change is recorded in the audit log in the same transaction.
 */
export function postgresPermissions({ db, pool }: Pick<OpenDatabase, "db" | "pool">): Permissions {
  /** Runs the change and its audit entry as one statement. */
  const change = async <Row extends object>(
    what: AuditKind,
    statement: string,
    values: readonly unknown[],
  ): Promise<Row | undefined> => {
    const { rows } = await pool.query<{ row: Row }>(
      `with changed as (${statement}),
        noted as (insert into audit (owner_id, what, by, tool, details)
        select $1, '${what}', 'owner', to_jsonb(changed) ->> 'tool', to_jsonb(changed) from changed) select to_jsonb(changed) as row from changed`,
      [...values],
    );
    return rows[0]?.row;
  };
  const needed = <Row>(row: Row | undefined, what: string): Row => {
    if (row === undefined) throw new BronError("not_found", `No such ${what}.`);
    return row;
  };
  const trustLevel: Permissions["trustLevel"] = async (ownerId, bronId) => {
    const id = await ensureBron(db, ownerId, bronId ?? undefined);
    return needed(
      (
        await pool.query<{ level: TrustLevel }>(
          `select trust_level as level from brons where id = $2 and owner_id = $1`,
          [ownerId, id],
        )
      ).rows[0],
      "Bron",
    ).level;
  };
  const listRules: Permissions["listRules"] = async (ownerId) =>
    (
      await pool.query<RuleView>(
        `select ${ruleColumns} from rules where owner_id = $1 order by created_at`,
        [ownerId],
      )
    ).rows;
  const listAllowed: Permissions["listAllowed"] = async (ownerId) =>
    (
      await pool.query<AllowedView>(
        `select ${allowedColumns} from allowed where owner_id = $1 order by created_at`,
        [ownerId],
      )
    ).rows;
  const listGrants: Permissions["listGrants"] = async (ownerId) =>
    (
      await pool.query<GrantView>(
        `select ${grantColumns} from grants where owner_id = $1 order by created_at desc`,
        [ownerId],
      )
    ).rows;
  const listEffects = async (ownerId: string) =>
    allEffectSettings(
      (
        await pool.query<EffectSetting>(
          `select ${effectColumns} from effect_settings where owner_id = $1`,
          [ownerId],
        )
      ).rows,
    );
  return wrapDatabaseErrors<Permissions>({
    trustLevel,
    listRules,
    listAllowed,
    listGrants,
    async view(ownerId) {
      const [level, rules, allowed, grants, effects] = await Promise.all([
        trustLevel(ownerId, null),
        listRules(ownerId),
        listAllowed(ownerId),
        listGrants(ownerId),
        listEffects(ownerId),
      ]);
      return { trustLevel: level, rules, allowed, grants, effects };
    },
    async rules({ ownerId, bronId }) {
      const { rows } = await pool.query<RulesRow>({
        name: "bron-rules-4",
        text: `
          select b.trust_level as "trustLevel",
            coalesce((select json_agg(json_build_object('tool', r.tool, 'host', r.host, 'server', r.server,
              'verdict', r.verdict, 'ofBron', r.bron_id is not null)) from rules r where r.owner_id = $1
              and (r.bron_id is null or r.bron_id = $2)), '[]') as rules,
            coalesce((select json_agg(json_build_object('kind', a.kind, 'value', a.value, 'name', a.name))
              from allowed a where a.owner_id = $1), '[]') as allowed,
            coalesce((select json_agg(json_build_object('id', g.id, 'tool', g.tool, 'recipient', g.recipient,
              'host', g.host, 'server', g.server, 'includesPrivate', g.includes_private)) from grants g
              where g.owner_id = $1 and (g.bron_id is null or g.bron_id = $2) and g.revoked_at is null and g.expires_at > clock_timestamp()), '[]') as grants
          from brons b where b.id = $2 and b.owner_id = $1`,
        values: [ownerId, bronId],
      });
      const { trustLevel, rules, allowed, grants } = needed(rows[0], "Bron");
      const valuesOf = (kind: AllowedView["kind"]) =>
        new Set(allowed.filter((entry) => entry.kind === kind).map(({ value }) => value));
      return {
        trustLevel,
        rules,
        people: valuesOf("person"),
        contactNames: new Map(
          allowed.flatMap(({ value, name }) => (name === null ? [] : [[value, name] as const])),
        ),
        domains: valuesOf("domain"),
        grants,
      };
    },
    countUses: async (ownerId, grantIds) =>
      void (await pool.query(
        `update grants set uses = uses + 1 where owner_id = $1 and id = any($2::uuid[])`,
        [ownerId, grantIds],
      )),

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
    async undoSecondsOf(ownerId, kind) {
      const { rows } = await pool.query<Pick<EffectSetting, "undoSeconds">>({
        name: "bron-undo-seconds-1",
        text: `select undo_seconds as "undoSeconds" from effect_settings where owner_id = $1 and kind = $2`,
        values: [ownerId, kind],
      });
      return rows[0]?.undoSeconds ?? null;
    },
    async effectSettingOf(ownerId, approvalId) {
      if (!isUuid(approvalId)) return defaultEffectSetting("other");
      const { rows } = await pool.query<EffectSetting>({
        name: "bron-effect-setting-1",
        text: `select coalesce(a.kind, 'other') as kind, s.undo_seconds as "undoSeconds", s.approvals_per_minute as "approvalsPerMinute"
          from approvals a left join effect_settings s on s.owner_id = a.owner_id and s.kind = coalesce(a.kind, 'other')
          where a.owner_id = $1 and a.id = $2`,
        values: [ownerId, approvalId],
      });
      return rows[0] ?? defaultEffectSetting("other");
    },

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
  });
}
