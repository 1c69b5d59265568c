// The page shows approvals from the events of a run. They must be what the API returns.
import type { Client } from "@bron/client";
import { defineTool } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { applyToApprovals, noApprovals, type ApprovalView, type EventView } from "@bron/protocol";
import { createRuntime, type Runtime, type StoreRuntimeOptions } from "@bron/runtime";
import { scriptedLanguageModel } from "@bron/testing";
import { isDeepStrictEqual } from "node:util";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";

const long = "x".repeat(30_000);
const form = (text: string) => ({ prepared: { text, long }, preview: `Post ${text}` });
const post = defineTool({
  name: "post_note",
  description: "Posts a note.",
  input: z.object({ text: z.string() }),
  sideEffect: true,
  prepare: ({ text }) => form(text),
  execute: () => "posted",
  editing: {
    fields: z.strictObject({ text: z.string().optional() }),
    valuesOf: (prepared) => ({ text: (prepared as { text: string }).text }),
    edit: (_, { text }) => Promise.resolve(form(text as string)),
  },
});

const opened: Runtime[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
});

async function openApproval(options: Partial<StoreRuntimeOptions> = {}) {
  const runtime = await createRuntime({
    store: memoryStore(),
    model: {
      model: scriptedLanguageModel(({ turn }) =>
        turn === 0
          ? { calls: [{ tool: "post_note", input: { text: "lunch\u202E" } }] }
          : { text: "Done." },
      ),
      name: "scripted",
      maxOutputTokens: 100,
    },
    tools: [post],
    ...options,
  });
  opened.push(runtime);
  const client = runtime.clientFor("local");
  const { id: runId } = await client.call("POST /api/runs", { body: { prompt: "Post lunch" } });
  for await (const _ of client.events(runId, { untilParked: true }));
  const [approval] = await client.list("GET /api/approvals", { runId });
  if (!approval) throw new Error("No approval");
  return { client, approval };
}

async function decide(
  client: Client,
  { id, digest }: ApprovalView,
  how: "approve" | "deny" | "edit" | "reply",
  more: object = {},
) {
  await client.call(`POST /api/approvals/:id/${how}`, {
    params: { id },
    body: { digest, ...more },
  });
}

/** The approval as the events have it, and as the API has it. */
async function readBoth(client: Client, { id, runId }: ApprovalView) {
  const { events } = await client.call("GET /api/runs/:id/events", { params: { id: runId } });
  const { approvals } = (events as EventView[]).reduce(applyToApprovals, noApprovals);
  const approval = await client.call("GET /api/approvals/:id", { params: { id } });
  const { effects } = await client.call("GET /api/runs/:id/effects", { params: { id: runId } });
  const effectState = effects.find((effect) => effect.id === approval.effectId)?.state;
  return { logged: approvals.get(id), read: { approval, effectState } };
}

async function expectSame(client: Client, asked: ApprovalView, state: ApprovalView["state"]) {
  await expect.poll(async () => (await readBoth(client, asked)).read.approval.state).toBe(state);
  // The API and the log are read one after the other, while the run goes on.
  await expect
    .poll(async () => {
      const { logged, read } = await readBoth(client, asked);
      return isDeepStrictEqual(logged, read) || { logged, read };
    })
    .toBe(true);
}

it("is what the API returns while the approval is pending, and after it was used", async () => {
  const { client, approval } = await openApproval();
  expect(approval.editable).toEqual({ text: "lunch\u202E" });
  expect(approval.group).toBe(`${approval.runId}:1:tool:post_note`);
  await expectSame(client, approval, "pending");
  await decide(client, approval, "approve");
  await expectSame(client, approval, "used");
});

it("is what the API returns after an approval, and after it was undone", async () => {
  const { client, approval } = await openApproval({ undoMs: 60_000 });
  await decide(client, approval, "approve");
  await expectSame(client, approval, "approved");
  const { id } = approval;
  await client.call("POST /api/approvals/:id/undo", { params: { id } });
  await expectSame(client, approval, "denied");
});

it("is what the API returns after a denial, a reply and an edit", async () => {
  const denied = await openApproval();
  await decide(denied.client, denied.approval, "deny", { reason: "Not today" });
  await expectSame(denied.client, denied.approval, "denied");
  const replied = await openApproval();
  await decide(replied.client, replied.approval, "reply", { words: "Shorter, please" });
  await expectSame(replied.client, replied.approval, "denied");
  const edited = await openApproval();
  const { client, approval } = edited;
  await decide(client, approval, "edit", { changes: { text: "dinner" } });
  await expectSame(client, approval, "superseded");
  await expect.poll(async () => (await client.list("GET /api/approvals")).length).toBe(2);
  const [next] = await client.list("GET /api/approvals", { pending: "true" });
  expect(next?.diff).toHaveLength(1);
  await expectSame(client, next!, "pending");
});

it("is what the API returns after the task was stopped, and after the approval expired", async () => {
  const { client, approval } = await openApproval();
  const { runId: id } = approval;
  await client.call("POST /api/runs/:id/cancel", { params: { id }, body: {} });
  await expectSame(client, approval, "canceled");
  const expiring = await openApproval({ approvalTtlMs: 300, engine: { sweepMs: 50 } });
  await expectSame(expiring.client, expiring.approval, "expired");
});
