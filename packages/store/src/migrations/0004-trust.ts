import { sql, type Kysely } from "kysely";

/**
 * Adds an owner's rules, trusted contacts and grants, the risks of approvals, and whether a message
 * is trusted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table approvals add column risks jsonb not null default '[]'`,
  // Messages from before labels existed may quote anyone, so they are not trusted.
  `alter table bron_messages add column trusted boolean not null default false`,
  `update bron_messages set trusted = true where role = 'user'`,
  `create table rules (
     id uuid primary key,
     owner_id text not null references owners,
     bron_id uuid references brons,
     tool text not null,
     verdict text not null check (verdict in ('allow', 'ask', 'deny')),
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create unique index rules_once on rules (owner_id, coalesce(bron_id, '00000000-0000-0000-0000-000000000000'), tool)`,
  `create table allowed (
     id uuid primary key,
     owner_id text not null references owners,
     kind text not null check (kind in ('person', 'domain')),
     value text not null,
     created_at timestamptz not null default clock_timestamp(),
     unique (owner_id, value)
   )`,
  `create table grants (
     id uuid primary key,
     owner_id text not null references owners,
     bron_id uuid references brons,
     tool text not null,
     recipient text not null,
     expires_at timestamptz not null,
     revoked_at timestamptz,
     uses integer not null default 0,
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create index grants_by_owner on grants (owner_id, expires_at)`,
];
