import type { SqlFunction } from "./sql-function.ts";

/**
 * Closes an approval and wakes its run, or says why it can't be closed. Locks the run's row before
 * it reads the approval, so that the holder of the run either sees the decision or comes after it.
 *
 * The rule is that of `closingOutcome` in core. `closing` is a `Closing`, with the digest that the
 * owner saw and the hash of the token. `event` and `entry` are what core wrote for the log and the
 * audit log. This function adds only times.
 */
export const closeApproval: SqlFunction = {
  name: "close_approval",
  text: `
create or replace function close_approval(owner text, approval uuid, closing jsonb, event jsonb, entry jsonb)
returns table (outcome text, view jsonb, wake int, held boolean) language plpgsql as $$
declare
  a approvals%rowtype;
  r runs%rowtype;
  new_state text := closing ->> 'state';
  is_undo boolean := closing ? 'undone';
  is_reopening boolean := closing ? 'reopened';
  undone_until timestamptz;
  undo interval := (closing ->> 'undoMs')::int * interval '1 millisecond';
begin
  select * into a from approvals where id = approval and owner_id = owner;
  outcome := 'not_found';
  if not found then return next; return; end if;
  select * into r from runs where id = a.run_id and owner_id = owner for update;
  if not found then return next; return; end if;
  select * into a from approvals where id = approval;
  view := to_jsonb(a);
  outcome := 'closed';
  if a.state <> (case when is_undo then 'approved' when is_reopening then 'denied' else 'pending' end) then return next; return; end if;
  if is_undo or is_reopening then
    outcome := 'late';
    undone_until := case when is_undo then a.undo_until else a.reopen_until end;
    if undone_until is null or undone_until <= clock_timestamp() then return next; return; end if;
  else
    outcome := case when new_state = 'expired' then 'not_due' else 'due' end;
    if (a.expires_at <= clock_timestamp()) <> (new_state = 'expired') then return next; return; end if;
    outcome := 'mismatch';
    if a.digest <> closing ->> 'digest' then return next; return; end if;
  end if;
  outcome := 'over';
  if r.status in ('completed', 'failed', 'canceled') and new_state <> 'expired' then return next; return; end if;
  -- The time for undo does not count against the expiry.
  update approvals set state = new_state, decision_reason = closing ->> 'reason',
    token_hash = closing ->> 'tokenHash', decided_at = case when not is_reopening then clock_timestamp() end, reply = closing ->> 'reply',
    undo_until = case when is_undo then undo_until when new_state = 'approved' then clock_timestamp() + undo end,
    reopen_until = case when new_state = 'denied' then clock_timestamp() + undo end, reopened = reopened + is_reopening::int,
    expires_at = expires_at + coalesce(undo, interval '0')
    where id = approval returning * into a;
  view := to_jsonb(a) || jsonb_build_object('prepared', (select prepared from effects where id = a.effect_id),
    'step', (select step from actions where run_id = a.run_id and id = a.action_id));
  outcome := 'done';
  update runs set last_seq = last_seq + 1, runnable = true, wakes = wakes + 1, swept_at = clock_timestamp()
    where id = r.id and status not in ('completed', 'failed', 'canceled') returning * into r;
  if found then
    wake := r.wakes;
    held := r.lease_owner is not null and r.lease_until >= clock_timestamp();
    if undo is not null then
      event := jsonb_set(event, '{payload}', event -> 'payload' || jsonb_build_object(
        case when new_state = 'approved' then 'undoUntil' else 'reopenUntil' end,
        floor(extract(epoch from coalesce(a.undo_until, a.reopen_until)) * 1000),
        'expiresAt', to_char(a.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
    end if;
    insert into run_log (run_id, seq, owner_id, events, created_at) values (r.id, r.last_seq, owner, json_build_array(event), clock_timestamp());
  end if;
  insert into audit (owner_id, what, by, run_id, action_id, effect_id, approval_id, tool, digest, details)
  values (owner, entry ->> 'what', entry ->> 'by', a.run_id, (entry ->> 'actionId')::uuid, (entry ->> 'effectId')::uuid, (entry ->> 'approvalId')::uuid,
    entry ->> 'tool', entry ->> 'digest', entry -> 'details');
  return next;
end $$`,
};
