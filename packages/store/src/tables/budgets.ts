import type { Budgets } from "@bron/core";
import type { Kysely } from "kysely";
import type { Database } from "../database/schema.ts";

export function postgresBudgets(db: Kysely<Database>): Budgets {
  return {
    async setOwnerCap(ownerId, capMicrousd) {
      await db
        .insertInto("owners")
        .values({ id: ownerId, cap_microusd: capMicrousd })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ cap_microusd: capMicrousd }))
        .execute();
    },

    async ownerSpending(ownerId) {
      const row = await db
        .selectFrom("owners")
        .select(["cap_microusd", "drawn_microusd"])
        .where("id", "=", ownerId)
        .executeTakeFirst();
      return { capMicrousd: row?.cap_microusd ?? null, drawnMicrousd: row?.drawn_microusd ?? 0 };
    },
  };
}
