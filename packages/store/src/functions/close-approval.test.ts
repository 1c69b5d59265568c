import { closingOutcome, type Closing } from "@bron/core";
import type { ApprovalState } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { openDatabase, type OpenDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";

const [ownerId, bronId, threadId, runId, approvalId, effectId] = [
  "eva",
  ...Array.from({ length: 5 }, () => randomUUID()),
];
let database: TestDatabase;
let open: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
  open = await openDatabase({ url: database.url });
  await migrate(open.db);
  const rows: [string, unknown[]][] = [
    ["insert into owners (id) values ($1)", [ownerId]],
    [
      "insert into brons (id, owner_id, name, avatar_color, system_prompt) values ($1, $2, 'Bron', '#000000', '')",
      [bronId, ownerId],
    ],
    [
      "insert into threads (id, owner_id, bron_id) values ($1, $2, $3)",
      [threadId, ownerId, bronId],
    ],
    [
      "insert into runs (id, owner_id, bron_id, thread_id, title, prompt, attached_context, caps, status, log_version, last_seq, runnable, wakes) values ($1, $2, $3, $4, '', '', '[]', '{}', 'executing', 1, 1, false, 1)",
      [runId, ownerId, bronId, threadId],
    ],
    [
      "insert into approvals (id, run_id, owner_id, action_id, effect_id, tool, state, digest, preview, expires_at) values ($1, $2, $3, $4, $4, 'send', 'pending', 'shown', '', now())",
      [approvalId, runId, ownerId, effectId],
    ],
  ];
  for (const [text, values] of rows) await open.pool.query(text, values);
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

const hour = 3_600_000;
const closings: readonly Closing[] = [
  { state: "approved" },
  { state: "approved", undoMs: 5_000 },
  { state: "denied" },
  { state: "denied", undone: true },
  { state: "denied", undoMs: 5_000 },
  { state: "pending", reopened: true },
  { state: "superseded", edit: {} },
  { state: "expired" },
];

/** Sets the rows, closes the approval and rolls everything back. */
async function closeInDatabase(facts: Parameters<typeof closingOutcome>[0]): Promise<unknown> {
  const { approval, closing, runStatus, seenDigest } = facts;
  const client = await open.pool.connect();
  try {
    await client.query("begin");
    await client.query("update runs set status = $2 where id = $1", [runId, runStatus]);
    await client.query(
      "update approvals set state = $2, expires_at = $3, undo_until = $4, reopen_until = $4 where id = $1",
      [approvalId, approval.state, approval.expiresAt, approval.undoUntil],
    );
    const { rows } = await client.query<{ outcome: string }>(
      "select outcome from close_approval($1, $2, $3, $4, $5)",
      [
        ownerId,
        approvalId,
        { ...closing, digest: seenDigest },
        { type: "approval", payload: {} },
        { what: "approval.approved", by: "owner", details: {} },
      ],
    );
    return rows[0]?.outcome;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

it("decides in every case as core does", async () => {
  const now = Date.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  const outcomes = new Set<unknown>();
  for (const state of ["pending", "approved", "denied", "used"] satisfies ApprovalState[])
    for (const expiresAt of [at(-hour), at(hour)])
      for (const undoUntil of [null, at(-hour), at(hour)])
        for (const seenDigest of [undefined, "shown", "another"])
          for (const runStatus of ["executing", "completed"] as const)
            for (const closing of closings) {
              const approval = {
                state,
                digest: "shown",
                expiresAt,
                undoUntil,
                reopenUntil: undoUntil,
              };
              const facts = { approval, closing, runStatus, seenDigest, now };
              const outcome = await closeInDatabase(facts);
              expect(outcome, JSON.stringify(facts)).toBe(closingOutcome(facts));
              outcomes.add(outcome);
            }
  expect(outcomes).toEqual(
    new Set(["closed", "done", "due", "late", "mismatch", "not_due", "over"]),
  );
});
