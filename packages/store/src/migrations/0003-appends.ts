import { sql, type Kysely } from "kysely";

/**
 * Stores one row for each append instead of one for each event, and saves round trips: see
 * docs/decisions/0006.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // `seq` is that of the last event. `events` has the type and payload of each event. The type is
  // json, which is smaller than jsonb and never parsed on the hot path.
  `create table run_log (
     run_id uuid not null,
     seq int not null check (seq > 0),
     owner_id text not null,
     events json not null,
     created_at timestamptz not null,
     primary key (run_id, seq)
   )`,
  `insert into run_log (run_id, seq, owner_id, events, created_at)
   select run_id, seq, owner_id, json_build_array(json_build_object('type', type, 'payload', payload)), created_at from run_events`,
  `drop table run_events`,
  `create view run_events as
   select l.run_id || '-' || (l.seq - json_array_length(l.events) + e.position) as id,
     l.run_id, (l.seq - json_array_length(l.events) + e.position)::int as seq, l.owner_id, e.event ->> 'type' as type, (e.event -> 'payload')::jsonb as payload, l.created_at
   from run_log l, json_array_elements(l.events) with ordinality as e (event, position)`,
  // The log contains the inputs and results.
  `alter table actions drop column input, drop column output`,
  `alter table actions drop constraint actions_pkey`,
  `drop index actions_by_run`,
  `alter table actions add primary key (run_id, id)`,
  `drop function claim_run(uuid, text, int, timestamptz, int, int, int)`,
  // The first row is the claim. If it was granted, the rows of the log follow. Each statement
  // inside sees what is committed by then. The limits hold only if claims are counted one after the
  // other. There is one claim per segment, not one per step.
  `create function claim_run(run uuid, worker text, lease_ms int, take_over_until timestamptz, max_per_owner int, max_in_all int, understood int)
   returns table (outcome text, header jsonb, epoch int, seq int, fruitless int, drawn bigint, cap bigint, at timestamptz, events json) language plpgsql as $$
   declare
     r runs%rowtype;
     of_owner int;
     in_all int;
   begin
     outcome := 'not_runnable';
     select * into r from runs where id = run;
     if not found or not r.runnable or r.status in ('completed', 'failed', 'canceled') then return next; return; end if;
     outcome := 'too_new';
     if r.log_version > understood then return next; return; end if;
     outcome := 'too_early';
     if r.wake_at > clock_timestamp() and r.cancel_requested_at is null then return next; return; end if;
     outcome := 'taken';
     if r.lease_owner is not null and r.lease_owner <> worker and not (r.lease_until < clock_timestamp() and clock_timestamp() < take_over_until) then return next; return; end if;
     outcome := 'limit';
     -- The row first: whoever holds it for long keeps only this run from being claimed, not all of them.
     perform 1 from runs where id = run for update;
     perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.claim_run', 0));
     select count(*) filter (where runs.owner_id = r.owner_id), count(*) into of_owner, in_all
       from runs where lease_owner is not null and lease_until >= clock_timestamp() and id <> run;
     if of_owner >= max_per_owner or in_all >= max_in_all then return next; return; end if;
     outcome := 'taken';
     -- A worker that takes up what it dropped itself, since the database was away, has not failed on it.
     update runs set lease_epoch = lease_epoch + 1, lease_owner = worker, lease_until = clock_timestamp() + lease_ms * interval '1 millisecond', claims = claims + case when lease_owner = worker then 0 else 1 end
       where id = run and runnable and status not in ('completed', 'failed', 'canceled')
         and (lease_owner is null or lease_owner = worker or (lease_until < clock_timestamp() and clock_timestamp() < take_over_until))
       returning * into r;
     if not found then return next; return; end if;
     select cap_microusd into cap from owners where id = r.owner_id;
     outcome := 'claimed';
     header := jsonb_build_object('ownerId', r.owner_id, 'bronId', r.bron_id, 'threadId', r.thread_id, 'attachedContext', r.attached_context, 'caps', r.caps);
     epoch := r.lease_epoch;
     seq := r.last_seq;
     fruitless := r.claims;
     drawn := r.drawn_microusd;
     at := clock_timestamp();
     return next;
     return query select 'log', null::jsonb, null::int, l.seq, null::int, null::bigint, null::bigint, l.created_at, l.events from run_log l where l.run_id = run order by l.seq;
   end $$`,
  `alter table approvals add column token_hash text`,
  `create unique index oauth_tokens_by_owner on oauth_tokens (owner_id, provider)`,
  // Locks the run's row before it reads the approval, so that the holder of the run either sees the
  // decision or comes after it.
  `create function close_approval(owner text, approval uuid, seen_digest text, verdict text, decided_by text, why text, token text)
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
     insert into audit (owner_id, run_id, kind, tool, action_id, effect_id, digest, detail)
     values (owner, a.run_id, 'approval.' || verdict, a.tool, a.action_id, a.effect_id, a.digest, jsonb_strip_nulls(jsonb_build_object('by', decided_by, 'reason', why)));
     return next;
   end $$`,
];
