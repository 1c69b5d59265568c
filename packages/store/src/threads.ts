import type { Threads } from "@bron/core";
import type { Kysely } from "kysely";
import type { Database } from "./schema.ts";

export function postgresThreads(db: Kysely<Database>): Threads {
  return {
    async tail(ownerId, threadId, beforeRunId, limit) {
      const rows = await db
        .selectFrom("bron_messages")
        .select(["role", "content"])
        .where("owner_id", "=", ownerId)
        .where("thread_id", "=", threadId)
        .where("role", "in", ["user", "assistant"])
        .where("id", "<", (eb) =>
          eb
            .selectFrom("bron_messages as own")
            .select((inner) => inner.fn.min("own.id").as("first"))
            .where("own.run_id", "=", beforeRunId)
            .where("own.owner_id", "=", ownerId),
        )
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.toReversed().map(({ role, content }) => ({ role: role === "assistant" ? "assistant" : "user", content }));
    },

    async profile(ownerId, bronId) {
      const row = await db.selectFrom("brons").select(["system_prompt", "memory_summary"]).where("id", "=", bronId).where("owner_id", "=", ownerId).executeTakeFirst();
      return row && { persona: row.system_prompt, aboutUser: row.memory_summary };
    },
  };
}
