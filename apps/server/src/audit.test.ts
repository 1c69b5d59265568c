// Tests the audit log through the client and the server, in pages and as a stream of lines.
import { type Client, createClient, httpTransport } from "@bron/client";
import { BronError, type Store } from "@bron/core";
import type { AuditView } from "@bron/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../../../test/support/http/ask.ts";
import type { ServedRuntime } from "./app.ts";
import { createServer } from "./create-server.ts";
import { openHarness, ownerId, runId, type HarnessOptions } from "./runtime-harness.fixture.ts";
import { ownerHeader } from "../../../test/support/http/owner-header.ts";

const rowOf = (id: number): AuditView => ({
  id,
  at: "2026-11-15T12:00:00.000Z",
  what: "effect.done",
  by: "bron",
  runId,
  actionId: null,
  effectId: null,
  approvalId: null,
  tool: "gmail_send",
  digest: null,
  details: { to: ["Zoë 🙂 <zoe@example.com>"] },
});

describe("the audit routes", () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))));
  const serve = async (
    options: HarnessOptions = {},
    change: (runtime: ServedRuntime) => ServedRuntime = (same) => same,
  ) => {
    const { runtime, store } = await openHarness(undefined, options);
    const server = await createServer({
      runtime: change(runtime),
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      graceMs: 100,
    });
    opened.push(server, runtime);
    const client: Client = createClient({
      transport: httpTransport({ url: server.url, authorize: () => ownerHeader(runtime) }),
    });
    return {
      client,
      store,
      get: (path: string) =>
        ask(`${server.url}${path}`, { headers: { authorization: ownerHeader(runtime) } }),
    };
  };
  const all = Array.from({ length: 450 }, (_, index) => rowOf(450 - index));
  const fill = async ({ audit }: Store) => {
    for (const { id: _, at: _at, what, by, tool, details } of all)
      await audit.write(ownerId, { what, by, runId, tool: tool ?? "", details });
  };
  /** A log of this many rows, which fails when more are read. */
  const failingAfter =
    (rows: number): NonNullable<HarnessOptions["wrap"]> =>
    (store) => ({
      ...store,
      audit: {
        ...store.audit,
        list(_ownerId, { before = rows + 1, limit = 0 }) {
          if (before === 1 || rows === 0)
            return Promise.reject(
              new BronError("database_unreachable", "The database is not responding."),
            );
          const ids = Array.from({ length: limit }, (_, index) => before - 1 - index);
          return Promise.resolve(ids.filter((id) => id > 0).map(rowOf));
        },
      },
    });

  it("RT12 returns the requested number of rows, in pages, for the owner only", async () => {
    const { client, store } = await serve();
    await fill(store);
    await store.audit.write("someone", { what: "effect.done", by: "bron", runId });
    await store.audit.write(ownerId, { what: "rule.changed", by: "owner" });
    expect(await client.list("GET /api/audit", { limit: 1_000, runId, what: "effect" })).toEqual(
      all,
    );
    expect(await client.list("GET /api/audit", { limit: 250, before: 300 })).toEqual(
      all.slice(151, 401),
    );
    expect((await client.list("GET /api/audit")).map(({ id }) => id)).toEqual([
      452,
      ...all.map(({ id }) => id),
    ]);
  });

  it("rejects an unknown filter and an invalid cursor", async () => {
    const { get } = await serve();
    for (const query of [
      "what=nonsense",
      "what=effect.nonsense",
      "runId=x",
      "before=0",
      "before=x",
      "limit=0",
      "limit=201",
    ])
      expect((await get(`/api/audit?${query}`)).status, query).toBe(400);
  });

  it("exports all rows as JSON Lines", async () => {
    const { client, get, store } = await serve();
    await fill(store);
    const rows: AuditView[] = [];
    for await (const row of client.auditRows({})) rows.push(row);
    expect(rows).toEqual(all);
    const { headers, text } = await get("/api/audit/export?what=effect");
    expect(headers).toMatchObject({
      "content-type": "application/jsonl; charset=utf-8",
      "content-disposition": expect.stringContaining("bron-audit.jsonl"),
    });
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(all);
  });

  it("exports an empty log as an empty file, and reports an early failure", async () => {
    const empty = await serve();
    expect(await empty.get("/api/audit/export")).toMatchObject({ status: 200, text: "" });
    const away = await serve({ wrap: failingAfter(0) });
    expect((await away.get("/api/audit/export")).status).toBe(503);
  });

  it("rejects a truncated export", async () => {
    const { client } = await serve({ wrap: failingAfter(5_000) });
    const rows: AuditView[] = [];
    const read = async () => {
      for await (const row of client.auditRows({})) rows.push(row);
    };
    await expect(read()).rejects.toMatchObject({ code: "server_unreachable" });
    // The rows before the failure arrived complete and in order.
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(rows.map((_, at) => rowOf(5_000 - at)));
  });

  it("stops reading when the client disconnects", async () => {
    let isLeft = false;
    const { client } = await serve({ wrap: failingAfter(1_000_000) }, (runtime) => ({
      ...runtime,
      clientFor(caller) {
        const served = runtime.clientFor(caller);
        return {
          ...served,
          async *auditRows(options) {
            try {
              yield* served.auditRows(options);
            } finally {
              isLeft = true;
            }
          },
        };
      },
    }));
    for await (const row of client.auditRows({})) if (row.id < 999_900) break;
    await expect.poll(() => isLeft).toBe(true);
  });
});
