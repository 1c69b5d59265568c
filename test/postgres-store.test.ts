import type { Wake } from "@bron/core";
import { createPostgresStore, migrate, openDatabase, type OpenDatabase } from "@bron/store";
import { storeContract, uploadsContract, type StoreUnderTest } from "@bron/testing";
import { inject } from "vitest";
import { createTestDatabase } from "./support/test-database.ts";

/**
 * Simulates that this much time has passed: moves every time back that is compared with the
 * database's clock.
 */
async function makeOlder({ pool }: OpenDatabase, ms: number): Promise<void> {
  const columns = {
    runs: ["lease_until", "wake_at", "swept_at", "started_at", "finished_at"],
    approvals: [
      "expires_at",
      "undo_until",
      "reopen_until",
      "snoozed_until",
      "created_at",
      "decided_at",
    ],
    uploads: ["created_at", "expires_at"],
    blobs: ["kept_at"],
    threads: ["updated_at"],
    workers: ["seen_at"],
    schedules: ["next_at", "skipped_at", "created_at"],
  };
  for (const [table, times] of Object.entries(columns))
    await pool.query(
      `update ${table} set ${times.map((time) => `${time} = ${time} - $1 * interval '1 millisecond'`).join(", ")}`,
      [ms],
    );
}

for (const here of [false, true]) {
  const open = async (): Promise<StoreUnderTest> => {
    const { url, drop } = await createTestDatabase(inject("postgresUrl"));
    const database = await openDatabase({ url });
    await migrate(database.db);
    const wakes: Wake[] = [];
    const waker = {
      takesHere: () => here,
      enlist: () => Promise.resolve(),
      committed: (wake: Wake) => void wakes.push(wake),
    };
    return {
      store: createPostgresStore(database, waker),
      wakes,
      passTime: (ms) => makeOlder(database, ms),
      async close() {
        await database.close();
        await drop();
      },
    };
  };
  const name = `postgres, woken runs taken up ${here ? "here" : "elsewhere"}`;
  storeContract(name, open);
  uploadsContract(name, open);
}
