import { memoryStore } from "@bron/memory-store";
import type { Scope } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRuntime } from "../create-runtime.ts";
import type { Runtime } from "../runtime.ts";

describe("a client in process", () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await createRuntime({
      store: memoryStore(),
      model: {
        model: scriptedLanguageModel(() => ({ text: "Done." })),
        name: "scripted",
        maxOutputTokens: 100,
      },
    });
  });
  afterAll(() => runtime.close());
  const clientWith = (...scopes: Scope[]) =>
    runtime.clientFor({ ownerId: "eva", via: "token", scopes, email: null });

  it("may do everything for the owner it is created for", async () => {
    const client = runtime.clientFor("eva");
    const { id } = await client.call("POST /api/runs", { body: { prompt: "Say it" } });
    for await (const _ of client.events(id));
    expect(await client.call("GET /api/runs/:id", { params: { id } })).toMatchObject({
      status: "completed",
      summary: "Done.",
    });
    await expect(
      runtime.clientFor("max").call("GET /api/runs/:id", { params: { id } }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("needs the scopes of each endpoint, as over HTTP", async () => {
    const forbidden = { code: "forbidden" };
    const start = { body: { prompt: "Say it" } };
    await expect(clientWith("read").call("POST /api/runs", start)).rejects.toMatchObject(forbidden);
    const { id } = await clientWith("run").call("POST /api/runs", start);
    await expect(
      clientWith("manage").call("POST /api/permissions/trust", { body: { level: "autonomous" } }),
    ).rejects.toMatchObject(forbidden);
    const writer = clientWith("run", "approve", "manage");
    const signal = AbortSignal.timeout(1_000);
    await expect(writer.events(id).next()).rejects.toMatchObject(forbidden);
    await expect(writer.changes({ signal }).next()).rejects.toMatchObject(forbidden);
    await expect(writer.auditRows({}).next()).rejects.toMatchObject(forbidden);
    await expect(writer.readArtifact("sha256:0")).rejects.toMatchObject(forbidden);
  });

  it("validates input, and has no endpoint that only makes sense over HTTP", async () => {
    const client = runtime.clientFor("eva");
    await expect(client.call("POST /api/runs", { body: { prompt: "" } })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(client.call("GET /api/audit/export")).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("yields every row of the audit log over several pages", async () => {
    const client = runtime.clientFor("paul");
    for (let index = 0; index < 210; index++)
      await client.call("POST /api/permissions/allowed", {
        body: { value: `friend${index}@example.com` },
      });
    const ids: number[] = [];
    for await (const { id } of client.auditRows({})) ids.push(id);
    expect(ids.length).toBeGreaterThanOrEqual(210);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  });
});
