import type { Contacts } from "@bron/core";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

export function postgresContacts(pool: pg.Pool): Contacts {
  return wrapDatabaseErrors<Contacts>({
    async find(ownerId, source, addresses) {
      const { rows } = await pool.query<{ address: string; names: string[] }>({
        name: "bron-contacts-1",
        text: `select address, names from contacts where owner_id = $1 and source = $2 and address = any($3)`,
        values: [ownerId, source, addresses],
      });
      return rows;
    },
    async remember(ownerId, source, people) {
      if (people.length === 0) return;
      await pool.query(
        `insert into contacts (owner_id, source, address, names)
         select $1, $2, person ->> 'address', array(select jsonb_array_elements_text(person -> 'names')) from jsonb_array_elements($3::jsonb) as person
         on conflict (owner_id, source, address) do nothing`,
        [ownerId, source, JSON.stringify(people)],
      );
    },
  });
}
