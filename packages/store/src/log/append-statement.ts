import type { AppendRequest, AppendResult, Projection } from "@bron/core";
import { auditEntries, project } from "@bron/core";
import { createHash } from "node:crypto";
import { toJson } from "../database/database.ts";
import { settledDay, settledOwner } from "./settled-day.ts";
import { appendedColumns } from "../tables/run-columns.ts";
import { summaryCtes } from "./summary-ctes.ts";
import { hasRoom, sentTextOf, toWords } from "../tables/task-words.ts";

/**
 * The hot path: one statement, one commit. It updates the run's row if epoch and seq match, and
 * only then writes the log and the projections. The statement contains a CTE only if the batch
 * needs it. An ordinary step needs two of twelve, and the executor opens the tables of every CTE
 * that is present.
 * There are two forms, which differ only in the source of the requests: parameters for one, JSON
 * for many.
 */
interface AppendStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A request with the amount drawn from the owner's budget for it. */
export interface PricedAppend {
  readonly request: AppendRequest;
  readonly drawn: number;
}

/** One row per successful append. Rejected appends have no row. */
export interface AppendedRow {
  readonly id: string;
  readonly last_seq: number;
  readonly drawn_microusd: number;
  readonly at: Date;
  readonly cap_microusd: number | null;
  readonly has_budget: boolean | null;
  readonly denying_rules?: NonNullable<Appended["denyingRules"]>;
}

type Appended = Extract<AppendResult, { readonly ok: true }>;

export interface AppendStatements {
  one(append: PricedAppend): AppendStatement;
  /**
   * Appends requests of different runs together. It skips rows that are locked elsewhere, because
   * waiting while holding other locks could deadlock.
   */
  many(appends: readonly PricedAppend[]): AppendStatement;
}

/** Caches the text of each combination of CTEs, as each connection caches its plan. */
export function createAppendStatements(): AppendStatements {
  const cache = new Map<string, Text>();
  const textFor = (form: Form, requests: readonly RequestRow[]): Text => {
    const needsRules = requests.some(({ needsDenyingRules }) => needsDenyingRules);
    const ctes = allCtes.filter(({ isNeeded }) => requests.some(isNeeded));
    const key = [form, ...ctes.map(({ name }) => name), needsRules].join(" ");
    const found = cache.get(key) ?? buildText(form, ctes, needsRules ? denyingRules : "");
    cache.set(key, found);
    return found;
  };
  return {
    one(append) {
      const request = toRequestRow(append);
      const { name, text, parameters } = textFor("one", [request]);
      return {
        name,
        text,
        values: parameters.map((column) =>
          isJson(column) && request[column] !== null ? toJson(request[column]) : request[column],
        ),
      };
    },
    many(appends) {
      const requests = appends.map(toRequestRow);
      const { name, text } = textFor("many", requests);
      return { name, text, values: [toJson(requests)] };
    },
  };
}

type Form = "one" | "many";

interface Text {
  readonly name: string;
  readonly text: string;
  /** The columns of $1, $2 and so on, in the form for one request. */
  readonly parameters: readonly Column[];
}

const requestColumns = [
  ["run", "uuid"],
  ["owner", "text"],
  ["worker", "text"],
  ["epoch", "int"],
  ["seen", "int"],
  ["length", "int"],
  ["events", "json"],
  ["projection", "jsonb"],
  ["lease_ms", "int"],
  ["release", "text"],
  ["consume", "uuid[]"],
  ["charged", "bigint"],
  ["drawn", "bigint"],
  ["capped", "boolean"],
  ["ancestors", "uuid[]"],
] as const;

type AppendedColumn = (typeof appendedColumns)[number]["column"];
type Column = (typeof requestColumns)[number][0] | AppendedColumn;

const types: ReadonlyMap<Column, string> = new Map<Column, string>([
  ...requestColumns,
  ...appendedColumns.map(({ column, type }) => [column, type] as const),
]);
const isJson = (column: Column) => types.get(column)?.startsWith("json") === true;

/** An audit entry with its position within the append. */
type AuditEntry = ReturnType<typeof auditEntries>[number] & { readonly place: number };
type ProjectionRows = Omit<Projection, "run"> & { readonly audit: readonly AuditEntry[] };

type RequestRow = Readonly<Record<Column, unknown>> & {
  readonly projection: Partial<ProjectionRows>;
  readonly consume: readonly string[];
  readonly ancestors: readonly string[];
  readonly length: number;
  readonly release: AppendRequest["release"] | null;
  readonly needsDenyingRules: boolean;
};

function toRequestRow({ request, drawn }: PricedAppend): RequestRow {
  const { lease, seen, events, leaseMs, release, consume, chargedMicrousd, draw } = request;
  const { needsDenyingRules = false } = request;
  const { run, ...projected } = project(events);
  const rows: ProjectionRows = {
    ...projected,
    audit: auditEntries(events, consume).map((entry, place) => ({ ...entry, place })),
  };
  const projection = Object.fromEntries(
    Object.entries(rows).filter(([, list]) => list.length > 0),
  ) as Partial<ProjectionRows>;
  return {
    run: lease.runId,
    owner: lease.ownerId,
    worker: lease.worker,
    epoch: lease.epoch,
    seen,
    length: events.length,
    events,
    projection,
    lease_ms: leaseMs,
    release: release ?? null,
    consume: consume ?? [],
    charged: chargedMicrousd ?? null,
    drawn,
    capped: draw !== undefined,
    ancestors: lease.cappedAncestors,
    needsDenyingRules,
    ...appendedValues(run),
  };
}

function appendedValues(run: Projection["run"]): Record<AppendedColumn, unknown> {
  const values = appendedColumns.map(({ column, from, ...how }) => [
    column,
    run[from] ?? ("adds" in how ? 0 : null),
  ]);
  return Object.fromEntries(values) as Record<AppendedColumn, unknown>;
}

/** The new value of each column that the events of an append set. */
function setAppended(q: Ref): string {
  const values = appendedColumns.map(({ column, ...how }) => {
    if ("adds" in how) return `${column} = r.${column} + ${q(column)}`;
    const value = `coalesce(${q(column)}, r.${column})`;
    if (!("onlyIf" in how)) return `${column} = ${value}`;
    return `${column} = case when ${how.onlyIf} then ${value} else r.${column} end`;
  });
  return values.join(",\n    ");
}

/**
 * Refers to a column of the request: a parameter, or a column of the CTE that holds all requests.
 */
type Ref = (column: Column) => string;

/** See `AppendResult`. A column of the result, in the snapshot of the statement. */
const denyingRules = `,
  (select coalesce(json_agg(json_build_object('tool', d.tool, 'host', d.host, 'server', d.server, 'verdict', d.verdict, 'ofBron', d.bron_id is not null)), '[]')
    from rules d where d.owner_id = run.owner_id and (d.bron_id is null or d.bron_id = run.bron_id) and d.verdict = 'deny') as denying_rules`;

function buildText(form: Form, ctes: readonly Cte[], also: string): Text {
  const parameters: Column[] = [];
  const parameter: Ref = (column) => {
    if (!parameters.includes(column)) parameters.push(column);
    return `$${parameters.indexOf(column) + 1}::${types.get(column)}`;
  };
  const isOne = form === "one";
  const requests = `q as materialized (select * from jsonb_to_recordset($1::jsonb) as q (${[...types].map((column) => column.join(" ")).join(", ")})),
locked as materialized (select r.id from runs r where r.id = any (array(select q.run from q)) order by r.id for no key update of r skip locked),
`;
  const run = isOne
    ? updateRun(parameter, { from: "", which: "", alsoReturning: "" })
    : updateRun((column) => `q.${column}`, {
        from: "from q join locked on locked.id = q.run",
        which: "r.id = any (array(select locked.id from locked)) and ",
        alsoReturning:
          ", q.events, q.projection, q.consume, q.release, q.charged, q.drawn, q.ancestors",
      });
  const ref: Ref = isOne ? parameter : (column) => `run.${column}`;
  const text = `with ${isOne ? "" : requests}run as (${run})${ctes.map((cte) => `,\n${cte.name} as (${cte.body(ref)})`).join("")}
select run.id, run.last_seq, run.drawn_microusd, run.at, (select cap_microusd from owners where owners.id = run.owner_id) as cap_microusd,
  (select day_cap_microusd is not null or month_cap_microusd is not null from owners where owners.id = run.owner_id) as has_budget${also} from run`;
  // A connection keeps the plan of a name, so another text needs another name.
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { name: `bron-append-${form}-${digest}`, text, parameters };
}

/**
 * `is not distinct from` hides the partial index on leased runs from the planner. With that index
 * it would read all active runs of the owner instead of one by its primary key.
 */
function updateRun(
  q: Ref,
  { from, which, alsoReturning }: Readonly<Record<"from" | "which" | "alsoReturning", string>>,
): string {
  return `
  update runs r set
    last_seq = r.last_seq + ${q("length")},
    ${setAppended(q)},
    started_at = case when r.started_at is null and ${q("status")} in ('planning', 'executing') then clock_timestamp() else r.started_at end,
    finished_at = case when ${q("release")} = 'end' then clock_timestamp() else r.finished_at end,
    final_status = case when ${q("release")} = 'end' and r.kind = 'task' then coalesce(${q("status")}, r.status) else r.final_status end,
    runnable = ${q("release")} is null,
    lease_owner = case when ${q("release")} is null then r.lease_owner end,
    lease_until = case when ${q("release")} is null then clock_timestamp() + ${q("lease_ms")} * interval '1 millisecond' end,
    claims = 0,
    spent_microusd = coalesce(${q("charged")}, r.spent_microusd),
    drawn_microusd = case when ${q("release")} = 'end' and r.drawn_microusd + ${q("drawn")} > 0
      then coalesce(${q("charged")}, r.spent_microusd) else r.drawn_microusd + ${q("drawn")} end
  ${from}
  where ${which}r.id = ${q("run")} and r.owner_id = ${q("owner")}
    and r.lease_owner is not distinct from ${q("worker")} and r.lease_epoch = ${q("epoch")} and r.last_seq = ${q("seen")}
    and (cardinality(${q("consume")}) = 0
      or (select count(*) from approvals a where a.id = any(${q("consume")}) and a.run_id = r.id
        and a.state = 'approved' and a.expires_at > clock_timestamp()) = cardinality(${q("consume")}))
    and (not ${q("capped")} or (
      coalesce(coalesce(${q("charged")}, r.spent_microusd) + r.tree_drawn_microusd <= (r.caps ->> 'costMicrousd')::bigint, true)
      and coalesce(${q("steps")} <= r.steps or ${q("steps")} + r.tree_steps <= (r.caps ->> 'steps')::int, true)))
  returning r.id, r.owner_id, r.bron_id, r.thread_id, r.last_seq, r.drawn_microusd, clock_timestamp() as at${alsoReturning}`;
}

interface Cte {
  readonly name: string;
  readonly isNeeded: (request: RequestRow) => boolean;
  readonly body: (ref: Ref) => string;
}

const has =
  (list: keyof ProjectionRows) =>
  ({ projection }: RequestRow) =>
    projection[list] !== undefined;

/**
 * Finds the rows to change by their IDs. The join with `jsonb_to_recordset` is not enough, because
 * the planner estimates 100 rows for that function and then reads all rows of the run at every
 * step.
 */
const rowsOf = (ref: Ref, list: keyof ProjectionRows) =>
  `t.run_id = any (array(select run.id from run))
    and t.id = any (array(select (changed.value ->> 'id')::uuid from run, jsonb_array_elements(${ref("projection")} -> '${list}') as changed))`;

const allCtes: readonly Cte[] = [
  {
    name: "new_log",
    isNeeded: ({ length }) => length > 0,
    body: (ref) => `
  insert into run_log (run_id, seq, owner_id, events, created_at) select run.id, run.last_seq, run.owner_id, ${ref("events")}, run.at from run`,
  },
  {
    name: "used",
    isNeeded: ({ consume }) => consume.length > 0,
    body: (ref) => `
  update approvals a set state = 'used' from run where a.id = any(${ref("consume")})`,
  },
  {
    name: "new_actions",
    isNeeded: has("newActions"),
    body: (ref) => `
  insert into actions (id, run_id, owner_id, step, call_id, tool, state, error, created_at, updated_at)
  select a.id, run.id, run.owner_id, a.step, a."callId", a.tool, a.state, a.error, run.at, run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'newActions') as a (id uuid, step int, "callId" text, tool text, state text, error jsonb)`,
  },
  {
    name: "changed_actions",
    isNeeded: has("actions"),
    body: (ref) => `
  update actions t set state = a.state, error = coalesce(a.error, t.error), updated_at = run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'actions') as a (id uuid, state text, error jsonb)
  where t.run_id = run.id and t.id = a.id and ${rowsOf(ref, "actions")}`,
  },
  {
    name: "new_effects",
    isNeeded: has("newEffects"),
    body: (ref) => `
  insert into effects (id, run_id, owner_id, action_id, tool, state, digest, prepared, attempts, deadline_at, outcome, error, undo_until)
  select e.id, run.id, run.owner_id, e."actionId", e.tool, e.state, e.digest, coalesce(e.prepared, 'null'),
    coalesce(e.attempts, 0), run.at + e."deadlineMs" * interval '1 millisecond', e.outcome, e.error,
    to_timestamp(e."undoUntil" / 1000)
  from run, jsonb_to_recordset(${ref("projection")} -> 'newEffects')
    as e (id uuid, "actionId" uuid, tool text, state text, digest text, prepared jsonb, attempts int,
      "deadlineMs" int, outcome jsonb, error jsonb, "undoUntil" double precision)`,
  },
  {
    name: "changed_effects",
    isNeeded: has("effects"),
    body: (ref) => `
  update effects t set state = e.state, attempts = coalesce(e.attempts, t.attempts),
    deadline_at = coalesce(run.at + e."deadlineMs" * interval '1 millisecond', t.deadline_at),
    outcome = coalesce(e.outcome, t.outcome), error = coalesce(e.error, t.error), updated_at = run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'effects') as e (id uuid, state text, attempts int, "deadlineMs" int, outcome jsonb, error jsonb)
  where t.id = e.id and t.run_id = run.id and ${rowsOf(ref, "effects")}`,
  },
  {
    name: "new_approvals",
    isNeeded: has("newApprovals"),
    body: (ref) => `
  insert into approvals (id, run_id, owner_id, action_id, effect_id, tool, state, digest, reasons, preview, expires_at, risks, diff, kind)
  select a.id, run.id, run.owner_id, a."actionId", a."effectId", a.tool, a.state, a.digest, a.reasons, a.preview, a."expiresAt", a.risks, a.diff, a.kind
  from run, jsonb_to_recordset(${ref("projection")} -> 'newApprovals') as a (id uuid, "actionId" uuid,
    "effectId" uuid, tool text, state text, digest text, reasons jsonb, preview text, "expiresAt" timestamptz, risks jsonb, diff jsonb, kind text)`,
  },
  {
    name: "changed_approvals",
    isNeeded: has("approvals"),
    body: (ref) => `
  update approvals t set state = a.state, decision_reason = coalesce(a."decisionReason", t.decision_reason), decided_at = run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'approvals') as a (id uuid, state text, "decisionReason" text)
  where t.id = a.id and t.run_id = run.id and ${rowsOf(ref, "approvals")}`,
  },
  {
    name: "new_questions",
    isNeeded: has("newQuestions"),
    body: (ref) => `
  insert into questions (id, run_id, owner_id, action_id, state, text, choices, schema, "default", expires_at, created_at)
  select q.id, run.id, run.owner_id, q."actionId", q.state, q.text, q.choices, q.schema, q."default", q."expiresAt", run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'newQuestions') as q (id uuid, "actionId" uuid,
    state text, text text, choices jsonb, schema jsonb, "default" text, "expiresAt" timestamptz)`,
  },
  {
    name: "changed_questions",
    isNeeded: has("questions"),
    body: (ref) => `
  update questions t set state = q.state, answer = coalesce(q.answer, t.answer), answered_at = run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'questions') as q (id uuid, state text, answer text)
  where t.id = q.id and t.run_id = run.id and ${rowsOf(ref, "questions")}`,
  },
  {
    name: "new_client_actions",
    isNeeded: has("newClientActions"),
    body: (ref) => `
  insert into client_actions (id, run_id, owner_id, tool, program, input, state, secret_hash, expires_at, created_at)
  select c.id, run.id, run.owner_id, c.tool, c.program, coalesce(c.input, 'null'), c.state, c."secretHash", c."expiresAt", run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'newClientActions') as c (id uuid, tool text,
    program text, input jsonb, state text, "secretHash" text, "expiresAt" timestamptz)`,
  },
  {
    name: "changed_client_actions",
    isNeeded: has("clientActions"),
    body: (ref) => `
  update client_actions t set state = c.state, ended_at = run.at
  from run, jsonb_to_recordset(${ref("projection")} -> 'clientActions') as c (id uuid, state text)
  where t.id = c.id and t.run_id = run.id and ${rowsOf(ref, "clientActions")}`,
  },
  {
    // Once a run wrote a thing after reading text of others, it stays untrusted.
    name: "new_written",
    isNeeded: has("written"),
    body: (ref) => `
  insert into written_things as t (owner_id, kind, thing_id, run_id, trusted)
  select run.owner_id, w.kind, w.id, run.id, bool_and(w.trusted)
  from run, jsonb_to_recordset(${ref("projection")} -> 'written') as w (kind text, id text, trusted boolean)
  group by run.owner_id, w.kind, w.id, run.id
  on conflict (owner_id, kind, thing_id, run_id) do update set trusted = t.trusted and excluded.trusted`,
  },
  {
    name: "new_messages",
    isNeeded: has("messages"),
    body: (ref) => `
  insert into bron_messages (owner_id, bron_id, thread_id, run_id, role, content, trusted, as_typed)
  select run.owner_id, run.bron_id, run.thread_id, run.id, m.role, m.content, m.trusted, coalesce(m."asTyped", false)
  from run, jsonb_to_recordset(${ref("projection")} -> 'messages') as m (role text, content text, trusted boolean, "asTyped" boolean)`,
  },
  {
    // What the owner and the model say, and whom a change reached.
    name: "new_words",
    isNeeded: ({ projection: { messages = [], effects = [] } }) =>
      messages.length > 0 || effects.some(({ state }) => state === "done"),
    body: (ref) => `
  update task_words t set words = t.words || ${toWords("said.text")}
  from run cross join lateral (
    select concat_ws(' ',
      (select string_agg(m.content, ' ') from jsonb_to_recordset(${ref("projection")} -> 'messages') as m (content text)),
      (select string_agg(${sentTextOf("e")}, ' ') from effects e where e.run_id = run.id
        and e.id = any (array(
          select c.id from jsonb_to_recordset(${ref("projection")} -> 'effects') as c (id uuid, state text)
          where c.state = 'done')))) as text
  ) said
  where t.run_id = run.id and ${hasRoom("t")}`,
  },
  ...summaryCtes.map(({ name, list, body }) => ({
    name,
    isNeeded: has(list),
    body: (ref: Ref) => body(ref("projection")),
  })),
  {
    // Microseconds keep the order of the files of one append.
    name: "new_artifacts",
    isNeeded: has("artifacts"),
    body: (ref) => `
  insert into artifacts (id, run_id, owner_id, kind, name, media_type, digest, size_bytes, created_at)
  select a."artifactId", run.id, run.owner_id, a.kind, a.name, a."mediaType", a.digest, a."sizeBytes", run.at + a.position * interval '1 microsecond'
  from run, rows from (jsonb_to_recordset(${ref("projection")} -> 'artifacts') as ("artifactId" uuid, kind text,
    name text, "mediaType" text, digest text, "sizeBytes" bigint))
    with ordinality as a ("artifactId", kind, name, "mediaType", digest, "sizeBytes", position)`,
  },
  {
    name: "new_audit",
    isNeeded: has("audit"),
    body: (ref) => `
  insert into audit (owner_id, what, by, run_id, action_id, effect_id, approval_id, tool, digest, details, created_at)
  select run.owner_id, a.what, a.by, run.id, coalesce(a."actionId", p.action_id),
    coalesce(a."effectId", p.effect_id), a."approvalId", coalesce(a.tool, p.tool), coalesce(a.digest, p.digest), coalesce(a.details, '{}'), run.at
  from run cross join jsonb_to_recordset(${ref("projection")} -> 'audit') as a (place int, what text, by text,
    "actionId" uuid, "effectId" uuid, "approvalId" uuid, tool text, digest text, details jsonb)
  left join approvals p on p.id = a."approvalId" and p.run_id = run.id
  order by run.id, a.place`,
  },
  {
    name: "settled",
    isNeeded: ({ release }) => release === "end",
    body: (ref) => settledOwner(ref("release"), ref("drawn")),
  },
  {
    name: "settled_day",
    isNeeded: ({ release }) => release === "end",
    body: (ref) => settledDay(ref("release"), ref("charged")),
  },
  {
    // The caller has locked the rows. See `appendWithCaps`.
    name: "settled_tree",
    isNeeded: ({ release, ancestors }) => release === "end" && ancestors.length > 0,
    body: (ref) => `
  update runs above set tree_drawn_microusd = greatest(0, above.tree_drawn_microusd - s.back)
  from (select before.drawn_microusd + ${ref("drawn")} - run.drawn_microusd as back from run join runs before on before.id = run.id) s
  where above.id = any(${ref("ancestors")}) and s.back <> 0`,
  },
];
