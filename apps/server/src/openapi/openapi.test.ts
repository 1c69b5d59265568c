import { api } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../../../test/support/http/ask.ts";
import { createServer, type BronServer } from "../create-server.ts";
import { openHarness, type RuntimeHarness } from "../runtime-harness.fixture.ts";
import { describeApi } from "./describe-api.ts";

describe("the description of the API", () => {
  let harness: RuntimeHarness;
  let server: BronServer;
  beforeAll(async () => {
    harness = await openHarness();
    server = await createServer({
      runtime: harness.runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
    });
  });
  afterAll(async () => {
    await server.close();
    await harness.runtime.close();
  });

  it("has every endpoint of the table, each with a unique id, a summary and its responses", () => {
    const { paths } = describeApi("1.2.3", { port: 4310, pages: ["/", "/runs/:id"] }) as {
      paths: Record<
        string,
        Record<string, { operationId: string; summary: string; responses: object }>
      >;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        key: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
        ...operation,
      })),
    );
    expect(operations.map(({ key }) => key).toSorted()).toEqual(
      [...Object.keys(api), "GET /", "GET /runs/:id"].toSorted(),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { key, summary, responses } of operations)
      expect([summary.length > 5, Object.keys(responses).length >= 2], key).toEqual([true, true]);
  });

  it("has no dangling references, and names shared schemas once", () => {
    const description = describeApi("", { port: 4310, pages: [] });
    const text = JSON.stringify(description);
    const { components } = description as {
      components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
    };
    const refs = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(refs.length).toBeGreaterThan(40);
    for (const [ref, kind, name] of refs)
      expect(Object.keys(components[kind as "schemas"]), ref).toContain(name);
    expect(text).not.toContain("$defs");
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(["Run", "Event", "Approval", "Bron", "Problem", "AgentResponse"]),
    );
    expect(components.schemas["Run"]).toMatchObject({
      type: "object",
      required: expect.arrayContaining(["id", "status", "lastSeq"]),
    });
  });

  it("is served to programs and people, without a session and without scripts", async () => {
    const file = await ask(`${server.url}/openapi.json`);
    expect(file).toMatchObject({ status: 200, json: { openapi: "3.1.0" } });
    const docs = await ask(`${server.url}/docs`);
    expect(docs.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(docs.text).not.toContain("<script");
    for (const key of Object.keys(api)) expect(docs.text).toContain(key.split(" ")[1]);
    const errors = await ask(`${server.url}/docs/errors`);
    expect(errors.text).toContain('id="digest-mismatch"');
  });
});
