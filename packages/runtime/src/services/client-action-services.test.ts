import type { Client } from "@bron/client";
import { defineClientTool } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { omitUndefined, maxClientResultBytes } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRuntime } from "../create-runtime.ts";
import type { Runtime } from "../runtime.ts";

const look = defineClientTool({
  name: "look",
  description: "Reads the page.",
  input: z.object({}),
  output: z.object({ text: z.string() }),
  program: "page",
  deadlineMs: 3_600_000,
  ifExpired: "failed",
});

describe("client actions, over the services", () => {
  const opened: Runtime[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
  });
  const open = async () => {
    const runtime = await createRuntime({
      store: memoryStore(),
      tools: [look],
      model: {
        name: "scripted",
        maxOutputTokens: 100,
        model: scriptedLanguageModel(({ turn, options: { prompt } }) =>
          turn === 0
            ? { calls: [{ tool: "look", input: {} }] }
            : { text: JSON.stringify(prompt.at(-1)?.content) },
        ),
      },
    });
    opened.push(runtime);
    const client = runtime.clientFor("local");
    const { id } = await client.call("POST /api/runs", { body: { prompt: "Look" } });
    for await (const { type } of client.events(id)) if (type === "client_action") break;
    const [action] = await client.list("GET /api/client-actions", { runId: id, open: "true" });
    return { client, clientOf: runtime.clientFor, params: { id, actionId: action?.id ?? "" } };
  };
  type Params = { readonly id: string; readonly actionId: string };
  const take = (client: Client, params: Params, idempotencyKey?: string) =>
    client.call("POST /api/runs/:id/actions/:actionId/take", {
      params,
      body: {},
      ...omitUndefined({ idempotencyKey }),
    });
  const finish = (client: Client, params: Params, body: object) =>
    client.call("POST /api/runs/:id/actions/:actionId/finish", { params, body: body as never });

  it("are taken by one program, finished once, and the run goes on", async () => {
    const { client, params } = await open();
    const { secret, action } = await take(client, params, "tab 1");
    expect(action).toMatchObject({ state: "taken", program: "page", tool: "look" });
    expect(await take(client, params, "tab 1")).toEqual({ secret, action });
    await expect(take(client, params, "tab 2")).rejects.toMatchObject({ code: "conflict" });
    await expect(take(client, params)).rejects.toMatchObject({ code: "conflict" });
    const result = { text: "Hello" };
    expect(await finish(client, params, { secret, result })).toMatchObject({ state: "finished" });
    await expect(finish(client, params, { secret, result })).rejects.toMatchObject({
      code: "conflict",
    });
    for await (const _ of client.events(params.id));
    const { summary } = await client.call("GET /api/runs/:id", { params });
    expect(summary).toContain('"text":"Hello"');
  });

  it("accept only a result that fits the tool, and stay open otherwise", async () => {
    const { client, clientOf, params } = await open();
    const { secret } = await take(client, params);
    const code = async (body: object, by = client) =>
      await finish(by, params, body).then(
        () => "ok",
        ({ code: rejected }: { code: string }) => rejected,
      );
    expect(await code({ secret, result: { text: 1 } })).toBe("invalid_input");
    expect(await code({ secret })).toBe("invalid_input");
    expect(await code({ secret, result: { text: "" }, error: "x" })).toBe("invalid_input");
    const long = "x".repeat(maxClientResultBytes);
    expect(await code({ secret, result: { text: long } })).toBe("too_large");
    expect(await code({ secret: `${secret}x`, result: { text: 1 } })).toBe("forbidden");
    expect(await code({ secret, result: { text: "" } }, clientOf("another"))).toBe("not_found");
    await expect(take(clientOf("another"), params)).rejects.toMatchObject({ code: "not_found" });
    expect(await code({ secret, result: { text: "at last" } })).toBe("ok");
  });

  it("show their secret and its hash nowhere", async () => {
    const { client, params } = await open();
    const { secret } = await take(client, params, "tab 1");
    const { events } = await client.call("GET /api/runs/:id/events", { params });
    const lists = [
      events,
      await client.list("GET /api/client-actions"),
      await client.call("GET /api/runs/:id/actions", { params }),
      await client.call("GET /api/audit", {}),
    ];
    const text = JSON.stringify(lists);
    expect(text).toContain("client_action");
    for (const hidden of [secret, "secretHash", "takenBy"]) expect(text).not.toContain(hidden);
    const [raw] = opened;
    const stored: unknown[] = [];
    for await (const event of raw!.logs.events("local", params.id)) {
      stored.push(event);
      if (event.type === "client_action" && event.payload.state === "taken") break;
    }
    expect(JSON.stringify(stored)).toContain("secretHash");
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});
