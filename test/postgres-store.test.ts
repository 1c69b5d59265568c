import type { Wake } from "@bron/core";
import { createPostgresStore, migrate, openDatabase } from "@bron/store";
import { storeContract, uploadsContract, type StoreUnderTest } from "@bron/testing";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { createTestDatabase } from "./support/test-database.ts";

for (const here of [false, true]) {
  const open = async (): Promise<StoreUnderTest> => {
    const { url, drop } = await createTestDatabase(inject("postgresUrl"));
    const database = await openDatabase({ url });
    await migrate(database.db);
    const wakes: Wake[] = [];
    const waker = { takesHere: () => here, enlist: () => Promise.resolve(), committed: (wake: Wake) => void wakes.push(wake) };
    return {
      store: createPostgresStore(database, waker),
      wakes,
      passTime: (ms) => sleep(ms),
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
