import {
  exportDatabase,
  importDatabase,
  migrate,
  openDatabase,
  type BackupLine,
} from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { createRuntime } from "@bron/runtime";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase } from "./support/test-database.ts";
import { namesBeforeBaseline } from "./support/names-before-baseline.ts";

const secretKey = "a secret key for tests that is long enough";

describe("backup and restore", () => {
  it("BR16 writes a parent run before its child runs, whichever was changed last", async () => {
    const database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
    const runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey,
      work: "none",
      model: {
        model: scriptedLanguageModel(() => ({ text: "never asked" })),
        name: "none",
        maxOutputTokens: 1,
      },
    });
    const parent = await runtime
      .clientFor("local")
      .call("POST /api/runs", { body: { prompt: "whole" } });
    const { run: child } = await runtime.startRun(
      "local",
      { prompt: "part" },
      { parentRunId: parent.id },
    );
    await runtime.close();
    const source = await openDatabase({ url: database.url });
    await source.pool.query("update runs set summary = repeat('answer ', 2000) where id = $1", [
      parent.id,
    ]);
    const ids: unknown[] = [];
    for await (const line of exportDatabase(source.pool))
      if (line.kind === "row" && line.table === "runs") ids.push((line.row as { id: string }).id);
    expect(ids).toEqual([parent.id, child.id]);
    await source.close();
    await database.drop();
  });

  it("BR5 transfers runs, artifacts and parked approvals, and the restored runs continue", async () => {
    const sent: string[] = [];
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({ to: z.string() }),
      sideEffect: true,
      async prepare({ to }, context) {
        await context.saveArtifact({
          kind: "outbound_email_eml",
          name: "mail.eml",
          mediaType: "message/rfc822",
          bytes: new Uint8Array([0, 1, 254, 255]),
        });
        return { prepared: { to }, preview: `To ${to}` };
      },
      execute({ to }) {
        sent.push(to);
        return "sent";
      },
    });
    const model = {
      model: scriptedLanguageModel(({ turn }) =>
        turn === 0
          ? { text: "Ünïcode 🙂", calls: [{ tool: "send", input: { to: "eva" } }] }
          : { text: "Done." },
      ),
      name: "scripted",
      maxOutputTokens: 100,
    };
    const [from, to] = [
      await createTestDatabase(inject("postgresUrl"), { isEmpty: true }),
      await createTestDatabase(inject("postgresUrl"), { isEmpty: true }),
    ];
    const first = await createRuntime({ databaseUrl: from.url, secretKey, model, tools: [send] });
    const run = await first
      .clientFor("local")
      .call("POST /api/runs", { body: { prompt: "send it" } });
    for await (const _ of first.clientFor("local").events(run.id, { untilParked: true }));
    const events = [];
    for await (const event of first.logs.events("local", run.id, { untilParked: true }))
      events.push(event);
    await first.close();

    const source = await openDatabase({ url: from.url });
    const target = await openDatabase({ url: to.url });
    await migrate(target.db);
    const lines: BackupLine[] = [];
    for await (const line of exportDatabase(source.pool))
      lines.push(JSON.parse(JSON.stringify(line)) as BackupLine);
    const replay = async function* () {
      yield* lines;
    };
    expect(await importDatabase(target.pool, replay())).toBe(lines.length - 1);
    await expect(importDatabase(target.pool, replay())).rejects.toMatchObject({ code: "conflict" });
    await source.close();
    await target.close();

    const second = await createRuntime({ databaseUrl: to.url, secretKey, model, tools: [send] });
    const client = second.clientFor("local");
    const restored = [];
    for await (const event of second.logs.events("local", run.id, { untilParked: true }))
      restored.push(event);
    expect(restored).toEqual(events);
    const [artifact] = (
      await client.call("GET /api/runs/:id/artifacts", { params: { id: run.id } })
    ).artifacts;
    expect(await client.readArtifact(artifact!.digest)).toEqual(new Uint8Array([0, 1, 254, 255]));
    const [approval] = await client.list("GET /api/approvals", { pending: "true" });
    await client.call("POST /api/approvals/:id/approve", {
      params: { id: approval!.id },
      body: { digest: approval!.digest },
    });
    for await (const _ of client.events(run.id));
    expect(await client.call("GET /api/runs/:id", { params: { id: run.id } })).toMatchObject({
      status: "completed",
    });
    expect(sent).toEqual(["eva"]);
    await second.close();
    await from.drop();
    await to.drop();
  });

  it("BR25 keeps tokens and model keys, and signs out all browsers", async () => {
    const model = {
      model: scriptedLanguageModel(() => ({ text: "Done." })),
      name: "usual",
      maxOutputTokens: 100,
    };
    const asked: string[] = [];
    const options = {
      secretKey,
      model,
      modelFromKey: ({ key }: { key: string }) => (asked.push(key), model),
      work: "own" as const,
    };
    const [from, to] = [
      await createTestDatabase(inject("postgresUrl"), { isEmpty: true }),
      await createTestDatabase(inject("postgresUrl"), { isEmpty: true }),
    ];
    const first = await createRuntime({ ...options, databaseUrl: from.url });
    const { token } = await first.tokens.create("eva", { name: "script", scopes: ["run"] });
    await first.clientFor("eva").call("PUT /api/model-keys/:provider", {
      params: { provider: "gemini" },
      body: { key: "AIza-of-eva-1234" },
    });
    const { secret } = await first.sessions.open("eva", {
      via: "link",
      userAgent: "Firefox",
      lifeMs: 3_600_000,
    });
    const cookie = {
      via: "firebase" as const,
      secret: "signed elsewhere",
      userAgent: "Firefox",
      signedInAt: Date.now() - 1_000,
      expiresAt: Date.now() + 3_600_000,
    };
    await first.sessions.admit("eva", cookie);
    await first.rates.take([{ key: "eva", limit: 1, windowMs: 3_600_000 }]);
    await first.streamSlots.take("eva", 1);
    const lines: BackupLine[] = [];
    for await (const line of first.backup())
      lines.push(JSON.parse(JSON.stringify(line)) as BackupLine);
    await first.close();
    expect(JSON.stringify(lines)).not.toContain(token.slice(5, -4));
    expect(JSON.stringify(lines)).not.toContain("AIza-of-eva");

    const target = await openDatabase({ url: to.url });
    await migrate(target.db);
    const replay = async function* () {
      yield* lines;
    };
    await importDatabase(target.pool, replay());
    await target.close();
    const second = await createRuntime({ ...options, databaseUrl: to.url });
    const client = second.clientFor("eva");
    expect(await second.tokens.find(token)).toMatchObject({ ownerId: "eva", scopes: ["run"] });
    expect((await client.call("GET /api/model-keys")).modelKeys).toMatchObject([
      { provider: "gemini", hint: "1234" },
    ]);
    asked.length = 0;
    const run = await client.call("POST /api/runs", { body: { prompt: "use the key" } });
    for await (const _ of client.events(run.id));
    expect(asked).toEqual(["AIza-of-eva-1234"]);
    expect(await second.sessions.find(secret)).toBeUndefined();
    expect(await client.call("GET /api/sessions")).toEqual({ sessions: [] });
    expect(await second.sessions.admit("eva", cookie)).toBeUndefined();
    expect(await second.rates.take([{ key: "eva", limit: 1, windowMs: 3_600_000 }])).toEqual({
      ok: true,
    });
    expect(await second.streamSlots.take("eva", 1)).toBeDefined();
    await second.close();
    await from.drop();
    await to.drop();
  });

  it("rejects a file that is not a backup, and leaves nothing behind", async () => {
    const database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
    const open = await openDatabase({ url: database.url });
    await migrate(open.db);
    const { rows: migrations } = await open.pool.query<{ name: string }>(
      "select name from kysely_migration order by name",
    );
    const header: BackupLine = {
      kind: "header",
      format: "bron-backup-1",
      migrations: migrations.map(({ name }) => name),
    };
    const bad: BackupLine[][] = [
      [],
      [{ kind: "row", table: "owners", row: { id: "x" } }],
      [header, { kind: "row", table: "pg_authid", row: {} }],
      [
        header,
        {
          kind: "row",
          table: "owners",
          row: { id: "x", drawn_microusd: 0, created_at: "2026-01-01" },
        },
        { kind: "row", table: "runs", row: {} },
      ],
      [{ ...header, migrations: ["9999-later"] }],
    ];
    for (const lines of bad) {
      const replay = async function* () {
        yield* lines;
      };
      await expect(importDatabase(open.pool, replay())).rejects.toThrow();
    }
    const { rows } = await open.pool.query<{ owners: number }>(
      "select count(*)::int as owners from owners",
    );
    expect(rows).toEqual([{ owners: 0 }]);
    await open.close();
    await database.drop();
  });

  it("restores a backup that names the migrations before the baseline", async () => {
    const database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
    const open = await openDatabase({ url: database.url });
    await migrate(open.db);
    const { rows } = await open.pool.query<{ name: string }>(
      "select name from kysely_migration where name > '0019-baseline' order by name",
    );
    const later = rows.map(({ name }) => name);
    const replay = (migrations: readonly string[]) =>
      (async function* (): AsyncGenerator<BackupLine> {
        yield { kind: "header", format: "bron-backup-1", migrations };
        const row = { id: "eva", drawn_microusd: 0, zone: "UTC", created_at: "2026-01-01" };
        yield { kind: "row", table: "owners", row };
      })();
    await expect(
      importDatabase(open.pool, replay([...namesBeforeBaseline.slice(1), ...later])),
    ).rejects.toMatchObject({ code: "log_too_new" });
    expect(await importDatabase(open.pool, replay([...namesBeforeBaseline, ...later]))).toBe(1);
    await open.close();
    await database.drop();
  });
});
