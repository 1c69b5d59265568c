import type { Threads } from "@bron/core";
import type pg from "pg";

export function postgresThreads(pool: pg.Pool): Threads {
  return {
    async tail(ownerId, threadId, beforeRunId, limit) {
      const { rows } = await pool.query<{
        role: "user" | "assistant";
        content: string;
        trusted: boolean;
      }>({
        name: "bron-tail-2",
        text: `
          select role, content, trusted from bron_messages
          where owner_id = $1 and thread_id = $2 and role in ('user', 'assistant')
            and id < (select min(own.id) from bron_messages own where own.thread_id = $2 and own.run_id = $3 and own.owner_id = $1)
          order by id desc limit $4`,
        values: [ownerId, threadId, beforeRunId, limit],
      });
      return rows.toReversed();
    },

    async profile(ownerId, bronId) {
      const { rows } = await pool.query<{ persona: string; aboutUser: string }>({
        name: "bron-profile-1",
        text: `select system_prompt as persona, memory_summary as "aboutUser" from brons where id = $1 and owner_id = $2`,
        values: [bronId, ownerId],
      });
      return rows[0];
    },
  };
}
