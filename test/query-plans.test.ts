import type { Lease, Store, Waker } from "@bron/core";
import { defaultCaps, type NewEvent } from "@bron/protocol";
import {
  createPostgresStore,
  migrate,
  openDatabase,
  postgresBrons,
  takeRunnable,
  type OpenDatabase,
} from "@bron/store";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { recordStatements, type RecordedStatement } from "./support/recorded-statements.ts";
import { seedActions, seededId, seedRuns } from "./support/seed-runs.ts";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const ownerId = "plans";
const seededRuns = 4_000;
const bigTables = [
  "runs",
  "run_log",
  "actions",
  "approvals",
  "effects",
  "threads",
  "bron_messages",
  "task_words",
];

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Alias?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * The cost of these statements must not grow with the number of rows. The tests look at Postgres's
 * plans for them as the store sends them.
 */
describe("plans of the statements that every page and every step sends", () => {
  const waker: Waker = {
    takesHere: () => true,
    enlist: () => Promise.resolve(),
    committed: () => undefined,
  };
  let test: TestDatabase;
  let database: OpenDatabase;
  let store: Store;
  let recorder: ReturnType<typeof recordStatements>;
  let lease: Lease;
  let others: Lease[];
  let runOf: (place: number) => Promise<string>;
  beforeAll(async () => {
    test = await createTestDatabase(inject("postgresUrl"));
    database = await openDatabase({ url: test.url });
    await migrate(database.db);
    await seedRuns(database.pool, { ownerId, runs: seededRuns, logRowsPerRun: 2 });
    recorder = recordStatements(database);
    store = createPostgresStore(database, waker);
    runOf = (place) => seededId(database.pool, ownerId, "run", place);
    // Fifty leased runs, one of them with many actions. The statistics of runs are older, as they
    // usually are, so that the planner believes that the index over leased runs is almost empty.
    const leases: Lease[] = [];
    for (let made = 0; made < 50; made++) {
      const { run } = await store.runs.create({
        ownerId,
        input: { prompt: `task ${made}` },
        title: "task",
        caps: defaultCaps,
      });
      const claimed = await store.log.claim({
        runId: run.id,
        worker: "w",
        leaseMs: 600_000,
        takeOverUntil: 0,
        serves: [],
        maxPerOwner: 1_000,
        maxInAll: 100_000,
      });
      if (claimed.claimed) leases.push(claimed.lease);
    }
    [lease, ...others] = leases as [Lease, ...Lease[]];
    await seedActions(database.pool, lease.runId, ownerId, 1_250);
    await database.pool.query("vacuum analyze actions");
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  const scansOf = (nodes: readonly PlanNode[], table?: string) =>
    nodes.filter(
      (node) =>
        node["Node Type"].endsWith("Scan") &&
        (table === undefined
          ? bigTables.includes(node["Relation Name"] ?? "") ||
            node["Node Type"] === "Bitmap Index Scan"
          : node["Relation Name"] === table),
    );
  const explain = async (
    options: string,
    text: string,
    values: readonly unknown[],
  ): Promise<PlanNode[]> => {
    const client = await database.pool.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
        `explain (${options}, format json) ${text}`,
        [...values],
      );
      await client.query("rollback");
      return rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => nodesOf(Plan)));
    } finally {
      client.release(true);
    }
  };

  /**
   * The statements that `work` sends, each with its plan for these values and, if it is prepared,
   * also with its generic plan.
   */
  const plansOf = async (work: () => Promise<unknown>) => {
    recorder.take();
    await work();
    const sent = recorder
      .take()
      .filter(({ text }) => /^\s*(?:select|with|update|insert|delete)/i.test(text));
    expect(sent.length).toBeGreaterThan(0);
    const plans: { statement: RecordedStatement; nodes: PlanNode[] }[] = [];
    for (const statement of sent) {
      plans.push({
        statement,
        nodes: await explain("costs off", statement.text, statement.values),
      });
      if (statement.name !== undefined)
        plans.push({
          statement,
          nodes: await explain("costs off, generic_plan", statement.text, []),
        });
    }
    recorder.take();
    return plans;
  };
  const indexesOf = async (work: () => Promise<unknown>) => {
    const used = new Set<string>();
    for (const { statement, nodes } of await plansOf(work)) {
      expect(
        nodes.filter(
          (node) =>
            node["Node Type"] === "Seq Scan" && bigTables.includes(node["Relation Name"] ?? ""),
        ),
        statement.text,
      ).toEqual([]);
      for (const { "Index Name": name } of scansOf(nodes)) if (name !== undefined) used.add(name);
    }
    return [...used].toSorted();
  };

  /** The indexes of runs besides those that tell what a parked run and its child runs wait for. */
  const runIndexesOf = async (work: () => Promise<unknown>) => {
    const used = await indexesOf(work);
    expect(used).toEqual(expect.arrayContaining(["approvals_pending", "runs_by_parent"]));
    return used.filter((name) => name.startsWith("runs_") && name !== "runs_by_parent");
  };

  it("lists an owner's runs by the index that fits the list", async () => {
    const middle = await runOf(seededRuns / 2);
    expect(await runIndexesOf(() => store.runs.list(ownerId, {}))).toEqual(["runs_by_owner"]);
    expect(await runIndexesOf(() => store.runs.list(ownerId, { before: middle }))).toEqual([
      "runs_by_owner",
      "runs_pkey",
    ]);
    for (const status of ["awaiting_auth", "awaiting_confirmation", "executing", "queued"] as const)
      expect(await runIndexesOf(() => store.runs.list(ownerId, { status })), status).toEqual([
        "runs_under_way",
      ]);
    for (const status of ["failed", "canceled", "completed"] as const)
      expect(await runIndexesOf(() => store.runs.list(ownerId, { status })), status).toEqual([
        "runs_over",
      ]);
    expect(
      await runIndexesOf(() => store.runs.list(ownerId, { idPrefix: middle.slice(0, 8) })),
    ).toEqual(["runs_pkey"]);
  });

  it("counts runs and finds active ones without reading finished ones", async () => {
    expect(await indexesOf(() => store.runs.counts(ownerId))).toEqual([
      "runs_over",
      "runs_under_way",
    ]);
    expect(await indexesOf(() => store.runs.announceConnected(ownerId, "google"))).toContain(
      "runs_under_way",
    );
    expect(await indexesOf(() => store.runs.requestCancelAll("another owner"))).toContain(
      "runs_under_way",
    );
  });

  it("lists threads by their activity, and finds those that wait from the runs that wait", async () => {
    const first = await store.threads.list(ownerId, { limit: 50 });
    const of = ["runs_by_thread", "runs_pkey", "runs_under_way"];
    const listed = [
      { plan: "threads_by_activity", options: { limit: 50 } },
      { plan: "threads_by_activity", options: { limit: 50, before: first.at(-1) } },
      { plan: "threads_pkey", options: { limit: 50, idPrefix: first[0]!.id.slice(0, 8) } },
    ];
    for (const { plan, options } of listed) {
      const used = await indexesOf(() => store.threads.list(ownerId, options));
      expect(used).toEqual(expect.arrayContaining([plan, ...of]));
    }
    const { id: threadId } = first[0]!;
    expect(await runIndexesOf(() => store.runs.list(ownerId, { threadId }))).toEqual([
      "runs_by_thread",
    ]);
  });

  it("searches threads by the index of words for a rare word, and by activity for a frequent one", async () => {
    const search = (words: string[]) => store.threads.list(ownerId, { limit: 20, words });
    expect(await search(["task", "2345"])).toMatchObject([{ title: "task 2345" }]);
    expect(await search(["2345"])).toHaveLength(1);
    expect(await indexesOf(() => search(["2345"]))).toContain("task_words_by_word");
    expect(await indexesOf(() => search(["task"]))).toEqual(
      expect.arrayContaining(["threads_by_activity", "task_words_by_thread"]),
    );
    expect(await store.threads.list("stranger", { limit: 20, words: ["2345"] })).toEqual([]);
  });

  it("deletes a thread by the keys of its runs, with all references to them", async () => {
    const threadId = await seededId(database.pool, ownerId, "thread", 1_001);
    const { pool } = database;
    await indexesOf(() => store.threads.delete(ownerId, threadId));
    expect(await store.threads.get(ownerId, threadId)).toBeUndefined();
    // Postgres checks foreign keys with statements of its own, so the test counts what they read.
    const runId = await runOf(1_101);
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("set local enable_seqscan = off");
      for (const table of ["actions", "effects", "approvals", "bron_messages", "run_log"])
        await client.query(`delete from ${table} where run_id = $1`, [runId]);
      await client.query("delete from runs where id = $1", [runId]);
      const { rows } = await client.query(
        "select relname, seq_scan from pg_stat_xact_user_tables where relname = any($1) and seq_scan > 0",
        [["runs", "uploads", "artifacts"]],
      );
      await client.query("rollback");
      expect(rows).toEqual([]);
    } finally {
      client.release(true);
    }
  });

  it("lists approvals by the index that fits the list", async () => {
    const runId = await runOf(3);
    expect(await indexesOf(() => store.approvals.list(ownerId, { runId }))).toEqual([
      "actions_pkey",
      "approvals_by_run",
      "effects_pkey",
      "runs_by_parent",
      "runs_pkey",
    ]);
    expect(await indexesOf(() => store.approvals.list(ownerId, {}))).toEqual([
      "actions_pkey",
      "approvals_by_owner",
      "effects_pkey",
    ]);
    const middle = await seededId(database.pool, ownerId, "approval", seededRuns / 2);
    expect(
      await indexesOf(() => store.approvals.list(ownerId, { after: middle, limit: 50 })),
    ).toEqual(["actions_pkey", "approvals_by_owner", "approvals_pkey", "effects_pkey"]);
    // Both indexes contain only pending approvals, and the planner uses the smaller one.
    expect(
      (await indexesOf(() => store.approvals.list(ownerId, { pendingOnly: true }))).join(" "),
    ).toMatch(/^actions_pkey approvals_(?:pending|open) effects_pkey$/);
    expect(
      await indexesOf(() => store.approvals.list(ownerId, { idPrefix: middle.slice(0, 8) })),
    ).toEqual(["actions_pkey", "approvals_pkey", "effects_pkey"]);
  });

  it("reads one run, its log, its actions and its effects by their keys", async () => {
    const runId = await runOf(1_000);
    expect(await runIndexesOf(() => store.runs.get(ownerId, runId))).toEqual(["runs_pkey"]);
    expect(await indexesOf(() => store.runs.events(ownerId, runId, 0, 500))).toEqual([
      "run_log_pkey",
    ]);
    expect(await indexesOf(() => store.runs.actions(ownerId, runId))).toEqual([
      "actions_pkey",
      "run_log_pkey",
    ]);
    expect(await indexesOf(() => store.runs.effects(ownerId, runId))).toEqual(["effects_by_run"]);
    expect(await indexesOf(() => store.runs.changes([ownerId], { runIds: [runId] }))).toContain(
      "runs_pkey",
    );
    expect(await indexesOf(() => postgresBrons(database).list(ownerId))).toContain("runs_by_bron");
  });

  it("sweeps, renews and claims without reading finished runs", async () => {
    await indexesOf(() =>
      takeRunnable(database.pool, {
        worker: "w",
        active: [],
        only: undefined,
        limit: 10,
        leaseMs: 5_000,
        takeOverUntil: 0,
        serves: [],
        maxPerOwner: 50,
        maxInAll: 1_000,
      }),
    );
    await indexesOf(() => store.log.renew("w", [lease], 600_000));
    await indexesOf(() => store.approvals.expireDue());
    await indexesOf(() => store.runs.notifyParents());
    // The statements inside a function cannot be recorded, so the test counts what they read.
    const client = await database.pool.connect();
    try {
      await client.query("begin");
      await client.query("select * from claim_run($1, 'w', 600000, now(), 1000, 100000, 100)", [
        lease.runId,
      ]);
      const { rows } = await client.query(
        "select relname, seq_scan from pg_stat_xact_user_tables where relname = any($1) and seq_scan > 0",
        [bigTables],
      );
      await client.query("rollback");
      expect(rows).toEqual([]);
    } finally {
      client.release(true);
    }
  });

  const stepOf = (place: number): NewEvent[] => {
    const actionId = randomUUID();
    return [
      {
        type: "step",
        payload: {
          phase: "end",
          step: place,
          attempt: 1,
          finish: "tool-calls",
          calls: [{ actionId, callId: `c${place}`, tool: "echo", input: {} }],
        },
      },
      { type: "tool", payload: { phase: "start", actionId, name: "echo", attempt: 1 } },
    ] as NewEvent[];
  };
  const endOf = (actionId: string): NewEvent => ({
    type: "tool",
    payload: { phase: "end", actionId, name: "echo", outcome: "completed", output: 1 },
  });

  it("writes a step by the keys of the changed rows, whatever else the run and the owner have", async () => {
    const seen = (await store.runs.get(ownerId, lease.runId))?.lastSeq ?? 0;
    const started = await store.log.append({
      lease,
      seen,
      events: stepOf(2_000),
      leaseMs: 600_000,
    });
    expect(started.ok).toBe(true);
    const actionId = (await store.runs.actions(ownerId, lease.runId)).at(-1)?.id ?? "";
    recorder.take();
    const ended = await store.log.append({
      lease,
      seen: seen + 2,
      events: [endOf(actionId)],
      leaseMs: 600_000,
    });
    expect(ended.ok).toBe(true);
    const append = recorder.take().find(({ name }) => name?.startsWith("bron-append"));
    if (!append) throw new Error("no append was sent");
    // The values as they were sent, but for the log as it is now.
    const values = append.values.map((value) => (value === seen + 2 ? seen + 3 : value));
    for (const [options, parameters] of [
      ["costs off", values],
      ["costs off, generic_plan", []],
    ] as const) {
      const nodes = await explain(options, append.text, parameters);
      const byTable = new Map(
        scansOf(nodes).map((node) => [node["Relation Name"], node["Index Name"]]),
      );
      expect(byTable.get("runs"), options).toBe("runs_pkey");
      expect(byTable.get("actions"), options).toBe("actions_pkey");
    }
    const read = (await explain("analyze, costs off", append.text, values)).filter(
      (node) => node["Relation Name"] === "actions" && node["Node Type"].endsWith("Scan"),
    );
    expect(read.length).toBeGreaterThan(0);
    expect(rowsRead(read)).toBeLessThanOrEqual(1);
    // The run's row is updated in place although its status changes, because no index contains a
    // column that a step changes.
    const client = await database.pool.connect();
    try {
      await client.query("begin");
      await client.query("update runs set status = 'planning' where id = $1", [lease.runId]);
      await client.query("update runs set status = 'executing' where id = $1", [lease.runId]);
      await client.query(append.text, values);
      const { rows } = await client.query(
        "select n_tup_upd as updates, n_tup_hot_upd as in_place from pg_stat_xact_user_tables where relname = 'runs'",
      );
      await client.query("rollback");
      expect(rows).toEqual([{ updates: 3, in_place: 3 }]);
    } finally {
      client.release(true);
    }
  });

  it("writes steps of many runs in one statement by the keys of the changed rows", async () => {
    const startedSteps = others
      .slice(0, 20)
      .map((one, place) => ({ lease: one, events: stepOf(place + 1) }));
    const lastSeqs = new Map(
      (
        await store.runs.changes([ownerId], {
          runIds: startedSteps.map(({ lease: { runId } }) => runId),
        })
      ).map(({ run }) => [run.id, run.lastSeq]),
    );
    const appendAll = async (of: readonly { lease: Lease; events: NewEvent[] }[]) => {
      const results = await Promise.all(
        of.map(({ lease: one, events }) =>
          store.log.append({
            lease: one,
            seen: lastSeqs.get(one.runId) ?? 0,
            events,
            leaseMs: 600_000,
          }),
        ),
      );
      for (const [place, result] of results.entries())
        if (result.ok) lastSeqs.set(of[place]?.lease.runId ?? "", result.lastSeq);
      expect(results.every(({ ok }) => ok)).toBe(true);
    };
    await appendAll(startedSteps);
    recorder.take();
    await appendAll(
      startedSteps.map(({ lease: one, events: [end] }) => ({
        lease: one,
        events: [
          endOf(
            end?.type === "step" && end.payload.phase === "end"
              ? (end.payload.calls[0]?.actionId ?? "")
              : "",
          ),
        ],
      })),
    );
    const append = recorder
      .take()
      .find(({ name }) => name?.startsWith("bron-append") && name.includes("many"));
    if (!append) throw new Error("no append of many runs was sent");
    const requests = (JSON.parse(String(append.values[0])) as { seen: number }[]).map(
      (request) => ({ ...request, seen: request.seen + 1 }),
    );
    const values = [JSON.stringify(requests)];
    for (const [options, parameters] of [
      ["costs off", values],
      ["costs off, generic_plan", []],
    ] as const) {
      const nodes = await explain(options, append.text, parameters);
      expect(
        nodes.filter(
          (node) =>
            node["Node Type"] === "Seq Scan" && bigTables.includes(node["Relation Name"] ?? ""),
        ),
        options,
      ).toEqual([]);
      expect(
        scansOf(nodes, "actions").map((node) => node["Index Name"]),
        options,
      ).toEqual(["actions_pkey"]);
    }
    const read = (await explain("analyze, costs off", append.text, values)).filter(
      (node) => node["Relation Name"] === "actions" && node["Node Type"].endsWith("Scan"),
    );
    expect(requests.length).toBeGreaterThan(1);
    expect(rowsRead(read)).toBe(requests.length);
  });

  const rowsRead = (nodes: readonly PlanNode[]) =>
    nodes.reduce(
      (total, node) =>
        total +
        ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) *
          (node["Actual Loops"] ?? 1),
      0,
    );
});
