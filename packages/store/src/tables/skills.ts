import type { SkillRow, Skills, UsableSkill } from "@bron/core";
import type { SkillContent, SkillSource, SkillText, SkillVersion } from "@bron/protocol";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import { inTransaction, type OpenDatabase } from "../database/database.ts";
import { writeAudit } from "./audit.ts";

interface Row {
  name: string;
  accepted_digest: string | null;
  accepted_source: SkillSource | null;
  accepted_place: string | null;
  accepted_at: Date | null;
  proposed_digest: string | null;
  proposed_source: SkillSource | null;
  proposed_place: string | null;
}

const columns =
  "name, accepted_digest, accepted_source, accepted_place, accepted_at, proposed_digest, proposed_source, proposed_place";

export function postgresSkills({ pool }: Pick<OpenDatabase, "pool">): Skills {
  return wrapDatabaseErrors<Skills>({
    async list(ownerId) {
      const { rows } = await pool.query<Row>({
        name: "bron-skills-1",
        text: `select ${columns} from skills where owner_id = $1 order by name collate "C"`,
        values: [ownerId],
      });
      return rows.map(toSkillRow);
    },
    async versions(ownerId, digests) {
      const { rows } = await pool.query<{ version: SkillVersion }>({
        name: "bron-skill-versions-1",
        text: "select version from skill_versions where owner_id = $1 and digest = any($2)",
        values: [ownerId, digests],
      });
      return rows.map(({ version }) => version);
    },
    async content(ownerId, digest): Promise<SkillContent | undefined> {
      const { rows } = await pool.query<{ version: SkillVersion; texts: string }>({
        name: "bron-skill-content-1",
        text: "select version, texts from skill_versions where owner_id = $1 and digest = $2",
        values: [ownerId, digest],
      });
      const [row] = rows;
      return row && { version: row.version, texts: JSON.parse(row.texts) as SkillText[] };
    },
    async save(ownerId, { version, texts }) {
      await pool.query(
        `with owner as (insert into owners (id) values ($1) on conflict do nothing)
         insert into skill_versions (owner_id, digest, version, texts) values ($1, $2, $3, $4)
         on conflict (owner_id, digest) do nothing`,
        [ownerId, version.digest, JSON.stringify(version), JSON.stringify(texts)],
      );
    },
    change: (ownerId, name, decide) => changeSkill(pool, { ownerId, name }, decide),
    async usable(ownerId, bronId) {
      const { rows } = await pool.query<UsableSkill>({
        name: "bron-skills-usable-1",
        text: `select s.name, s.accepted_digest as digest, v.version->>'description' as description,
            v.version->'allowedTools' as "allowedTools", s.accepted_source = 'shipped' as "isShipped"
          from skills s join skill_versions v on v.owner_id = s.owner_id and v.digest = s.accepted_digest
          join brons b on b.owner_id = s.owner_id and b.id = $2
          where s.owner_id = $1 and (b.skills is null or s.name = any(b.skills))
          order by s.name collate "C"`,
        values: [ownerId, bronId],
      });
      return rows;
    },
  });
}

async function changeSkill(
  pool: pg.Pool,
  { ownerId, name }: { readonly ownerId: string; readonly name: string },
  decide: Parameters<Skills["change"]>[2],
): Promise<void> {
  await inTransaction(pool, async ({ db, client }) => {
    // A row that does not exist cannot be locked, so the owner's row is.
    await client.query("select 1 from owners where id = $1 for no key update", [ownerId]);
    const { rows } = await client.query<Row>(
      `select ${columns} from skills where owner_id = $1 and name = $2 for update`,
      [ownerId, name],
    );
    const change = decide(rows[0] && toSkillRow(rows[0]));
    if (!change) return;
    if (change.after) {
      const { accepted, proposed } = change.after;
      await client.query(
        `insert into skills as s (owner_id, ${columns})
         values ($1, $2, $3, $4, $5, case when $3::text is not null then clock_timestamp() end, $6, $7, $8)
         on conflict (owner_id, name) do update set
           accepted_at = case when excluded.accepted_digest = s.accepted_digest then s.accepted_at else excluded.accepted_at end,
           accepted_digest = excluded.accepted_digest, accepted_source = excluded.accepted_source, accepted_place = excluded.accepted_place,
           proposed_digest = excluded.proposed_digest, proposed_source = excluded.proposed_source, proposed_place = excluded.proposed_place`,
        [
          ownerId,
          name,
          ...[accepted, proposed].flatMap((version) => [
            version?.digest ?? null,
            version?.source ?? null,
            version?.place ?? null,
          ]),
        ],
      );
    } else
      await client.query("delete from skills where owner_id = $1 and name = $2", [ownerId, name]);
    await writeAudit(db, ownerId, [change.audit]);
  });
}

function toSkillRow(row: Row): SkillRow {
  return {
    name: row.name,
    accepted: versionOf(row.accepted_digest, row.accepted_source, row.accepted_place),
    acceptedAt: row.accepted_at?.toISOString() ?? null,
    proposed: versionOf(row.proposed_digest, row.proposed_source, row.proposed_place),
  };
}

function versionOf(digest: string | null, source: SkillSource | null, place: string | null) {
  return digest === null || source === null ? null : { digest, source, place };
}
