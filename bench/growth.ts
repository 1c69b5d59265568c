import type { Client } from "@bron/client";
import type { Lease, Store } from "@bron/core";
import { defaultCaps, type NewEvent } from "@bron/protocol";
import { createPostgresStore, openDatabase, takeRunnable } from "@bron/store";
import type { Runtime } from "@bron/runtime";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { seedActions, seededId, seedRuns } from "../test/support/seed-runs.ts";
import { openBenchRuntime, ownerId } from "./support/bron-subject.ts";
import type { Environment } from "./support/environment.ts";
import { median, quantile, type BenchmarkResult, type Figure } from "./support/figures.ts";
import { measurePostgres, type PostgresCost } from "./support/postgres-cost.ts";

const logRowsPerRun = 10;
const steps = 200;
const stepsAtOnce = 20;
/** The time for each query, however few samples it gives. Slow queries once took seconds each. */
const maxMsPerQuery = 4_000;
const warmUp = 3;
/**
 * CPU time of Postgres, which hardly depends on other load of the machine. A query that reads every
 * run of the owner takes 50 to 150 ms.
 */
const pageBar = { atMost: 5 };

interface Query {
  readonly name: string;
  readonly ask: () => Promise<unknown>;
  /** Absent where the cost still grows with the owner's runs. */
  readonly bar?: { readonly atMost: number };
}

/**
 * Measures what a page, a command and a step cost once an owner has a hundred thousand runs. It
 * calls the library and the store as their users do.
 */
export async function growth({
  createDatabase,
  modelUrl,
  quick,
  admin,
}: Environment): Promise<BenchmarkResult> {
  const runs = quick ? 10_000 : 100_000;
  const databaseUrl = await createDatabase();
  const { runtime } = await openBenchRuntime(
    { kind: "bron", databaseUrl, modelUrl },
    { work: "none" },
  );
  const database = await openDatabase({ url: databaseUrl });
  try {
    const startedAt = performance.now();
    // This connection has none of the time limits of the store's connections.
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await seedRuns(client, { ownerId, runs, logRowsPerRun });
    } finally {
      await client.end();
    }
    const seedSeconds = (performance.now() - startedAt) / 1_000;
    const store = createPostgresStore(database, {
      takesHere: () => false,
      enlist: () => Promise.resolve(),
      committed: () => undefined,
    });
    const figures: Figure[] = [];
    const notes = [
      `${runs} runs and ${runs * logRowsPerRun} rows of their logs, of one owner, seeded in ${seedSeconds.toFixed(0)} s. Times are those of the library's or the store's function, over loopback's socket to Postgres.`,
    ];
    for (const query of await queriesOf({ runtime, store, database, runs })) {
      const { times, calls, postgres } = await measurePostgres(
        admin,
        new URL(databaseUrl).pathname.slice(1),
        () => timesOf(query),
      );
      const cpuMs = postgres.cpuMs / calls;
      figures.push(
        { name: `${query.name}, p50`, value: median(times), unit: "ms" },
        { name: `${query.name}, p99`, value: quantile(times, 0.99), unit: "ms" },
      );
      if (Number.isFinite(cpuMs))
        figures.push({
          name: `${query.name}, CPU of Postgres`,
          value: cpuMs,
          unit: "ms",
          ...(query.bar ? { bar: query.bar } : {}),
        });
      if (times.length < 20) notes.push(`${query.name}: ${times.length} samples.`);
    }
    figures.push(
      ...(await stepFigures(store, database.pool, (work) =>
        measurePostgres(admin, new URL(databaseUrl).pathname.slice(1), work),
      )),
    );
    return { figures, notes };
  } finally {
    await database.close();
    await runtime.close();
  }
}

async function timesOf({
  ask,
}: Query): Promise<{ readonly times: readonly number[]; readonly calls: number }> {
  const times: number[] = [];
  const until = performance.now() + maxMsPerQuery;
  // The first samples connect, prepare statements and fill caches.
  for (
    let sample = -warmUp;
    sample < 200 && (times.length < 3 || performance.now() < until);
    sample++
  ) {
    const startedAt = performance.now();
    await ask();
    if (sample >= 0) times.push(performance.now() - startedAt);
  }
  return { times, calls: times.length + warmUp };
}

interface QueryDeps {
  readonly runtime: Runtime;
  readonly store: Store;
  readonly database: Awaited<ReturnType<typeof openDatabase>>;
  readonly runs: number;
}

async function queriesOf({ runtime, store, database, runs }: QueryDeps): Promise<Query[]> {
  const { pool } = database;
  const [runId, bronId, approvalId] = [
    await seededId(pool, ownerId, "run", runs / 2),
    await seededId(pool, ownerId, "bron", 3),
    await seededId(pool, ownerId, "approval", runs / 2),
  ];
  // The CLI is not a package, so it is imported by path.
  const { findRun } = (await import(
    new URL("../apps/cli/src/find-by-id.ts", import.meta.url).href
  )) as { findRun(client: Client, id: string): Promise<unknown> };
  const client = runtime.clientFor(ownerId);
  const flat = (name: string, ask: Query["ask"], bar = pageBar): Query => ({ name, ask, bar });
  const usage = (days: number): Query => ({
    name: `usage of ${days} days`,
    ask: () => client.call("GET /api/usage", { query: { days, zone: "Europe/Berlin" } }),
  });
  return [
    flat("runs, first page", () => client.list("GET /api/runs", { limit: 50 })),
    flat("runs, a page in the middle", () =>
      client.list("GET /api/runs", { limit: 50, before: runId }),
    ),
    flat("runs of one Bron", () => client.list("GET /api/runs", { limit: 50, bronId })),
    flat("runs that wait for an account", () =>
      client.list("GET /api/runs", { limit: 50, status: "awaiting_auth" }),
    ),
    flat("runs that are queued (none)", () =>
      client.list("GET /api/runs", { limit: 50, status: "queued" }),
    ),
    flat("runs that failed", () => client.list("GET /api/runs", { limit: 50, status: "failed" })),
    flat("counts by status", () => runtime.countRuns(ownerId)),
    flat("changed runs and those under way", () =>
      store.runs.changes([ownerId], { runIds: [runId], active: true }),
    ),
    flat("a run by the beginning of its id", () => findRun(client, runId.slice(0, 8))),
    flat("run page: the run", () => client.call("GET /api/runs/:id", { params: { id: runId } })),
    flat("run page: its events", () =>
      runtime.logs.read(ownerId, runId, { afterSeq: 0, limit: 500 }),
    ),
    flat("run page: its actions", () =>
      runtime
        .clientFor(ownerId)
        .call("GET /api/runs/:id/actions", { params: { id: runId } })
        .then((response) => response.actions),
    ),
    flat("run page: its effects", () =>
      runtime
        .clientFor(ownerId)
        .call("GET /api/runs/:id/effects", { params: { id: runId } })
        .then((response) => response.effects),
    ),
    flat("run page: its approvals", () => client.list("GET /api/approvals", { runId })),
    flat("inbox: pending approvals", () =>
      client.list("GET /api/approvals", { pending: "true", limit: 50 }),
    ),
    flat("inbox: effects in doubt", () =>
      runtime
        .clientFor(ownerId)
        .call("GET /api/effects")
        .then((response) => response.effects),
    ),
    flat("approvals, first page", () => client.list("GET /api/approvals", { limit: 50 })),
    flat("approvals, a page in the middle", () =>
      client.list("GET /api/approvals", { limit: 50, after: approvalId }),
    ),
    flat("approvals, the first 500", () => client.list("GET /api/approvals"), {
      atMost: 10,
    }),
    flat("Brons", () =>
      runtime
        .clientFor(ownerId)
        .call("GET /api/brons")
        .then((response) => response.brons),
    ),
    flat("audit, first page", () => client.list("GET /api/audit", { limit: 50 })),
    flat("activity, first page", () => client.list("GET /api/activity", { limit: 50 })),
    {
      name: "activity, a search without a match",
      ask: () => client.call("GET /api/activity", { query: { search: "nothing says this" } }),
    },
    flat("audit of one run", () => client.list("GET /api/audit", { runId })),
    flat("load of all owners", () => runtime.load()),
    flat("sweep", () =>
      takeRunnable(pool, {
        worker: "bench",
        active: [],
        only: undefined,
        limit: 10,
        leaseMs: 5_000,
        takeOverUntil: 0,
        serves: [],
        maxPerOwner: 50,
        maxInAll: 1_000,
      }),
    ),
    usage(7),
    usage(30),
    usage(365),
  ];
}

/**
 * A step is two appends, as the loop makes them: the model's calls with the start of their tool,
 * and the end of the tool with the start of the next step.
 */
async function stepFigures(
  store: Store,
  pool: Parameters<typeof seedActions>[0],
  measure: (work: () => Promise<object>) => Promise<{ readonly postgres: PostgresCost }>,
): Promise<Figure[]> {
  const lengths = [10, 1_250];
  const leases: Lease[] = [];
  for (const actions of lengths) {
    const {
      run: { id: runId },
    } = await store.runs.create({
      ownerId,
      input: { prompt: `a run of ${actions} actions` },
      title: "a long run",
      caps: defaultCaps,
    });
    await seedActions(pool, runId, ownerId, actions);
    const claimed = await store.log.claim({
      runId,
      worker: "bench",
      leaseMs: 3_600_000,
      takeOverUntil: 0,
      serves: [],
      maxPerOwner: 1_000,
      maxInAll: 1_000,
    });
    if (!claimed.claimed) throw new Error(`The run was not claimed: ${claimed.reason}`);
    leases.push(claimed.lease);
  }
  await pool.query("analyze actions");
  const seen = leases.map(() => 2);
  const times: number[][] = leases.map(() => []);
  const cpuMs: number[][] = leases.map(() => []);
  const doSteps = async (place: number, from: number) => {
    const lease = leases[place];
    for (let step = from; lease && step < from + stepsAtOnce; step++) {
      const startedAt = performance.now();
      for (const events of stepEvents(step)) {
        const result = await store.log.append({
          lease,
          seen: seen[place] ?? 0,
          events,
          leaseMs: 3_600_000,
        });
        if (!result.ok) throw new Error(`An append was refused: ${result.reason}`);
        seen[place] = result.lastSeq;
      }
      times[place]?.push(performance.now() - startedAt);
    }
    return {};
  };
  // The runs take turns, so that other load of the machine affects both. The first round prepares
  // the statements.
  for (let step = 1; step <= steps; step += stepsAtOnce) {
    for (const place of leases.keys()) {
      const { postgres } = await measure(() => doSteps(place, step));
      if (step > 1) cpuMs[place]?.push(postgres.cpuMs / stepsAtOnce);
    }
  }
  const [short = [], long = []] = cpuMs;
  return [
    ...lengths.flatMap((actions, place): Figure[] => [
      {
        name: `a step in a run of ${actions} actions, p50`,
        value: median(times[place] ?? []),
        unit: "ms",
      },
      {
        name: `a step in a run of ${actions} actions, p99`,
        value: quantile(times[place] ?? [], 0.99),
        unit: "ms",
      },
      {
        name: `a step in a run of ${actions} actions, CPU of Postgres`,
        value: median(cpuMs[place] ?? []),
        unit: "ms",
      },
    ]),
    {
      name: "a step in a run of 1,250 actions, CPU against one of 10",
      value: median(long) / median(short),
      unit: "x",
      bar: { atMost: 1.5 },
    },
  ];
}

function stepEvents(step: number): NewEvent[][] {
  const actionId = randomUUID();
  return [
    [
      {
        type: "step",
        payload: {
          phase: "end",
          step,
          attempt: 1,
          finish: "tool-calls",
          calls: [
            { actionId, callId: `call_${step}`, tool: "echo", input: { text: "x".repeat(100) } },
          ],
        },
      },
      { type: "tool", payload: { phase: "start", actionId, name: "echo", attempt: 1 } },
    ],
    [
      {
        type: "tool",
        payload: {
          phase: "end",
          actionId,
          name: "echo",
          outcome: "completed",
          output: { text: "x".repeat(300) },
        },
      },
      { type: "step", payload: { phase: "start", step: step + 1, attempt: 1 } },
    ],
  ] as NewEvent[][];
}
