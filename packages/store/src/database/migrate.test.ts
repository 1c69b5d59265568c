import { BronError, messageOf } from "@bron/core";
import { Kysely, PostgresDialect } from "kysely";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { namesBeforeBaseline } from "../../../../test/support/names-before-baseline.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { openDatabase, type OpenDatabase } from "./database.ts";
import { readLog } from "../log/log-rows.ts";
import { migrate } from "./migrate.ts";
import * as baseline from "../migrations/0019-baseline.ts";
import * as doors from "../migrations/0020-doors.ts";
import * as lists from "../migrations/0022-lists.ts";

const packageFile = new URL("../../package.json", import.meta.url);
const schema19 = readFileSync(
  new URL("../migrations/schema-0019.fixture.sql", import.meta.url),
  "utf8",
);

describe("migrate", () => {
  const databases: { database: TestDatabase; open: OpenDatabase }[] = [];
  let current: OpenDatabase;
  const openEmpty = async () => {
    const database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
    const open = await openDatabase({ url: database.url });
    databases.push({ database, open });
    return open;
  };
  beforeAll(async () => {
    current = await openEmpty();
    await migrate(current.db);
  });
  afterAll(async () => {
    for (const { database, open } of databases) {
      await open.close();
      await database.drop();
    }
  });

  /** A database as the replaced migrations left it, with an owner, and with these names recorded. */
  const openOld = async (names: readonly string[]) => {
    const old = await openEmpty();
    await old.pool.query(schema19);
    if (names.includes("0020-doors")) await doors.up(untyped(old.pool));
    if (names.includes("0022-lists")) await lists.up(untyped(old.pool));
    await old.pool.query("insert into owners (id) values ('eva')");
    await old.pool.query(
      "create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)",
    );
    for (const [index, name] of names.entries())
      await old.pool.query("insert into kysely_migration values ($1, $2)", [
        name,
        new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
      ]);
    return old;
  };

  it("creates with the baseline exactly the tables of the migrations that it replaces", async () => {
    const [old, created] = [await openEmpty(), await openEmpty()];
    await old.pool.query(schema19);
    await baseline.up(untyped(created.pool));
    const expected = await readCatalog(old.pool);
    expect(expected.length).toBeGreaterThan(300);
    expect(await readCatalog(created.pool)).toEqual(expected);
  });

  it.each([
    [[]],
    [["0020-doors"]],
    [["0020-doors", "0021-clock-set-back"]],
    [["0020-doors", "0021-clock-set-back", "0022-lists"]],
  ])("adopts a database that ends at 0019 and has %j after it", async (later) => {
    const old = await openOld([...namesBeforeBaseline, ...later]);
    // Several processes start at once.
    await Promise.all(Array.from({ length: 4 }, () => migrate(old.db)));
    expect(await readCatalog(old.pool)).toEqual(await readCatalog(current.pool));
    expect(await readFunctions(old.pool)).toEqual(await readFunctions(current.pool));
    expect(await readNames(old.pool)).toEqual(await readNames(current.pool));
    expect((await old.pool.query("select id from owners")).rows).toEqual([{ id: "eva" }]);
    await expect(old.pool.query("truncate audit")).rejects.toThrow("never changed");
  });

  it("keeps the reason, the changes and the reply of an old approval", async () => {
    const old = await openOld(namesBeforeBaseline);
    const id = randomUUID();
    await old.pool.query(
      `insert into approvals (id, run_id, owner_id, action_id, effect_id, tool, state, digest, reason, preview, expires_at, difference, answer)
       values ($1, $1, 'eva', $1, $1, 'post', 'denied', 'sha256:1', 'It "leaves".', 'post hi', now(), '[{"field":"to","before":"a","after":"b"}]', 'shorter')`,
      [id],
    );
    await migrate(old.db);
    const { rows } = await old.pool.query("select reasons, diff, reply from approvals");
    expect(rows).toEqual([
      {
        reasons: ['It "leaves".'],
        diff: [{ field: "to", before: "a", after: "b" }],
        reply: "shorter",
      },
    ]);
  });

  it.each([
    ["model_nonsense", "model_response_invalid"],
    ["model_runaway", "model_response_too_long"],
    ["run_poisoned", "run_keeps_failing"],
    ["model_timeout", "model_timeout"],
  ])("reads the error %s of an old run as %s", async (old, current) => {
    const { pool, db } = await openOld(namesBeforeBaseline);
    const id = randomUUID();
    const error = { code: old, message: "No response." };
    const event = { type: "status", payload: { status: "failed", code: old } };
    const inserts: [string, unknown[]][] = [
      [
        "brons (id, owner_id, name, avatar_color, system_prompt) values ($1, 'eva', '', '', '')",
        [],
      ],
      ["threads (id, owner_id, bron_id) values ($1, 'eva', $1)", []],
      [
        "runs (id, owner_id, bron_id, thread_id, title, prompt, attached_context, caps, status, error, card, log_version, last_seq, runnable, wakes) values ($1, 'eva', $1, $1, '', '', '[]', '{}', 'failed', $2, $3, 5, 1, false, 1)",
        [error, { kind: "RunSummaryCard", text: "", error }],
      ],
      [
        "run_log (run_id, seq, owner_id, events, created_at) values ($1, 1, 'eva', $2, now())",
        [JSON.stringify([event])],
      ],
    ];
    for (const [insert, values] of inserts)
      await pool.query(`insert into ${insert}`, [id, ...values]);
    await migrate(db);
    const { rows } = await pool.query("select error, card -> 'error' as shown from runs");
    const expected = { ...error, code: current };
    expect(rows).toEqual([{ error: expected, shown: expected }]);
    expect(await readLog(pool, { runId: id, ownerId: "eva", afterSeq: 0 })).toMatchObject([
      { type: "status", payload: { status: "failed", code: current } },
    ]);
  });

  it("keeps partial texts and what parents know, under their new names", async () => {
    const { pool, db } = await openOld(namesBeforeBaseline);
    const id = randomUUID();
    for (const insert of [
      "brons (id, owner_id, name, avatar_color, system_prompt) values ($1, 'eva', '', '', '')",
      "threads (id, owner_id, bron_id) values ($1, 'eva', $1)",
      "runs (id, owner_id, bron_id, thread_id, title, prompt, attached_context, caps, status, log_version, last_seq, runnable, wakes, parent_told) values ($1, 'eva', $1, $1, '', '', '[]', '{}', 'executing', 5, 1, false, 1, 'waiting')",
      "answers_in_progress (run_id, owner_id, step, attempt, text) values ($1, 'eva', 2, 1, 'So far')",
    ])
      await pool.query(`insert into ${insert}`, [id]);
    await migrate(db);
    const { rows } = await pool.query(
      "select reported_status, text from runs join partial_texts on run_id = id",
    );
    expect(rows).toEqual([{ reported_status: "waiting", text: "So far" }]);
  });

  it("gives an old thread the title of its first run, and none to that of a child run", async () => {
    const { pool, db } = await openOld(namesBeforeBaseline);
    const [bron, thread, hidden, first, second, child] = Array.from({ length: 6 }, () =>
      randomUUID(),
    );
    await pool.query(
      "insert into brons (id, owner_id, name, avatar_color, system_prompt) values ($1, 'eva', '', '', '')",
      [bron],
    );
    for (const id of [thread, hidden])
      await pool.query("insert into threads (id, owner_id, bron_id) values ($1, 'eva', $2)", [
        id,
        bron,
      ]);
    for (const [id, threadId, parent, title, at] of [
      [first, thread, null, "first", "2026-01-05T09:00:00.1234Z"],
      [second, thread, null, "second", "2026-01-05T10:00:00.1239Z"],
      [child, hidden, first, "child", "2026-01-05T11:00:00Z"],
    ])
      await pool.query(
        "insert into runs (id, owner_id, bron_id, thread_id, parent_run_id, title, prompt, attached_context, caps, status, log_version, last_seq, runnable, wakes, created_at) values ($1, 'eva', $2, $3, $4, $5, '', '[]', '{}', 'completed', 5, 1, false, 1, $6)",
        [id, bron, threadId, parent, title, at],
      );
    await migrate(db);
    const { rows } = await pool.query(
      "select title, updated_at from threads order by updated_at nulls last",
    );
    expect(rows).toEqual([
      { title: "first", updated_at: new Date("2026-01-05T10:00:00.123Z") },
      { title: "", updated_at: null },
    ]);
  });

  it("finds old tasks by their words, and those of a child run in its parent's conversation", async () => {
    const { pool, db } = await openOld(namesBeforeBaseline);
    const [bron, thread, hidden, parent, child] = Array.from({ length: 5 }, () => randomUUID());
    await pool.query(
      "insert into brons (id, owner_id, name, avatar_color, system_prompt) values ($1, 'eva', '', '', '')",
      [bron],
    );
    for (const [threadId, id, parentId, prompt] of [
      [thread, parent, null, "ask about the <heron>"],
      [hidden, child, parent, "a quokka, please"],
    ]) {
      await pool.query("insert into threads (id, owner_id, bron_id) values ($1, 'eva', $2)", [
        threadId,
        bron,
      ]);
      await pool.query(
        "insert into runs (id, owner_id, bron_id, thread_id, parent_run_id, title, prompt, attached_context, caps, status, log_version, last_seq, runnable, wakes) values ($1, 'eva', $2, $3, $4, 'a title', $5, '[]', '{}', 'completed', 5, 1, false, 1)",
        [id, bron, threadId, parentId, prompt],
      );
      await pool.query(
        "insert into bron_messages (owner_id, bron_id, thread_id, run_id, role, content) values ('eva', $1, $2, $3, 'assistant', 'The answer was ZEPPELIN@sky.example.')",
        [bron, threadId, id],
      );
      const actionId = randomUUID();
      await pool.query(
        "insert into actions (id, run_id, owner_id, step, call_id, tool, state) values ($1, $2, 'eva', 1, 'c', 'send', 'completed')",
        [actionId, id],
      );
      await pool.query(
        "insert into effects (id, run_id, owner_id, action_id, tool, state, digest, prepared) values ($1, $2, 'eva', $1, 'send', $3, '', $4)",
        [actionId, id, parentId === null ? "done" : "rejected", { to: ["Priya <p@x.example>"] }],
      );
    }
    await migrate(db);
    const findRuns = async (query: string) => {
      const { rows } = await pool.query<{ run_id: string; thread_id: string }>(
        "select run_id, thread_id from task_words where words @@ to_tsquery('simple', $1) and '=' || md5('eva') = any (tsvector_to_array(words)) order by run_id = $2",
        [query, child],
      );
      return rows.map((row) => [row.run_id, row.thread_id]);
    };
    expect(await findRuns("heron & title")).toEqual([[parent, thread]]);
    expect(await findRuns("quokka")).toEqual([[child, thread]]);
    expect(await findRuns("zeppelin & sky")).toEqual([
      [parent, thread],
      [child, thread],
    ]);
    expect(await findRuns("priya")).toEqual([[parent, thread]]);
  });

  it("rejects an older database, says which version opens it, and changes nothing", async () => {
    const names = namesBeforeBaseline.slice(0, -1);
    const old = await openOld(names);
    const functions = await readFunctions(old.pool);
    const error = await migrate(old.db).catch((thrown: unknown) => thrown);
    expect(BronError.is(error, "database_too_old")).toBe(true);
    expect(error).toMatchObject({
      message: expect.stringMatching(/schema 0018-children.*last version.*Bron 0\.1\.0/),
    });
    const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
    expect(messageOf(error)).not.toContain(`Bron ${version}`);
    expect(await readNames(old.pool)).toEqual(names);
    expect(await readFunctions(old.pool)).toEqual(functions);
  });

  it("rejects a newer database", async () => {
    const newer = await openEmpty();
    await migrate(newer.db);
    await newer.pool.query("insert into kysely_migration values ('9999-later', '2030-01-01')");
    await expect(migrate(newer.db)).rejects.toMatchObject({ code: "log_too_new" });
  });
});

/** Migrations do not know the types of the tables. */
function untyped(pool: pg.Pool): Kysely<unknown> {
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

async function readNames(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select name from kysely_migration order by timestamp, name",
  );
  return rows.map(({ name }) => name);
}

async function readFunctions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(
    "select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace order by proname",
  );
  return rows.map(({ text }) => text);
}

/** One line for each table, column, constraint, index, trigger and view, without Kysely's own. */
async function readCatalog(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    with tables as (
      select oid, relname, relkind, relpersistence, reloptions, relacl from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S') and relname not like 'kysely%'
    )
    select concat_ws(' ', 'table', relname, relkind, relpersistence, reloptions, relacl) as line from tables
    union all
    select concat_ws(' ', 'column', t.relname, row_number() over (partition by t.oid order by a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
      'not null', a.attnotnull, 'identity', a.attidentity, 'storage', a.attstorage, 'default', pg_get_expr(d.adbin, d.adrelid))
    from tables t join pg_attribute a on a.attrelid = t.oid left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
    union all
    -- Postgres 18 lists "not null" here too, under names that survive the renaming of a column.
    select concat_ws(' ', 'constraint', t.relname, c.conname, pg_get_constraintdef(c.oid)) from tables t join pg_constraint c on c.conrelid = t.oid where c.contype <> 'n'
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid)) from tables t join pg_index i on i.indrelid = t.oid
    union all
    select concat_ws(' ', 'trigger', pg_get_triggerdef(g.oid), g.tgenabled) from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
    union all
    select concat_ws(' ', 'view', relname, pg_get_viewdef(oid)) from tables where relkind = 'v'
    order by 1`);
  return rows.map(({ line }) => line);
}
