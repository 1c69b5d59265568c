import { sql, type Kysely } from "kysely";

/**
 * Whether the owner said that all of a message is theirs.
 *
 * Tokens keep their scopes, so none of them gets the new scope `speak`. What a program sends with
 * such a token stops counting as the owner's words, until the owner creates a token that speaks for
 * them. Giving the scope to every token that starts tasks would let a program ask for changes in the
 * owner's name without the owner's decision.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bron_messages add column as_typed boolean not null default false`.execute(
    db,
  );
}
