import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { openDatabase, type OpenDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { createFunctions, sqlFunctions } from "./create-functions.ts";
import { refuseChange } from "./refuse-change.ts";

describe("the functions of the database", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
    open = await openDatabase({ url: database.url });
    await migrate(open.db);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  /** `version` changes whenever the row of a function is written. */
  const readFunctions = async () => {
    const { rows } = await open.pool.query<{ name: string; body: string; version: string }>(
      "select proname as name, prosrc as body, xmin::text as version from pg_proc where pronamespace = current_schema()::regnamespace order by proname",
    );
    return rows;
  };
  const createChanged = (changed: typeof sqlFunctions) =>
    open.db.transaction().execute((transaction) => createFunctions(transaction, changed));
  const withComment = (name: string, comment: string) =>
    sqlFunctions.map((one) =>
      one.name === name
        ? { name, text: one.text.replace("begin\n", `begin\n  -- ${comment}\n`) }
        : one,
    );

  it("are exactly those of the sources", async () => {
    const sources = [...sqlFunctions, refuseChange].map(({ name, text }) => ({
      name,
      body: text.split("$$")[1],
    }));
    const found = (await readFunctions()).map(({ name, body }) => ({ name, body }));
    expect(found).toEqual(sources.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  });

  it("have the arguments, the result and the volatility of the sources", async () => {
    const readDefinitions = async () => {
      const { rows } = await open.pool.query<{ name: string; definition: string }>(
        "select proname as name, pg_get_functiondef(oid) as definition from pg_proc where pronamespace = current_schema()::regnamespace order by proname",
      );
      return rows;
    };
    const before = await readDefinitions();
    for (const { text } of sqlFunctions) await open.pool.query(text);
    expect(await readDefinitions()).toEqual(before);
  });

  it("are not touched while their text stays the same", async () => {
    const before = await readFunctions();
    await migrate(open.db);
    expect(await readFunctions()).toEqual(before);
  });

  it("are created again when their text changes, and only then", async () => {
    const before = await readFunctions();
    expect(await createChanged(withComment("claim_placed_run", "changed"))).toEqual([
      "claim_placed_run",
    ]);
    const after = await readFunctions();
    const written = after.filter(({ version }, index) => version !== before[index]?.version);
    expect(written.map(({ name }) => name)).toEqual(["claim_placed_run"]);
    expect(written[0]?.body).toContain("-- changed");
    await migrate(open.db);
    expect((await readFunctions()).map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });

  it("are repaired by several processes that start at once", async () => {
    const before = await readFunctions();
    await createChanged(withComment("close_approval", "of another version"));
    await open.pool.query("drop function take_turns");
    await Promise.all(Array.from({ length: 6 }, () => migrate(open.db)));
    expect((await readFunctions()).map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });

  it("of earlier versions are dropped", async () => {
    await open.pool.query(
      "create function take_turn(text[], int[], float8[]) returns float8 language sql as 'select null::float8'",
    );
    await migrate(open.db);
    expect((await readFunctions()).map(({ name }) => name)).not.toContain("take_turn");
  });
});
