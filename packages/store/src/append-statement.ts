import type { Projection } from "@bron/core";

/**
 * The hot path: one statement, one commit. It moves the run's row if epoch and seq are as seen, and only then writes
 * events and projections. A part stands in it only if the batch needs it: an ordinary step needs three of twelve, and the
 * executor opens the tables of every part that is there.
 *
 * $1 run, $2 owner, $3 worker, $4 epoch, $5 seen, $6 events, $7 the Projection of core, $8 lease ms, $9 release (park, end or
 * null), $10 approvals to use up, $11 charged, $12 drawn from the owner.
 */
export function appendStatement(needs: { readonly projection: Projection; readonly events: boolean; readonly consumes: boolean; readonly ends: boolean }): { name: string; text: string } {
  const { projection } = needs;
  const wanted: readonly boolean[] = [
    needs.events,
    needs.consumes,
    projection.newActions.length > 0,
    projection.actions.length > 0,
    projection.newEffects.length > 0,
    projection.effects.length > 0,
    projection.newApprovals.length > 0,
    projection.approvals.length > 0,
    projection.messages.length > 0,
    projection.artifacts.length > 0,
    projection.audit.length > 0,
    needs.ends,
  ];
  const chosen = parts.filter((_, index) => wanted[index] === true);
  // One name for each combination: the connection keeps its plan.
  const name = `bron-append-2-${wanted.map(Number).join("")}`;
  const text = `with run as (${moveRun(needs.consumes)})${chosen.map(([part, body]) => `,\n${part} as (${body})`).join("")}\nselect last_seq, drawn_microusd, at, (select cap_microusd from owners where id = $2::text) as cap_microusd from run`;
  return { name, text };
}

const usable = "(select count(*) from approvals a where a.id = any($10::uuid[]) and a.run_id = $1::uuid and a.state = 'approved' and a.expires_at > clock_timestamp()) = cardinality($10::uuid[])";

function moveRun(consumes: boolean): string {
  return `
  update runs r set
    last_seq = r.last_seq + jsonb_array_length($6::jsonb),
    status = coalesce($7::jsonb #>> '{run,status}', r.status),
    summary = coalesce($7::jsonb #>> '{run,summary}', r.summary),
    error = coalesce($7::jsonb #> '{run,error}', r.error),
    started_at = case when r.started_at is null and $7::jsonb #>> '{run,status}' in ('planning', 'executing') then clock_timestamp() else r.started_at end,
    finished_at = case when $9::text = 'end' then clock_timestamp() else r.finished_at end,
    runnable = $9::text is null,
    lease_owner = case when $9::text is null then r.lease_owner end,
    lease_until = case when $9::text is null then clock_timestamp() + $8::int * interval '1 millisecond' end,
    claims = 0,
    spent_microusd = coalesce($11::bigint, r.spent_microusd),
    drawn_microusd = case when $9::text = 'end' and r.drawn_microusd + $12::bigint > 0 then coalesce($11::bigint, r.spent_microusd) else r.drawn_microusd + $12::bigint end
  where r.id = $1::uuid and r.owner_id = $2::text and r.lease_owner = $3::text and r.lease_epoch = $4::int and r.last_seq = $5::int
    and ${consumes ? usable : "cardinality($10::uuid[]) = 0"}
  returning r.id, r.owner_id, r.bron_id, r.thread_id, r.last_seq, r.drawn_microusd, clock_timestamp() as at
`;
}

/** In the order of `wanted`. */
const parts: readonly (readonly [name: string, body: string])[] = [
  [
    "new_events",
    `
  insert into run_events (run_id, seq, owner_id, type, payload, created_at)
  select run.id, $5::int + e.ord, run.owner_id, e.event ->> 'type', e.event -> 'payload', run.at
  from run, jsonb_array_elements($6::jsonb) with ordinality as e (event, ord)
`,
  ],
  [
    "used",
    `
  update approvals a set state = 'used' from run where a.id = any($10::uuid[])
`,
  ],
  [
    "new_actions",
    `
  insert into actions (id, run_id, owner_id, step, call_id, tool, state, input, output, error, created_at, updated_at)
  select a.id, run.id, run.owner_id, a.step, a."callId", a.tool, a.state, coalesce(a.input, 'null'), a.output, a.error, run.at, run.at
  from run, jsonb_to_recordset($7::jsonb -> 'newActions') as a (id uuid, step int, "callId" text, tool text, state text, input jsonb, output jsonb, error jsonb)
`,
  ],
  [
    "changed_actions",
    `
  update actions t set state = a.state, output = coalesce(a.output, t.output), error = coalesce(a.error, t.error), updated_at = run.at
  from run, jsonb_to_recordset($7::jsonb -> 'actions') as a (id uuid, state text, output jsonb, error jsonb)
  where t.id = a.id and t.id = any (array(select (x ->> 'id')::uuid from jsonb_array_elements($7::jsonb -> 'actions') x)) and t.run_id is not distinct from run.id
`,
  ],
  [
    "new_effects",
    `
  insert into effects (id, run_id, owner_id, action_id, tool, state, digest, prepared, attempts, deadline_at, outcome, error)
  select e.id, run.id, run.owner_id, e."actionId", e.tool, e.state, e.digest, coalesce(e.prepared, 'null'), coalesce(e.attempts, 0), run.at + e."deadlineMs" * interval '1 millisecond', e.outcome, e.error
  from run, jsonb_to_recordset($7::jsonb -> 'newEffects') as e (id uuid, "actionId" uuid, tool text, state text, digest text, prepared jsonb, attempts int, "deadlineMs" int, outcome jsonb, error jsonb)
`,
  ],
  [
    "changed_effects",
    `
  update effects t set state = e.state, attempts = coalesce(e.attempts, t.attempts), deadline_at = coalesce(run.at + e."deadlineMs" * interval '1 millisecond', t.deadline_at),
    outcome = coalesce(e.outcome, t.outcome), error = coalesce(e.error, t.error), updated_at = run.at
  from run, jsonb_to_recordset($7::jsonb -> 'effects') as e (id uuid, state text, attempts int, "deadlineMs" int, outcome jsonb, error jsonb)
  where t.id = e.id and t.run_id = run.id
`,
  ],
  [
    "new_approvals",
    `
  insert into approvals (id, run_id, owner_id, action_id, effect_id, tool, state, digest, reason, preview, expires_at)
  select a.id, run.id, run.owner_id, a."actionId", a."effectId", a.tool, a.state, a.digest, a.reason, a.preview, a."expiresAt"
  from run, jsonb_to_recordset($7::jsonb -> 'newApprovals') as a (id uuid, "actionId" uuid, "effectId" uuid, tool text, state text, digest text, reason text, preview text, "expiresAt" timestamptz)
`,
  ],
  [
    "changed_approvals",
    `
  update approvals t set state = a.state, decision_reason = coalesce(a."decisionReason", t.decision_reason), decided_at = run.at
  from run, jsonb_to_recordset($7::jsonb -> 'approvals') as a (id uuid, state text, "decisionReason" text)
  where t.id = a.id and t.run_id = run.id
`,
  ],
  [
    "new_messages",
    `
  insert into bron_messages (owner_id, bron_id, thread_id, run_id, role, content)
  select run.owner_id, run.bron_id, run.thread_id, run.id, m.role, m.content
  from run, jsonb_to_recordset($7::jsonb -> 'messages') as m (role text, content text)
`,
  ],
  [
    "new_artifacts",
    `
  insert into artifacts (id, run_id, owner_id, kind, name, media_type, digest, size_bytes)
  select a."artifactId", run.id, run.owner_id, a.kind, a.name, a."mediaType", a.digest, a."sizeBytes"
  from run, jsonb_to_recordset($7::jsonb -> 'artifacts') as a ("artifactId" uuid, kind text, name text, "mediaType" text, digest text, "sizeBytes" bigint)
`,
  ],
  [
    "new_audit",
    `
  insert into audit (owner_id, run_id, kind, tool, action_id, effect_id, digest, detail)
  select run.owner_id, run.id, a.kind, a.tool, a."actionId", a."effectId", a.digest, a.detail
  from run, jsonb_to_recordset($7::jsonb -> 'audit') as a (kind text, tool text, "actionId" uuid, "effectId" uuid, digest text, detail jsonb)
`,
  ],
  [
    "settled",
    `
  update owners o set drawn_microusd = greatest(0, o.drawn_microusd - (before.drawn_microusd + $12::bigint - run.drawn_microusd))
  from run, runs before
  where $9::text = 'end' and before.id = run.id and o.id = run.owner_id and before.drawn_microusd + $12::bigint <> run.drawn_microusd
`,
  ],
];
