// The runtime on a memory store: without Postgres, DBOS, sign-in and rate limits.
import type { Client } from "@bron/client";
import { defineTool } from "@bron/core";
import { omitUndefined, type ApprovalView, type EffectSetting } from "@bron/protocol";
import { memoryStore, type MemoryStore, type PortableLog } from "@bron/memory-store";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRuntime } from "./create-runtime.ts";
import type { Runtime } from "./runtime.ts";

const ownerId = "local";

/** Posts a note, and counts how often that happened. */
function noteTool(posted: string[]) {
  return defineTool({
    name: "post_note",
    description: "Posts a note.",
    input: z.object({ text: z.string() }),
    sideEffect: true,
    prepare: ({ text }) => ({ prepared: { text }, preview: `Post ${text}` }),
    execute: ({ text }) => {
      posted.push(text);
      return "posted";
    },
  });
}

const postThenSay: Script = ({ turn }) =>
  turn === 0 ? { calls: [{ tool: "post_note", input: { text: "lunch" } }] } : { text: "Done." };

describe("a runtime on a memory store", () => {
  const opened: Runtime[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
  });
  const open = async (
    store: MemoryStore,
    { posted = [], script = postThenSay }: { posted?: string[]; script?: Script } = {},
    secretKey?: string,
  ) => {
    const runtime = await createRuntime({
      store,
      model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 100 },
      tools: [noteTool(posted)],
      ...omitUndefined({ secretKey }),
    });
    opened.push(runtime);
    return { runtime, client: runtime.clientFor(ownerId) };
  };
  const untilParked = async (client: Client, runId: string) => {
    for await (const _ of client.events(runId, { untilParked: true }));
  };
  const start = async (client: Client) => {
    const { id } = await client.call("POST /api/runs", { body: { prompt: "Post lunch" } });
    await untilParked(client, id);
    return id;
  };
  const approve = async (client: Client) => {
    const [approval] = await client.list("GET /api/approvals", { pending: "true" });
    const { id, digest } = approval!;
    await client.call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } });
  };
  const toEnd = async (client: Client, id: string) => {
    for await (const _ of client.events(id));
    return await client.call("GET /api/runs/:id", { params: { id } });
  };

  it("advances a run, asks for an approval and finishes in this process", async () => {
    const posted: string[] = [];
    const { client } = await open(memoryStore(), { posted });
    const id = await start(client);
    expect(posted).toEqual([]);
    await approve(client);
    expect(await toEnd(client, id)).toMatchObject({ status: "completed", summary: "Done." });
    expect(posted).toEqual(["lunch"]);
    expect(await client.call("GET /api/brons")).toMatchObject({
      brons: [{ status: "completed", latestRun: { id } }],
    });
  });

  it("X1 uses the owner's undo delay and approval rate for the kind of effect", async () => {
    const posted: string[] = [];
    const { client } = await open(memoryStore(), { posted });
    const set = (body: EffectSetting) => client.call("POST /api/permissions/effects", { body });
    await set({ kind: "mail", undoSeconds: 60, approvalsPerMinute: 1 });
    const view = await set({ kind: "other", undoSeconds: 30, approvalsPerMinute: 1 });
    expect(view).toMatchObject({ defaultUndoSeconds: 0 });
    const [first, second] = [await start(client), await start(client)];
    const [one, two] = await client.list("GET /api/approvals", { pending: "true" });
    expect([one?.kind, two?.kind]).toEqual(["other", "other"]);
    const decide = ({ id, digest }: ApprovalView) =>
      client.call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } });
    // An approval that is not accepted does not count.
    await expect(decide({ ...one!, digest: "sha256:other" })).rejects.toMatchObject({
      code: "digest_mismatch",
    });
    const approved = await decide(one!);
    const undoMs = Date.parse(approved.undoUntil ?? "") - Date.parse(approved.decidedAt ?? "");
    expect(undoMs).toBeCloseTo(30_000, -3);
    await expect(decide(two!)).rejects.toMatchObject({ code: "rate_limited" });
    await set({ kind: "other", undoSeconds: null, approvalsPerMinute: null });
    expect(await decide(two!)).toMatchObject({ undoUntil: null });
    expect(await toEnd(client, second)).toMatchObject({ status: "completed" });
    expect(posted).toEqual(["lunch"]);
    await client.call("POST /api/approvals/:id/undo", { params: { id: one!.id } });
    expect(await toEnd(client, first)).toMatchObject({ notDone: 1 });
    expect(posted).toEqual(["lunch"]);
  });

  it("has no sign-in, and says so", async () => {
    const { runtime, client } = await open(memoryStore());
    expect(runtime).not.toHaveProperty("tokens");
    await expect(client.call("GET /api/tokens")).rejects.toMatchObject({ code: "not_found" });
  });

  it("continues the runs of a runtime that was closed", async () => {
    const store = memoryStore();
    const posted: string[] = [];
    const key = "a secret key for tests that is long enough";
    const before = await open(store, { posted }, key);
    const id = await start(before.client);
    await before.runtime.close();
    const { client } = await open(store, { posted }, key);
    await approve(client);
    expect(await toEnd(client, id)).toMatchObject({ status: "completed" });
    expect(posted).toEqual(["lunch"]);
  });

  it("opens a run that was read as data, in any state, and carries each effect out once", async () => {
    const key = "a secret key for tests that is long enough";
    const posted: string[] = [];
    const store = memoryStore();
    const first = await open(store, { posted }, key);
    const id = await start(first.client);
    const travel = async (from: MemoryStore) => {
      const log = JSON.parse(JSON.stringify(from.readLog({ ownerId, runId: id }))) as PortableLog;
      const next = memoryStore();
      const run = next.openLog(log);
      expect(next.readLog({ ownerId, runId: id })).toEqual(log);
      return { store: next, run, ...(await open(next, { posted }, key)) };
    };
    const parked = await travel(store);
    expect(parked.run).toEqual(
      await first.runtime.clientFor(ownerId).call("GET /api/runs/:id", { params: { id } }),
    );
    expect(await parked.client.list("GET /api/approvals")).toEqual(
      await first.client.list("GET /api/approvals"),
    );
    await approve(parked.client);
    const ended = await toEnd(parked.client, id);
    expect(ended).toMatchObject({ status: "completed" });
    const last = await travel(parked.store);
    expect(last.run).toEqual(ended);
    const seen = async (client: Client) => ({
      approvals: await client.list("GET /api/approvals"),
      actions: await client.call("GET /api/runs/:id/actions", { params: { id } }),
      effects: await client.call("GET /api/runs/:id/effects", { params: { id } }),
    });
    expect(await seen(last.client)).toEqual(await seen(parked.client));
    expect(posted).toEqual(["lunch"]);
    expect(() => last.store.openLog(last.store.readLog({ ownerId, runId: id }))).toThrow(
      expect.objectContaining({ code: "conflict" }),
    );
  });

  it("opens within 20 ms", async () => {
    const times: number[] = [];
    for (let count = 0; count < 11; count++) {
      const startedAt = performance.now();
      await open(memoryStore());
      times.push(performance.now() - startedAt);
    }
    // The fastest, because other processes of the machine delay the rest.
    expect(Math.min(...times)).toBeLessThan(20);
  });

  it("lives in one process with 49 others, each with a run that ends", async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        open(memoryStore(), { script: () => ({ text: `Done ${index}.` }) }),
      ),
    );
    const summaries = await Promise.all(
      all.map(async ({ client }) => {
        const { id } = await client.call("POST /api/runs", { body: { prompt: "Say it" } });
        return (await toEnd(client, id)).summary;
      }),
    );
    expect(summaries).toEqual(all.map((_, index) => `Done ${index}.`));
  });

  it("loads neither pg nor DBOS", async () => {
    const program = fileURLToPath(
      new URL("../../../test/support/memory-runtime-program.ts", import.meta.url),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const { status, loaded } = JSON.parse(stdout) as { status: string; loaded: string[] };
    expect(status).toBe("completed");
    expect(loaded.some((url) => url.includes("/packages/memory-store/"))).toBe(true);
    expect(
      loaded.filter((url) =>
        /\/node_modules\/(?:pg|pg-[^/]+|kysely|@dbos-inc)\/|\/packages\/store\//.test(url),
      ),
    ).toEqual([]);
  });
});
