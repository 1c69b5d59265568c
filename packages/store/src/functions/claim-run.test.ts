import { whyNotClaim } from "@bron/core";
import { logVersion, type Place, type RunStatus } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { openDatabase, type OpenDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";

type Run = Parameters<typeof whyNotClaim>[0];
type Claim = Parameters<typeof whyNotClaim>[2];

const [ownerId, otherOwnerId] = ["eva", "max"];
const [runId, ownRunId, otherRunId] = Array.from({ length: 3 }, () => randomUUID());
const leaseMs = 5_000;
const minute = 60_000;
let database: TestDatabase;
let open: OpenDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
  open = await openDatabase({ url: database.url });
  await migrate(open.db);
  for (const owner of [ownerId, otherOwnerId]) {
    const [bronId, threadId] = [randomUUID(), randomUUID()];
    await open.pool.query("insert into owners (id) values ($1)", [owner]);
    await open.pool.query(
      "insert into brons (id, owner_id, name, avatar_color, system_prompt) values ($1, $2, 'Bron', '#000000', '')",
      [bronId, owner],
    );
    await open.pool.query("insert into threads (id, owner_id, bron_id) values ($1, $2, $3)", [
      threadId,
      owner,
      bronId,
    ]);
    for (const id of owner === ownerId ? [runId, ownRunId] : [otherRunId])
      await open.pool.query(
        "insert into runs (id, owner_id, bron_id, thread_id, title, prompt, attached_context, caps, status, log_version, last_seq, runnable, wakes) values ($1, $2, $3, $4, '', '', '[]', '{}', 'executing', 1, 1, true, 1)",
        [id, owner, bronId, threadId],
      );
  }
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

const iso = (ms: number) => new Date(ms).toISOString();

const rowOf = (id: string | undefined, run: Run) => ({
  id,
  status: run.status,
  runnable: run.runnable,
  cancel_requested_at: run.cancelRequested ? iso(0) : null,
  log_version: run.logVersion,
  wake_at: iso(run.wakeAt),
  lease_owner: run.lease?.owner ?? null,
  lease_until: run.lease ? iso(run.lease.until) : null,
  place: run.place,
});

const setRows = `
  update runs set status = n.status, runnable = n.runnable, cancel_requested_at = n.cancel_requested_at,
    log_version = n.log_version, wake_at = n.wake_at, lease_owner = n.lease_owner, lease_until = n.lease_until, place = n.place
  from jsonb_populate_recordset(null::runs, $1::jsonb) as n where runs.id = n.id`;

/** Sets the rows, claims the run and rolls everything back. */
async function claimInDatabase(
  run: Run,
  [own, other]: readonly [Run, Run],
  claim: Claim,
): Promise<string | undefined> {
  const client = await open.pool.connect();
  try {
    await client.query("begin");
    const rows = [rowOf(runId, run), rowOf(ownRunId, own), rowOf(otherRunId, other)];
    await client.query(setRows, [JSON.stringify(rows)]);
    if (run.place && run.isPlaceServed)
      await client.query("insert into workers (name, places) values ('w3', $1::jsonb[])", [
        [run.place],
      ]);
    const claimed = await client.query<{ outcome: string }>(
      "select outcome from claim_placed_run($1, $2, $3, $4, $5, $6, $7, $8::jsonb[])",
      [
        runId,
        claim.worker,
        claim.leaseMs,
        iso(claim.takeOverUntil),
        claim.maxPerOwner,
        claim.maxInAll,
        logVersion,
        claim.serves,
      ],
    );
    return claimed.rows[0]?.outcome;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

it("decides in every case as core does", async () => {
  const now = Date.now();
  const basic: Run = {
    ownerId,
    status: "executing",
    runnable: true,
    cancelRequested: false,
    logVersion,
    place: null,
    isPlaceServed: false,
    wakeAt: now - minute,
    lease: undefined,
  };
  const places: readonly Place[] = [
    { machine: "m", folder: "/a" },
    { machine: "m", folder: "/b" },
    { machine: "n", folder: "/c" },
    { process: "p" },
  ];
  const states: readonly Partial<Run>[] = [
    { runnable: false },
    ...(["completed", "failed", "canceled"] satisfies RunStatus[]).map((status) => ({ status })),
    { logVersion: logVersion + 1 },
    { wakeAt: now + minute },
    { wakeAt: now + minute, cancelRequested: true },
    ...places.flatMap((place) =>
      [true, false].flatMap((isPlaceServed) =>
        [true, false].map((cancelRequested) => ({ place, isPlaceServed, cancelRequested })),
      ),
    ),
  ];
  /** An expired lease, a live one, and one that is beyond what a live worker can have. */
  const leaseEnds = [now - minute, now + minute / 2, now + 10 * minute];
  const leases: readonly Run["lease"][] = [
    undefined,
    ...["w1", "w2"].flatMap((owner) => leaseEnds.map((until) => ({ owner, until }))),
  ];
  const claims: readonly Claim[] = [0, now + minute / 2, now + 10 * minute].flatMap(
    (takeOverUntil) =>
      [
        { maxPerOwner: 5, maxInAll: 5 },
        { maxPerOwner: 1, maxInAll: 5 },
        { maxPerOwner: 5, maxInAll: 2 },
      ].map((limits) => ({
        runId: runId ?? "",
        worker: "w1",
        leaseMs,
        takeOverUntil,
        serves: [{ machine: "m", folder: "/a" }, { machine: "n" }],
        ...limits,
      })),
  );
  const outcomes = new Set<string | undefined>();
  const compare = async (run: Run, others: readonly [Run, Run], claim: Claim) => {
    const outcome = await claimInDatabase(run, others, claim);
    const facts = JSON.stringify({ run, others, claim });
    expect(outcome, facts).toBe(whyNotClaim(run, others, claim, now) ?? "claimed");
    outcomes.add(outcome);
  };
  const [own, other] = [basic, { ...basic, ownerId: otherOwnerId }];
  for (const lease of leases)
    for (const claim of claims) {
      await compare({ ...basic, lease }, [own, other], claim);
      // The limits matter only for a run that could be claimed otherwise.
      if (claim.maxPerOwner === claim.maxInAll)
        for (const state of states)
          await compare({ ...basic, ...state, lease }, [own, other], claim);
    }
  for (const ownLease of leases.filter((lease) => lease?.owner !== "w1"))
    for (const otherLease of leases.filter((lease) => lease?.owner !== "w1"))
      for (const claim of claims) {
        const others = [
          { ...own, lease: ownLease },
          { ...other, lease: otherLease },
        ] as const;
        await compare(basic, others, claim);
      }
  expect(outcomes).toEqual(
    new Set(["claimed", "elsewhere", "limit", "not_runnable", "taken", "too_early", "too_new"]),
  );
});
