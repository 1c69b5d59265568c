import type { ApprovalView, JsonObject } from "@bron/protocol";
import type { Script } from "@bron/testing";
import { defineTool } from "@bron/core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { openMailHarness, outputsOf, ownerId, type MailHarness } from "./support/mail-harness.ts";
import { resultOf } from "./support/mail-script.ts";

const keep = defineTool({
  name: "keep_file",
  description: "Keeps a file.",
  input: z.object({}),
  label: "trusted",
  repeatable: true,
  execute: async (_, context) => ({
    digest: (
      await context.saveArtifact({
        kind: "attachment",
        name: "a.txt",
        mediaType: "text/plain",
        bytes: Buffer.from("a file"),
      })
    ).digest,
  }),
});
const ring = defineTool({
  name: "ring",
  description: "Rings.",
  input: z.object({}),
  sideEffect: true,
  execute: () => "rung",
});

/** The task's first word says how the mail is sent. The rest is its subject. */
const script: Script = ({ options }) => {
  const words = options.prompt.flatMap((message) =>
    message.role === "user"
      ? message.content.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );
  const [how, subject] = (words[0] ?? "").split(/: (.*)/s);
  const results = options.prompt.filter(({ role }) => role === "tool").length;
  const mail = { to: ["eva@elsewhere.example"], subject, bodyText: "Here they are." };
  if (how === "ring")
    return results === 0 ? { calls: [{ tool: "ring", input: {} }] } : { text: "That is all." };
  if (how === "send" && words.length > 1 && results === 1)
    return {
      calls: [
        { tool: "gmail_send", input: { ...mail, bodyText: `You said: ${words.at(-1) ?? ""}` } },
      ],
    };
  if (how === "send")
    return results === 0
      ? { calls: [{ tool: "gmail_send", input: mail }] }
      : { text: "That is all." };
  if (how === "file" && results === 0) return { calls: [{ tool: "keep_file", input: {} }] };
  if (how === "file")
    return results === 1
      ? {
          calls: [
            {
              tool: "gmail_send",
              input: {
                ...mail,
                attachments: [
                  {
                    digest: resultOf<{ digest: string }>(options, "keep_file")?.digest,
                    filename: "a.txt",
                    mediaType: "text/plain",
                  },
                ],
              },
            },
          ],
        }
      : { text: "That is all." };
  if (how === "reply" && results === 0)
    return { calls: [{ tool: "gmail_search", input: { query: "in:inbox", maxResults: 1 } }] };
  if (how === "reply")
    return results === 1
      ? {
          calls: [
            {
              tool: "gmail_reply",
              input: {
                threadId: JSON.stringify(resultOf(options, "gmail_search")).match(
                  /"threadId":"([^"]+)"/,
                )?.[1],
                bodyText: "Thanks.",
              },
            },
          ],
        }
      : { text: "That is all." };
  if (results === 0) return { calls: [{ tool: "gmail_draft_create", input: mail }] };
  return results === 1
    ? {
        calls: [
          {
            tool: "gmail_draft_send",
            input: {
              draftId: resultOf<{ draftId: string }>(options, "gmail_draft_create")?.draftId,
            },
          },
        ],
      }
    : { text: "That is all." };
};

describe("a mail that is edited, replied to or undone before it leaves", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script, tools: [keep, ring] });
  });
  afterAll(async () => await harness.close());

  const pendingOf = async (runId: string): Promise<ApprovalView> => {
    const [approval, ...more] = await harness.runtime
      .clientFor(ownerId)
      .list("GET /api/approvals", {
        runId,
        pending: "true",
      });
    if (!approval || more.length > 0) throw new Error("Expected exactly one pending approval");
    return approval;
  };
  const shown = async (task: string) => {
    const run = await harness.runUntilParked(task);
    return { runId: run.id, approval: await pendingOf(run.id) };
  };
  const edited = async (runId: string, changes: JsonObject) => {
    const { id, digest } = await pendingOf(runId);
    await harness.runtime
      .clientFor(ownerId)
      .call("POST /api/approvals/:id/edit", { params: { id }, body: { digest, changes } });
    await harness.waitUntilParked(runId);
    return await pendingOf(runId);
  };
  const approve = async (runId: string) => {
    await harness.approve(runId);
    return await harness.waitUntilParked(runId);
  };
  const sentWith = (subject: string) =>
    harness.simulator.record().sent.filter((mail) => mail.by === "app" && mail.subject === subject);
  const bytesOf = ({ prepared }: ApprovalView) =>
    Buffer.from((prepared as { raw: string }).raw, "base64url").toString("base64");
  const draftsWith = async (subject: string) =>
    (await harness.simulator.control.drafts(harness.owner)).filter(
      (draft) => draft.subject === subject,
    );

  it.each(["send", "draft", "file"])(
    "X1 BR2 leaves only as the last approval showed it: %s",
    async (how) => {
      const { runId, approval } = await shown(`${how}: first ${how}`);
      expect(approval.editable).toEqual({
        to: ["eva@elsewhere.example"],
        cc: [],
        bcc: [],
        subject: `first ${how}`,
        bodyText: "Here they are.",
      });
      const after = await edited(runId, {
        to: ["eva@elsewhere.example", "Tom <tom@elsewhere.example>"],
        bcc: ["ann@elsewhere.example"],
        subject: `second ${how}`,
        bodyText: "Here they are.\n\nYours",
      });
      expect(after.diff).toEqual([
        {
          field: "to",
          before: "eva@elsewhere.example",
          after: "eva@elsewhere.example, Tom <tom@elsewhere.example>",
        },
        { field: "bcc", before: "", after: "ann@elsewhere.example" },
        { field: "subject", before: `first ${how}`, after: `second ${how}` },
        { field: "bodyText", before: "Here they are.", after: "Here they are.\n\nYours" },
      ]);
      expect([...sentWith(`first ${how}`), ...sentWith(`second ${how}`)]).toEqual([]);
      expect(await approve(runId)).toMatchObject({ status: "completed" });
      expect(sentWith(`first ${how}`)).toEqual([]);
      const sent = sentWith(`second ${how}`);
      expect(sent.map(({ raw }) => raw)).toEqual([bytesOf(after)]);
      expect(sent[0]?.recipients.envelope.toSorted()).toEqual([
        "ann@elsewhere.example",
        "eva@elsewhere.example",
        "tom@elsewhere.example",
      ]);
      expect([
        ...(await draftsWith(`first ${how}`)),
        ...(await draftsWith(`second ${how}`)),
      ]).toEqual([]);
      if (how === "file")
        expect(Buffer.from(sent[0]?.raw ?? "", "base64").toString()).toContain(
          Buffer.from("a file").toString("base64"),
        );
      expect(
        (
          await harness.runtime
            .clientFor(ownerId)
            .call("GET /api/runs/:id/effects", { params: { id: runId } })
        ).effects.map(({ state }) => state),
      ).toEqual([...(how === "draft" ? ["done"] : []), "superseded", "done"]);
    },
  );

  it("X1 remains a reply in its conversation", async () => {
    const { runId, approval } = await shown("reply: to the newest");
    const before = approval.prepared as { threadId: string };
    const after = await edited(runId, { bodyText: "Many thanks." });
    expect(after.prepared).toMatchObject({ threadId: before.threadId, bodyText: "Many thanks." });
    const replyHeader = (view: ApprovalView) =>
      /^In-Reply-To: .+$/im.exec(Buffer.from(bytesOf(view), "base64").toString())?.[0];
    expect(replyHeader(after)).toBe(replyHeader(approval));
    expect(replyHeader(after)).toBeTruthy();
    await approve(runId);
    expect(harness.simulator.record().sent.at(-1)).toMatchObject({
      threadId: before.threadId,
      raw: bytesOf(after),
    });
  });

  it("X1 is refused in a tab that still shows the version before the edit", async () => {
    const client = harness.runtime.clientFor(ownerId);
    const { runId, approval } = await shown("send: two tabs");
    const after = await edited(runId, { bodyText: "Other words." });
    await expect(
      client.call("POST /api/approvals/:id/approve", {
        params: { id: approval.id },
        body: { digest: approval.digest },
      }),
    ).rejects.toMatchObject({ code: "approval_closed" });
    await expect(
      client.call("POST /api/approvals/:id/approve", {
        params: { id: after.id },
        body: { digest: approval.digest },
      }),
    ).rejects.toMatchObject({ code: "digest_mismatch" });
    await expect(
      client.call("POST /api/approvals/:id/edit", {
        params: { id: approval.id },
        body: {
          digest: approval.digest,
          changes: {
            bodyText: "Third words.",
          },
        },
      }),
    ).rejects.toMatchObject({ code: "approval_closed" });
    await expect(
      client.call("POST /api/runs/:id/approve-send", {
        params: { id: runId },
        body: { approved: true },
      }),
    ).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("edited") });
    await expect(
      client.call("POST /api/runs/:id/approve-send", {
        params: { id: runId },
        body: {
          approved: true,
          digest: approval.digest,
        },
      }),
    ).rejects.toMatchObject({ code: "approval_closed" });
    expect(sentWith("two tabs")).toEqual([]);
    await client.call("POST /api/runs/:id/approve-send", {
      params: { id: runId },
      body: {
        approved: true,
        digest: after.digest,
      },
    });
    await harness.waitUntilParked(runId);
    expect(sentWith("two tabs").map(({ raw }) => raw)).toEqual([bytesOf(after)]);
  });

  it("BR2 explains what cannot be edited, and leaves the approval unchanged", async () => {
    const client = harness.runtime.clientFor(ownerId);
    const { runId, approval } = await shown("send: cannot");
    const edit = (changes: JsonObject) =>
      client.call("POST /api/approvals/:id/edit", {
        params: { id: approval.id },
        body: { digest: approval.digest, changes },
      });
    await expect(edit({ account: "mallory@x.example" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("Editable fields: to, cc"),
    });
    await expect(edit({ to: "eva" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(edit({ subject: "cannot" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("No changes"),
    });
    expect(await pendingOf(runId)).toMatchObject({ id: approval.id, digest: approval.digest });
    const after = await edited(runId, { to: ["not an address"] });
    expect(after).toMatchObject({
      diff: [],
      reasons: expect.arrayContaining([
        {
          code: "edit_failed",
          message: expect.stringContaining("is not a valid email address"),
        },
      ]),
    });
    expect(bytesOf(after)).toBe(bytesOf(approval));
    await approve(runId);
    expect(sentWith("cannot")).toHaveLength(1);
    const other = await shown("ring: the bell");
    expect(other.approval.editable).toBeUndefined();
    await expect(
      client.call("POST /api/approvals/:id/edit", {
        params: { id: other.approval.id },
        body: { digest: other.approval.digest, changes: { to: [] } },
      }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("can't be edited"),
    });
  });

  it("X1 BR2 continues with the owner's reply, and asks for approval of the result", async () => {
    const client = harness.runtime.clientFor(ownerId);
    const { runId, approval } = await shown("send: in words");
    await expect(
      client.call("POST /api/approvals/:id/reply", {
        params: { id: approval.id },
        body: { digest: approval.digest, words: "  " },
      }),
    ).rejects.toMatchObject({ code: "invalid_input" });
    await client.call("POST /api/approvals/:id/reply", {
      params: { id: approval.id },
      body: { digest: approval.digest, words: "shorter, please" },
    });
    await harness.waitUntilParked(runId);
    expect(
      await client.call("GET /api/approvals/:id", { params: { id: approval.id } }),
    ).toMatchObject({
      state: "denied",
      reply: "shorter, please",
    });
    expect(outputsOf(await harness.events(runId), "gmail_send")).toMatchObject([
      { message: "The user answered: shorter, please" },
    ]);
    const after = await pendingOf(runId);
    expect(after.prepared).toMatchObject({ bodyText: "You said: shorter, please" });
    await approve(runId);
    expect(sentWith("in words").map(({ raw }) => raw)).toEqual([bytesOf(after)]);
  });

  it("X1 decides many approvals at once, each by its own digest", async () => {
    const client = harness.runtime.clientFor(ownerId);
    const mails = [
      await shown("send: batch 0"),
      await shown("send: batch 1"),
      await shown("send: batch 2"),
      await shown("send: batch 3"),
    ];
    const seen = mails.map(({ approval }, index) => ({
      id: approval.id,
      digest: index === 1 ? `${approval.digest}0` : approval.digest,
    }));
    const { approve: outcomes } = await client.call("POST /api/approvals/batch", {
      body: { approve: seen.slice(0, 3) },
    });
    expect(outcomes).toMatchObject([
      { ok: true, approval: { state: "approved" } },
      { ok: false, id: seen[1]?.id, error: { code: "digest_mismatch" } },
      { ok: true },
    ]);
    expect(
      (
        await client.call("POST /api/approvals/batch", {
          body: {
            deny: [
              { ...seen[3]!, reason: "no" },
              { id: "none", digest: "none" },
            ],
          },
        })
      ).deny,
    ).toMatchObject([
      { ok: true, approval: { state: "denied" } },
      { ok: false, error: { code: "not_found" } },
    ]);
    for (const { runId } of mails) await harness.waitUntilParked(runId);
    expect(mails.map((_, index) => sentWith(`batch ${index}`).length)).toEqual([1, 0, 1, 0]);
  });

  it("RT4 BR9 decides the one mail that a run waits to send", async () => {
    const client = harness.runtime.clientFor(ownerId);
    const { runId, approval } = await shown("send: the one");
    await expect(
      client.call("POST /api/runs/:id/approve-send", {
        params: { id: runId },
        body: {
          approved: true,
          digest: "sha256:other",
        },
      }),
    ).rejects.toMatchObject({ code: "digest_mismatch" });
    expect(
      await client.call("POST /api/runs/:id/approve-send", {
        params: { id: runId },
        body: { approved: true },
      }),
    ).toMatchObject({
      id: approval.id,
      state: "approved",
    });
    await harness.waitUntilParked(runId);
    expect(sentWith("the one")).toHaveLength(1);
    await expect(
      client.call("POST /api/runs/:id/approve-send", {
        params: { id: runId },
        body: { approved: true },
      }),
    ).rejects.toMatchObject({ code: "conflict" });
    const denied = await shown("send: not the one");
    expect(
      await client.call("POST /api/runs/:id/approve-send", {
        params: { id: denied.runId },
        body: {
          approved: false,
          reason: "no",
        },
      }),
    ).toMatchObject({ state: "denied", decisionReason: "no" });
  });
});

describe("a mail whose approval can be undone", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script, undoMs: 1_500 });
  });
  afterAll(async () => await harness.close());

  it("X1 does not leave if the approval is undone in time, and leaves once otherwise", async () => {
    const client = harness.runtime.clientFor(ownerId);
    const runs = await Promise.all(
      ["taken back", "not taken back"].map((subject) => harness.runUntilParked(`send: ${subject}`)),
    );
    for (const { id } of runs) await harness.approve(id);
    const [approval] = await client.list("GET /api/approvals", { runId: runs[0]?.id ?? "" });
    expect(approval).toMatchObject({ state: "approved", undoUntil: expect.any(String) });
    expect(harness.simulator.record().sent.filter(({ by }) => by === "app")).toEqual([]);
    expect(
      await client.call("POST /api/approvals/:id/undo", { params: { id: approval!.id } }),
    ).toMatchObject({
      state: "denied",
    });
    for (const { id } of runs) await harness.waitUntilParked(id);
    expect(
      harness.simulator
        .record()
        .sent.filter(({ by }) => by === "app")
        .map(({ subject }) => subject),
    ).toEqual(["not taken back"]);
    const [late] = await client.list("GET /api/approvals", { runId: runs[1]?.id ?? "" });
    const attempt = (await harness.events(runs[1]?.id ?? "")).find(
      (event) => event.type === "effect" && event.payload.state === "attempting",
    );
    expect(Date.parse(attempt?.createdAt ?? "")).toBeGreaterThanOrEqual(
      Date.parse(late?.undoUntil ?? ""),
    );
    await expect(
      client.call("POST /api/approvals/:id/undo", { params: { id: late!.id } }),
    ).rejects.toMatchObject({
      code: "approval_closed",
    });
  });
});
