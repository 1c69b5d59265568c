import { randomBytes } from "node:crypto";
import { BronError } from "@bron/core";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { postgresPartialTexts } from "../tables/partial-texts.ts";
import { postgresContacts } from "../tables/contacts.ts";
import { toDatabaseError } from "./database-errors.ts";
import { openDatabase, type OpenDatabase } from "./database.ts";
import { checkInstance } from "./instance.ts";
import { postgresLoad } from "../tables/load.ts";
import { migrate } from "./migrate.ts";
import { postgresOauthTokens } from "../access/oauth-tokens.ts";
import { postgresPermissions } from "../tables/permissions.ts";
import { postgresRates } from "../access/rates.ts";
import type { Database } from "./schema.ts";
import { takeRunnable } from "../runs/sweep.ts";

const caught = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("an outage of the database", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await openDatabase({ url: database.url, poolSize: 4 });
    await migrate(open.db);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  /** Runs `during` while the table is locked and a statement of `work` waits for it. */
  const whileWaiting = async (
    table: string,
    work: () => Promise<unknown>,
    during: string,
  ): Promise<unknown> => {
    const holder = await open.pool.connect();
    try {
      await holder.query(`begin; lock table ${table}`);
      const failed = caught(work());
      const waits =
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await open.pool.query(waits)).rowCount).toBe(1);
      await open.pool.query(`select ${during}(pid) from (${waits}) as waiting`);
      return await failed;
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  };

  it("is a retryable 503 when a statement is canceled or its connection is ended", async () => {
    const rules = () => postgresPermissions(open).listRules("eva");
    expect(await whileWaiting("rules", rules, "pg_cancel_backend")).toMatchObject({
      code: "database_busy",
      retryable: true,
      cause: { code: "57014" },
    });
    expect(await whileWaiting("rules", rules, "pg_terminate_backend")).toMatchObject({
      code: "database_unreachable",
      retryable: true,
      cause: { code: "57P01" },
    });
  });

  it("is a retryable 503 when the server has too many connections", async () => {
    const role = `full_${randomBytes(4).toString("hex")}`;
    await open.pool.query(`create role ${role} login password 'x' connection limit 0`);
    try {
      const url = new URL(database.url);
      url.username = role;
      url.password = "x";
      const pool = new pg.Pool({ connectionString: url.href });
      expect(await caught(postgresContacts(pool).find("eva", "gmail", []))).toMatchObject({
        code: "database_busy",
        retryable: true,
        cause: { code: "53300" },
      });
      expect(await caught(openDatabase({ url: url.href }))).toMatchObject({
        code: "database_busy",
        retryable: true,
      });
      await pool.end();
    } finally {
      await open.pool.query(`drop role ${role}`);
    }
  });

  it("is reported by every port, without the address in the driver's message", async () => {
    const pool = new pg.Pool({ connectionString: "postgres://eva@127.0.0.1:1/nothing" });
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
    const asked = [
      postgresPartialTexts(db).get("eva", "x"),
      postgresContacts(pool).find("eva", "gmail", []),
      postgresOauthTokens({ db, pool }).load("eva", "google"),
      postgresPermissions({ db, pool }).rules({ ownerId: "eva", bronId: "x" }),
      postgresRates(pool).take([{ key: "x", limit: 1, windowMs: 1 }]),
      postgresLoad(pool).ping(),
      checkInstance(db, { secretKeyFingerprint: "x" }),
      takeRunnable(pool, {
        worker: "w",
        active: [],
        only: undefined,
        limit: 1,
        leaseMs: 5_000,
        takeOverUntil: 0,
        serves: [],
        maxPerOwner: 1,
        maxInAll: 1,
      }),
    ];
    for (const error of await Promise.all(asked.map(caught))) {
      expect(error).toMatchObject({
        code: "database_unreachable",
        retryable: true,
        message: "The database is not responding.",
        cause: { code: "ECONNREFUSED" },
      });
    }
    await pool.end();
  });

  it("is distinguished from a rejected statement, whose message is not exposed", async () => {
    const renamed = new pg.Pool({
      connectionString: database.url,
      options: "-c search_path=nowhere",
    });
    expect(await caught(postgresContacts(renamed).find("eva", "gmail", []))).toMatchObject({
      code: "internal",
      retryable: false,
      message: "The database rejected a statement.",
      cause: { code: "42P01" },
    });
    await renamed.end();
  });

  it("is found in wrapped errors, and in no other error", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:5432"), {
      code: "ECONNREFUSED",
    });
    const aggregate = new AggregateError([refused], "");
    expect(toDatabaseError(new Error("launch failed", { cause: aggregate }))).toMatchObject({
      code: "database_unreachable",
    });
    for (const error of [
      new Error("other"),
      Object.assign(new Error("duplicate"), { code: "23505" }),
      new BronError("conflict", "x", { cause: refused }),
      undefined,
      "text",
    ])
      expect(toDatabaseError(error)).toBe(error);
  });
});
