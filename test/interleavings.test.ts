import { createPostgresStore, openDatabase } from "@bron/store";
import { interleavingsContract, isFullSuite } from "@bron/testing";
import { inject } from "vitest";
import { createTestDatabase } from "./support/test-database.ts";

interleavingsContract("postgres", {
  count: isFullSuite ? 400 : 4,
  async open() {
    const { url, drop } = await createTestDatabase(inject("postgresUrl"));
    const database = await openDatabase({ url });
    const waker = {
      takesHere: () => true,
      enlist: () => Promise.resolve(),
      committed: () => undefined,
    };
    return {
      store: createPostgresStore(database, waker),
      async passTime(ms) {
        for (const table of ["questions", "client_actions"])
          await database.pool.query(
            `update ${table} set expires_at = expires_at - $1 * interval '1 millisecond' where state in ('pending', 'taken')`,
            [ms],
          );
      },
      async close() {
        await database.close();
        await drop();
      },
    };
  },
});
