import { sql, type Kysely } from "kysely";

/**
 * Extends the audit log to everything that matters, not only to runs. Allows an effect with an
 * unknown outcome to be settled.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table audit rename column kind to what`,
  `alter table audit rename column detail to details`,
  `alter table audit
     alter column run_id drop not null,
     alter column tool drop not null,
     alter column action_id drop not null,
     alter column effect_id drop not null,
     alter column digest drop not null,
     add column approval_id uuid,
     add column by text check (by in ('owner', 'bron', 'system'))`,
  // Fills the new columns of existing rows.
  `alter table audit disable trigger audit_append_only`,
  `update audit a set
     by = case when what in ('approval.approved', 'approval.denied') then 'owner' when what = 'approval.expired' then 'system' else 'bron' end,
     approval_id = case when what like 'approval.%' then (select min(p.id::text)::uuid from approvals p where p.effect_id = a.effect_id having count(*) = 1) end,
     details = case when details ? 'error' then details || jsonb_build_object('error', details -> 'error' -> 'code') else details end - 'by'`,
  `alter table audit enable trigger audit_append_only`,
  `alter table audit alter column by set not null`,
  `create index audit_by_owner on audit (owner_id, id)`,
  `alter table effects
     add column settled_as text check (settled_as in ('happened', 'did_not_happen')),
     add column settled_at timestamptz,
     add column settled_note text`,
  `create index effects_in_doubt on effects (owner_id, updated_at) where state = 'unknown' and settled_at is null`,
  // As before, with the new columns of the audit log.
  `create or replace function close_approval(owner text, approval uuid, seen_digest text, verdict text, decided_by text, why text, token text)
   returns table (outcome text, view jsonb, wake int, held boolean) language plpgsql as $$
   declare
     a approvals%rowtype;
     r runs%rowtype;
   begin
     select * into a from approvals where id = approval and owner_id = owner;
     outcome := 'not_found';
     if not found then return next; return; end if;
     select * into r from runs where id = a.run_id and owner_id = owner for update;
     if not found then return next; return; end if;
     select * into a from approvals where id = approval;
     view := to_jsonb(a);
     outcome := 'closed';
     if a.state <> 'pending' then return next; return; end if;
     outcome := case when verdict = 'expired' then 'not_due' else 'due' end;
     if (a.expires_at <= clock_timestamp()) <> (verdict = 'expired') then return next; return; end if;
     outcome := 'mismatch';
     if a.digest <> seen_digest then return next; return; end if;
     outcome := 'over';
     -- Nothing more can be decided in a run that is over; that it expired is still true.
     if r.status in ('completed', 'failed', 'canceled') and verdict <> 'expired' then return next; return; end if;
     update approvals set state = verdict, decision_reason = why, token_hash = token, decided_at = clock_timestamp() where id = approval returning * into a;
     view := to_jsonb(a) || jsonb_build_object('prepared', (select prepared from effects where id = a.effect_id));
     outcome := 'done';
     update runs set last_seq = last_seq + 1, runnable = true, wakes = wakes + 1, swept_at = clock_timestamp()
       where id = r.id and status not in ('completed', 'failed', 'canceled') returning * into r;
     if found then
       wake := r.wakes;
       held := r.lease_owner is not null and r.lease_until >= clock_timestamp();
       insert into run_log (run_id, seq, owner_id, events, created_at)
       values (r.id, r.last_seq, owner, json_build_array(json_build_object('type', 'approval', 'payload', jsonb_strip_nulls(jsonb_build_object(
         'approvalId', a.id, 'actionId', a.action_id, 'effectId', a.effect_id, 'tool', a.tool, 'digest', a.digest, 'state', verdict, 'by', decided_by, 'reason', why)))), clock_timestamp());
     end if;
     insert into audit (owner_id, what, by, run_id, action_id, effect_id, approval_id, tool, digest, details)
     values (owner, 'approval.' || verdict, case when decided_by is null then 'system' else 'owner' end, a.run_id, a.action_id, a.effect_id, a.id, a.tool, a.digest, jsonb_strip_nulls(jsonb_build_object('reason', why)));
     return next;
   end $$`,
];
