// Tests the audit log through the client and the server, in pages and as a stream of lines.
import { type Client, createClient, httpTransport } from "@bron/client";
import { BronError } from "@bron/core";
import type { AuditView } from "@bron/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../../../test/support/http/ask.ts";
import { createServer } from "./create-server.ts";
import { fakeRuntime, runId, type FakeRuntime } from "./fake-runtime.fixture.ts";
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
  const serve = async (audit: Partial<FakeRuntime["audit"]>) => {
    const runtime = fakeRuntime([], { audit });
    const server = await createServer({
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      graceMs: 100,
    });
    opened.push(server);
    const client: Client = createClient({
      transport: httpTransport({ url: server.url, authorize: () => ownerHeader(runtime) }),
    });
    return {
      client,
      get: (path: string) =>
        ask(`${server.url}${path}`, { headers: { authorization: ownerHeader(runtime) } }),
    };
  };
  const all = Array.from({ length: 450 }, (_, index) => rowOf(450 - index));

  it("RT12 returns the requested number of rows, in pages, for the owner only", async () => {
    const asked: unknown[] = [];
    const { client } = await serve({
      list(ownerId, { before = 451, limit = 0, ...rest } = {}) {
        asked.push([ownerId, rest]);
        return Promise.resolve(all.filter(({ id }) => id < before).slice(0, limit));
      },
    });
    expect(await client.list("GET /api/audit", { limit: 1_000, runId, what: "effect" })).toEqual(
      all,
    );
    expect(await client.list("GET /api/audit", { limit: 250, before: 300 })).toEqual(
      all.slice(151, 401),
    );
    expect(await client.list("GET /api/audit")).toEqual(all);
    expect(asked[0]).toEqual(["local", { runId, what: "effect" }]);
    expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(
      new Set([
        JSON.stringify(["local", { runId, what: "effect" }]),
        JSON.stringify(["local", {}]),
      ]),
    );
  });

  it("rejects an unknown filter and an invalid cursor", async () => {
    const { get } = await serve({});
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
    const { client, get } = await serve({
      async *all() {
        yield* all;
      },
    });
    const rows: AuditView[] = [];
    for await (const row of client.auditRows({})) rows.push(row);
    expect(rows).toEqual(all);
    const { headers, text } = await get("/api/audit/export?what=approval");
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
    const empty = await serve({ async *all() {} });
    expect(await empty.get("/api/audit/export")).toMatchObject({ status: 200, text: "" });
    const away = await serve({ all: () => failing(0) });
    expect((await away.get("/api/audit/export")).status).toBe(503);
  });

  it("rejects a truncated export", async () => {
    const { client } = await serve({ all: () => failing(5_000) });
    const rows: AuditView[] = [];
    const read = async () => {
      for await (const row of client.auditRows({})) rows.push(row);
    };
    await expect(read()).rejects.toMatchObject({ code: "server_unreachable" });
    // The rows before the failure arrived complete and in order.
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(rows.map((_, at) => rowOf(at + 1)));
  });

  it("stops reading when the client disconnects", async () => {
    let isLeft = false;
    const { client } = await serve({
      async *all() {
        try {
          for (let id = 1; ; id++) yield rowOf(id);
        } finally {
          isLeft = true;
        }
      },
    });
    for await (const row of client.auditRows({})) if (row.id > 100) break;
    await expect.poll(() => isLeft).toBe(true);
  });
});

async function* failing(after: number): AsyncGenerator<AuditView, void> {
  for (let id = 1; id <= after; id++) yield rowOf(id);
  throw new BronError("database_unreachable", "The database is not responding.");
}
