import { Kysely, PostgresDialect, sql } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import * as runs from "./0001-runs.ts";
import * as doors from "./0002-doors.ts";
import * as appends from "./0003-appends.ts";
import * as audit from "./0010-audit.ts";

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

test("RT12 rows from before there were actors say whose doing they were, and cannot be changed after that", async () => {
  for (const { up } of [runs, doors, appends]) await up(db);
  const [runId, actionId, effectId, approvalId] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ];
  await sql`insert into approvals (id, run_id, owner_id, action_id, effect_id, tool, state, digest, reason, preview, expires_at) values (${approvalId}, ${runId}, 'local', ${actionId}, ${effectId}, 'post', 'used', 'd', '', '', now())`.execute(
    db,
  );
  const old = [
    ["approval.requested", {}],
    ["approval.approved", { by: "local", reason: "fine" }],
    ["approval.expired", {}],
    ["effect.failed", { error: { code: "tool_failed", message: "words of others" } }],
  ] as const;
  for (const [kind, detail] of old) {
    await sql`insert into audit (owner_id, run_id, kind, tool, action_id, effect_id, digest, detail) values ('local', ${runId}, ${kind}, 'post', ${actionId}, ${effectId}, 'd', ${JSON.stringify(detail)}::jsonb)`.execute(
      db,
    );
  }
  await audit.up(db);
  const { rows } = await sql`select what, by, approval_id, details from audit order by id`.execute(
    db,
  );
  expect(rows).toEqual([
    { what: "approval.requested", by: "bron", approval_id: approvalId, details: {} },
    {
      what: "approval.approved",
      by: "owner",
      approval_id: approvalId,
      details: { reason: "fine" },
    },
    { what: "approval.expired", by: "system", approval_id: approvalId, details: {} },
    { what: "effect.failed", by: "bron", approval_id: null, details: { error: "tool_failed" } },
  ]);
  await expect(sql`delete from audit`.execute(db)).rejects.toThrow("never changed");
});
