import { Kysely, PostgresDialect, sql } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import * as runs from "./0001-runs.ts";
import * as doors from "./0002-doors.ts";
import * as appends from "./0003-appends.ts";
import * as brons from "./0014-brons.ts";

const name = `test_${randomBytes(8).toString("hex")}`;
let server: pg.Client;
let db: Kysely<unknown>;
beforeAll(async () => {
  server = new pg.Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  await server.query(`create database ${name}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  db = new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url.href, max: 1 }) }),
  });
});
afterAll(async () => {
  await db.destroy();
  await server.query(`drop database ${name}`);
  await server.end();
});

test("BR1 BR23 runs from before have their tokens and their last card from the log", async () => {
  for (const { up } of [runs, doors, appends]) await up(db);
  const [told, silent, bronId, threadId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await sql`insert into owners (id) values ('local')`.execute(db);
  await sql`insert into brons (id, owner_id, name, avatar_color, system_prompt) values (${bronId}, 'local', 'Bron', '#000000', '')`.execute(
    db,
  );
  await sql`insert into threads (id, owner_id, bron_id) values (${threadId}, 'local', ${bronId})`.execute(
    db,
  );
  for (const id of [told, silent]) {
    await sql`insert into runs (id, owner_id, bron_id, thread_id, title, prompt, attached_context, caps, status, log_version, last_seq, runnable, wakes) values (${id}, 'local', ${bronId}, ${threadId}, '', '', '[]', '{}', 'completed', 1, 5, false, 1)`.execute(
      db,
    );
  }
  const usage = (inputTokens: number) => ({
    type: "usage",
    payload: { inputTokens, outputTokens: 3 },
  });
  const card = (reason: string) => ({
    type: "ui",
    payload: { kind: "ReconnectCard", payload: { provider: "google", reason } },
  });
  for (const [seq, events] of [
    [2, [usage(10), card("first")]],
    [
      5,
      [
        usage(20.4),
        card(`last\n one${" and on".repeat(40)}`),
        { type: "status", payload: { status: "completed" } },
      ],
    ],
  ] as const) {
    await sql`insert into run_log (run_id, seq, owner_id, events, created_at) values (${told}, ${seq}, 'local', ${JSON.stringify(events)}::json, now())`.execute(
      db,
    );
  }
  await brons.up(db);
  const { rows } = await sql<{
    id: string;
    card: { kind: string; text: string } | null;
    tokens: string;
  }>`select id, card, input_tokens || ' ' || output_tokens as tokens from runs`.execute(db);
  expect(rows.find(({ id }) => id === silent)).toEqual({ id: silent, card: null, tokens: "0 0" });
  const run = rows.find(({ id }) => id === told);
  expect(run).toMatchObject({
    tokens: "30 6",
    card: { kind: "ReconnectCard", text: expect.stringMatching(/^last one and on and on/) },
  });
  expect(run?.card?.text).toHaveLength(200);
});
