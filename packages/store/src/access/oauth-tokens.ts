import type { OauthTokens, StoredTokens } from "@bron/core";
import type { Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import { writeAudit } from "../tables/audit.ts";
import type { OpenDatabase } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import type { Database } from "../database/schema.ts";

/** Every call of a connector loads its token. */
const loadStatement = {
  name: "bron-oauth-token-1",
  text: "select user_id, access_token, refresh_token, expiry, scopes from oauth_tokens where owner_id = $1 and provider = $2",
} as const;

type TokenRow = Pick<
  Selectable<Database["oauth_tokens"]>,
  "user_id" | "access_token" | "refresh_token" | "expiry" | "scopes"
>;

export function postgresOauthTokens({ db, pool }: Pick<OpenDatabase, "db" | "pool">): OauthTokens {
  return wrapDatabaseErrors<OauthTokens>({
    async load(ownerId, provider) {
      const { rows } = await pool.query<TokenRow>({
        ...loadStatement,
        values: [ownerId, provider],
      });
      const [row] = rows;
      return (
        row && {
          account: row.user_id,
          accessToken: row.access_token,
          refreshToken: row.refresh_token ?? "",
          expiresAt: row.expiry?.getTime() ?? 0,
          scopes: row.scopes,
        }
      );
    },
    async save(ownerId, provider, tokens) {
      const values = valuesOf(tokens);
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto("owners")
          .values({ id: ownerId, cap_microusd: null })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await transaction
          .insertInto("oauth_tokens")
          .values({ id: randomUUID(), owner_id: ownerId, provider, ...values })
          .onConflict((conflict) =>
            conflict
              .columns(["owner_id", "provider"])
              .doUpdateSet({ ...values, updated_at: new Date() }),
          )
          .execute();
        await writeAudit(transaction, ownerId, [
          {
            what: "connection.connected",
            by: "owner",
            details: { provider, account: tokens.account, scopes: [...tokens.scopes] },
          },
        ]);
      });
    },
    async replace(ownerId, provider, accessToken, tokens) {
      const { numUpdatedRows } = await db
        .updateTable("oauth_tokens")
        .set({ ...valuesOf(tokens), updated_at: new Date() })
        .where("owner_id", "=", ownerId)
        .where("provider", "=", provider)
        .where("access_token", "=", accessToken)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async remove(ownerId, provider) {
      await db.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom("oauth_tokens")
          .where("owner_id", "=", ownerId)
          .where("provider", "=", provider)
          .returning("user_id")
          .execute();
        await writeAudit(
          transaction,
          ownerId,
          removed.map(({ user_id: account }) => ({
            what: "connection.disconnected",
            by: "owner",
            details: { provider, account },
          })),
        );
      });
    },
  });
}

function valuesOf({ account, accessToken, refreshToken, expiresAt, scopes }: StoredTokens) {
  return {
    user_id: account,
    access_token: accessToken,
    refresh_token: refreshToken,
    expiry: new Date(expiresAt),
    scopes: [...scopes],
  };
}
