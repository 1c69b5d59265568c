import type { SqlFunction } from "./sql-function.ts";

/**
 * Locks the run's row before it reads the approval, so that the holder of the run either sees the
 * decision or comes after it. `said` has the rest of the decision: edit, answer and undone, and
 * undoMs, the time in which an approval can be undone.
 */
export const closeApproval: SqlFunction = {
  name: "close_approval",
  text: `
create or replace function close_approval(owner text, approval uuid, seen_digest text, verdict text, decided_by text, why text, token text, said jsonb default '{}')
returns table (outcome text, view jsonb, wake int, held boolean) language plpgsql as $$
declare
  a approvals%rowtype;
  r runs%rowtype;
  undo interval := (said ->> 'undoMs')::int * interval '1 millisecond';
begin
  select * into a from approvals where id = approval and owner_id = owner;
  outcome := 'not_found';
  if not found then return next; return; end if;
  select * into r from runs where id = a.run_id and owner_id = owner for update;
  if not found then return next; return; end if;
  select * into a from approvals where id = approval;
  view := to_jsonb(a);
  outcome := 'closed';
  if a.state <> (case when said ? 'undone' then 'approved' else 'pending' end) then return next; return; end if;
  if said ? 'undone' then
    outcome := 'late';
    if a.undo_until is null or a.undo_until <= clock_timestamp() then return next; return; end if;
  else
    outcome := case when verdict = 'expired' then 'not_due' else 'due' end;
    if (a.expires_at <= clock_timestamp()) <> (verdict = 'expired') then return next; return; end if;
    outcome := 'mismatch';
    if a.digest <> seen_digest then return next; return; end if;
  end if;
  outcome := 'over';
  -- An approval of a run that has ended can still expire, but nothing else.
  if r.status in ('completed', 'failed', 'canceled') and verdict <> 'expired' then return next; return; end if;
  -- The time for undo does not count against the expiry.
  update approvals set state = verdict, decision_reason = why, token_hash = token, decided_at = clock_timestamp(), answer = said ->> 'answer',
    undo_until = case when said ? 'undone' then undo_until else clock_timestamp() + undo end, expires_at = expires_at + coalesce(undo, interval '0')
    where id = approval returning * into a;
  view := to_jsonb(a) || jsonb_build_object('prepared', (select prepared from effects where id = a.effect_id));
  outcome := 'done';
  update runs set last_seq = last_seq + 1, runnable = true, wakes = wakes + 1, swept_at = clock_timestamp()
    where id = r.id and status not in ('completed', 'failed', 'canceled') returning * into r;
  if found then
    wake := r.wakes;
    held := r.lease_owner is not null and r.lease_until >= clock_timestamp();
    insert into run_log (run_id, seq, owner_id, events, created_at)
    values (r.id, r.last_seq, owner, json_build_array(json_build_object('type', 'approval', 'payload', jsonb_strip_nulls(jsonb_build_object(
      'approvalId', a.id, 'actionId', a.action_id, 'effectId', a.effect_id, 'tool', a.tool, 'digest', a.digest, 'state', verdict, 'by', decided_by, 'reason', why,
      'undoUntil', floor(extract(epoch from a.undo_until) * 1000), 'expiresAt', case when undo is not null then to_char(a.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end))
      || (said - 'undoMs'))), clock_timestamp());
  end if;
  insert into audit (owner_id, what, by, run_id, action_id, effect_id, approval_id, tool, digest, details)
  values (owner, 'approval.' || verdict, case when decided_by is null then 'system' else 'owner' end, a.run_id, a.action_id, a.effect_id, a.id, a.tool, a.digest,
    jsonb_strip_nulls(jsonb_build_object('reason', why, 'edited', (select jsonb_agg(field) from jsonb_object_keys(said -> 'edit') as field), 'answer', said -> 'answer', 'undone', said -> 'undone')));
  return next;
end $$`,
};
