import { sql, type Kysely } from "kysely";

/** Adds the columns and indexes for lists of Brons and for usage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // `card` is the run's last card as one line. Finding it in the log would require reading all of
  // the log.
  `alter table runs add column card jsonb, add column input_tokens bigint not null default 0, add column output_tokens bigint not null default 0`,
  `update runs r set input_tokens = u.input, output_tokens = u.output
   from (select run_id, round(sum((payload ->> 'inputTokens')::numeric)) as input, round(sum((payload ->> 'outputTokens')::numeric)) as output from run_events where type = 'usage' group by run_id) u
   where u.run_id = r.id`,
  `update runs r set card = jsonb_build_object('kind', c.payload ->> 'kind', 'text', left(regexp_replace(coalesce(c.said ->> 'reason', c.said #>> '{highlights,0}', c.said ->> 'preview', c.said ->> 'subject', c.said ->> 'summary', ''), '\\s+', ' ', 'g'), 200))
   from (select distinct on (run_id) run_id, payload, payload -> 'payload' as said from run_events where type = 'ui' order by run_id, seq desc) c
   where c.run_id = r.id`,
  `create index brons_by_owner on brons (owner_id)`,
  // A run ends once, and no append before that changes an indexed column.
  `create index runs_by_bron on runs (owner_id, bron_id, finished_at)`,
  `create index approvals_pending on approvals (owner_id, run_id) where state = 'pending'`,
  `create index approvals_decided on approvals (owner_id, decided_at) where decided_at is not null`,
];
