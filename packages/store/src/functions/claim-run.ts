import type { SqlFunction } from "./sql-function.ts";

/**
 * The first row is the claim. If it was granted, the rows of the log follow. Each statement inside
 * sees what is committed by then. The limits hold only if claims are counted one after the other.
 * There is one claim per segment, not one per step.
 */
export const claimPlacedRun: SqlFunction = {
  name: "claim_placed_run",
  text: `
create or replace function claim_placed_run(run uuid, worker text, lease_ms int, take_over_until timestamptz,
  max_per_owner int, max_in_all int, understood int, serves jsonb[])
returns table (outcome text, header jsonb, epoch int, seq int, fruitless int, drawn bigint, cap bigint, at timestamptz, events json) language plpgsql as $$
declare
  r runs%rowtype;
  of_owner int;
  in_all int;
  has_budget boolean;
  bron brons%rowtype;
begin
  outcome := 'not_runnable';
  select * into r from runs where id = run;
  if not found or not r.runnable or r.status in ('completed', 'failed', 'canceled') then return next; return; end if;
  outcome := 'too_new';
  if r.log_version > understood then return next; return; end if;
  outcome := 'elsewhere';
  -- Any worker may end a canceled run whose place is gone.
  if r.place is not null and not r.place @> any (serves) and (r.cancel_requested_at is null or place_is_served(r.place)) then return next; return; end if;
  outcome := 'too_early';
  if r.wake_at > clock_timestamp() and r.cancel_requested_at is null then return next; return; end if;
  outcome := 'taken';
  if r.lease_owner is not null and r.lease_owner <> worker and not may_take_over(r.lease_until, take_over_until, lease_ms) then return next; return; end if;
  outcome := 'limit';
  -- The row first: a transaction that holds it for long keeps only this run from being claimed, not all of them.
  perform 1 from runs where id = run for update;
  perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.claim_run', 0));
  select count(*) filter (where runs.owner_id = r.owner_id), count(*) into of_owner, in_all
    from runs where lease_owner is not null and lease_is_live(lease_until, lease_ms) and id <> run;
  if of_owner >= max_per_owner or in_all >= max_in_all then return next; return; end if;
  outcome := 'taken';
  -- A worker that takes up what it dropped itself, since the database was away, has not failed on it.
  update runs set lease_epoch = lease_epoch + 1, lease_owner = worker,
    lease_until = clock_timestamp() + lease_ms * interval '1 millisecond', claims = claims + case when lease_owner = worker then 0 else 1 end
    where id = run and runnable and status not in ('completed', 'failed', 'canceled') and place is not distinct from r.place
      and (lease_owner is null or lease_owner = worker or may_take_over(lease_until, take_over_until, lease_ms))
    returning * into r;
  if not found then return next; return; end if;
  select cap_microusd, day_cap_microusd is not null or month_cap_microusd is not null into cap, has_budget from owners where id = r.owner_id;
  select * into bron from brons where id = r.bron_id;
  outcome := 'claimed';
  header := jsonb_build_object(
    'ownerId', r.owner_id, 'bronId', r.bron_id, 'bronTools', to_jsonb(bron.tools), 'bronModel', bron.model, 'memoryOn', bron.memory_on,
    'threadId', r.thread_id, 'attachedContext', r.attached_context, 'caps', r.caps,
    'cappedAncestors', to_jsonb(r.capped_ancestors), 'place', r.place,
    'scheduleId', r.schedule_id, 'maxTrustLevel', r.max_trust_level, 'hasOwnerBudget', coalesce(has_budget, false));
  epoch := r.lease_epoch;
  seq := r.last_seq;
  fruitless := r.claims;
  drawn := r.drawn_microusd;
  at := clock_timestamp();
  return next;
  return query select 'log', null::jsonb, null::int, l.seq, null::int, null::bigint, null::bigint, l.created_at,
    l.events from run_log l where l.run_id = run order by l.seq;
end $$`,
};

/** What older processes call. They serve no place. */
export const claimRun: SqlFunction = {
  name: "claim_run",
  text: `
create or replace function claim_run(run uuid, worker text, lease_ms int, take_over_until timestamptz, max_per_owner int, max_in_all int, understood int)
returns table (outcome text, header jsonb, epoch int, seq int, fruitless int, drawn bigint, cap bigint, at timestamptz, events json) language sql as $$
  select * from claim_placed_run(run, worker, lease_ms, take_over_until, max_per_owner, max_in_all, understood, '{}') $$`,
};
