import {
  allEffectSettings,
  BronError,
  defaultEffectSetting,
  type Permissions,
  type PolicyRules,
} from "@bron/core";
import {
  isUuid,
  type AllowedView,
  type EffectSetting,
  type GrantView,
  type RuleView,
  type TrustLevel,
} from "@bron/protocol";
import { ensureBron } from "./ensure-bron.ts";
import type { OpenDatabase } from "../database/database.ts";
import { allowedColumns, effectColumns, grantColumns, ruleColumns } from "./permission-columns.ts";

type Deps = Pick<OpenDatabase, "db" | "pool">;

interface RulesRow {
  readonly trustLevel: TrustLevel;
  readonly rules: PolicyRules["rules"];
  readonly allowed: { kind: "person" | "domain"; value: string; name: string | null }[];
  readonly grants: PolicyRules["grants"];
}

/** Reads what the owner allows, for the owner. */
export function permissionLists({
  db,
  pool,
}: Deps): Pick<Permissions, "trustLevel" | "listRules" | "listAllowed" | "listGrants" | "view"> {
  const trustLevel: Permissions["trustLevel"] = async (ownerId, bronId) => {
    const id = await ensureBron(db, ownerId, bronId ?? undefined);
    return needed(
      (
        await pool.query<{ level: TrustLevel }>(
          `select trust_level as level from brons where id = $2 and owner_id = $1`,
          [ownerId, id],
        )
      ).rows[0],
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
  return {
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
  };
}

/** Reads what the owner allows, for the policy. */
export function permissionRules({
  pool,
}: Deps): Pick<Permissions, "rules" | "undoSecondsOf" | "effectSettingOf"> {
  return {
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
      const { trustLevel, rules, allowed, grants } = needed(rows[0]);
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
  };
}

function needed<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new BronError("not_found", "No such Bron.");
  return row;
}
