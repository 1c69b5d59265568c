import { isFullSuite } from "@bron/testing";
import {
  exportDatabase,
  importDatabase,
  openDatabase,
  openEmbeddedPostgres,
  readAuditGuard,
  setUpDatabase,
  type BackupLine,
  type OpenDatabase,
} from "@bron/store";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "./support/test-database.ts";

const addRow =
  "insert into audit (owner_id, what, by, details) values ('local', 'rule.added', 'owner', '{}')";
const changes = ["update audit set by = 'bron'", "delete from audit", "truncate audit"];

const refusal = async (database: Pick<OpenDatabase, "pool">, statement: string) =>
  await database.pool.query(statement).then(
    () => "done",
    (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error),
  );

describe("the audit log of an embedded database", () => {
  let home: string;
  let postgres: Awaited<ReturnType<typeof openEmbeddedPostgres>>;
  let app: OpenDatabase;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "bron-audit-"));
    await chmod(home, 0o711);
    postgres = await openEmbeddedPostgres({ home });
    // Several processes set up the database at the same time.
    await Promise.all(Array.from({ length: 4 }, () => setUpDatabase(postgres)));
    app = await openDatabase({ url: postgres.url });
    await app.pool.query(addRow);
  });
  afterAll(async () => {
    await app.close();
    await postgres.close();
    await rm(home, { recursive: true, force: true });
  });

  it("RT12 belongs to a separate role; Bron may only read and append", async () => {
    expect(await readAuditGuard(app.pool)).toBe("rights");
    expect((await app.pool.query("select what from audit")).rows).toEqual([{ what: "rule.added" }]);
    for (const change of changes) expect(await refusal(app, change), change).toBe("42501");
  });

  it("RT12 cannot be unlocked by Bron's own connections", async () => {
    const ways = [
      "alter table audit disable trigger all",
      "drop trigger audit_append_only on audit",
      "create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'",
      "alter table audit owner to bron_app",
      "grant bron_audit to bron_app",
      "set role bron_audit",
      "set role bron",
      "alter role bron_app superuser",
      "create trigger t before insert on audit for each row execute function suppress_redundant_updates_trigger()",
      "drop owned by bron_audit",
    ];
    for (const way of ways) expect(["42501", "0LP01"], way).toContain(await refusal(app, way));
    // Postgres only warns, because the role has no more rights that it could grant.
    expect(await refusal(app, "grant all on audit to bron_app")).toBe("done");
    for (const change of changes) expect(await refusal(app, change), change).toBe("42501");
  });

  it("BR5 is restored with a backup, and continues after it", async () => {
    const lines: BackupLine[] = [];
    for await (const line of exportDatabase(app.pool))
      lines.push(JSON.parse(JSON.stringify(line)) as BackupLine);
    const admin = await openDatabase({ url: postgres.adminUrl, poolSize: 1 });
    await admin.pool.query("create database restored");
    await admin.close();
    const [url, adminUrl] = [postgres.url, postgres.adminUrl].map((one) =>
      one.replace("/bron?", "/restored?"),
    ) as [string, string];
    await setUpDatabase({ url, adminUrl });
    const restored = await openDatabase({ url });
    const replay = async function* () {
      yield* lines;
    };
    await importDatabase(restored.pool, replay());
    await restored.pool.query(addRow);
    expect((await restored.pool.query("select id from audit order by id")).rows).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    expect(await readAuditGuard(restored.pool)).toBe("rights");
    await restored.close();
  });
});

describe("the audit log of an external database", () => {
  /** A separate role on the shared server, with a database that it owns. */
  const as = async (
    attributes: string,
    use: (url: string, database: OpenDatabase) => Promise<void>,
  ) => {
    const role = `role_${randomBytes(6).toString("hex")}`;
    const { url, drop } = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
    const admin = await openDatabase({ url, poolSize: 1 });
    await admin.pool.query(
      `create role ${role} login ${attributes} password 'x'; alter database ${new URL(url).pathname.slice(1)} owner to ${role}`,
    );
    await admin.close();
    const own = new URL(url);
    own.username = role;
    own.password = "x";
    await setUpDatabase({ url: own.href, adminUrl: own.href });
    const database = await openDatabase({ url: own.href });
    try {
      await use(own.href, database);
    } finally {
      await database.close();
      await drop();
    }
  };

  it("RT12 is protected by its trigger where Bron may not create roles, and says so", async () => {
    await as("", async (url, database) => {
      expect(await readAuditGuard(database.pool)).toBe("trigger");
      await database.pool.query(addRow);
      for (const change of changes)
        await expect(database.pool.query(change)).rejects.toThrow("never changed");
      await setUpDatabase({ url, adminUrl: url });
      await database.pool.query("alter table audit disable trigger audit_append_only");
      expect(await readAuditGuard(database.pool)).toBe("open");
    });
  });

  it("RT12 is not reported as protected by rights to a superuser", async () => {
    await as("superuser", async (_, database) => {
      expect(await readAuditGuard(database.pool)).toBe("trigger");
      for (const change of changes)
        await expect(database.pool.query(change)).rejects.toThrow("never changed");
    });
  });
});

describe.runIf(isFullSuite)("the audit log of a dedicated server", () => {
  it("RT12 is protected by rights where Bron may create roles", async () => {
    const home = await mkdtemp(join(tmpdir(), "bron-audit-"));
    await chmod(home, 0o711);
    const postgres = await openEmbeddedPostgres({ home });
    const admin = await openDatabase({ url: postgres.adminUrl, poolSize: 1 });
    await admin.pool.query(
      "create role maker login createrole password 'x'; alter database bron owner to maker",
    );
    await admin.close();
    const own = new URL(postgres.adminUrl);
    own.username = "maker";
    own.password = "x";
    await setUpDatabase({ url: own.href, adminUrl: own.href });
    const database = await openDatabase({ url: own.href });
    expect(await readAuditGuard(database.pool)).toBe("rights");
    await database.pool.query(addRow);
    for (const change of changes) expect(await refusal(database, change), change).toBe("42501");
    // Runs again, as at every start.
    await setUpDatabase({ url: own.href, adminUrl: own.href });
    await database.close();
    await postgres.close();
    await rm(home, { recursive: true, force: true });
  });
});
