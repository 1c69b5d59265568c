import type { Script } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openMailHarness, outputsOf, ownerId, type MailHarness } from "./support/mail-harness.ts";
import { resultOf } from "./support/mail-script.ts";

/**
 * Searches, drafts and sends the draft. While `isBroken` is true, it then calls an unknown tool
 * until the run fails.
 */
let isBroken = true;
let bodyText = "Here they are.";
const script: Script = ({ options }) => {
  const own = options.prompt.findLastIndex(({ role }) => role === "user");
  const results = options.prompt.slice(own).filter(({ role }) => role === "tool").length;
  const subject =
    options.prompt
      .flatMap((message) =>
        message.role === "user"
          ? message.content.map((part) => (part.type === "text" ? part.text : ""))
          : [],
      )
      .at(-1) ?? "";
  if (results === 0)
    return { calls: [{ tool: "gmail_search", input: { query: "in:inbox", maxResults: 1 } }] };
  if (results === 1)
    return {
      calls: [
        { tool: "gmail_draft_create", input: { to: ["eva@elsewhere.example"], subject, bodyText } },
      ],
    };
  if (results === 2)
    return {
      calls: [
        {
          tool: "gmail_draft_send",
          input: { draftId: resultOf<{ draftId: string }>(options, "gmail_draft_create")?.draftId },
        },
      ],
    };
  return isBroken ? { calls: [{ tool: "no_such_tool", input: {} }] } : { text: "That is all." };
};

describe("a mail task that is retried", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script });
  });
  afterAll(async () => await harness.close());

  const sentWith = (subject: string) =>
    harness.simulator.record().sent.filter((mail) => mail.by === "app" && mail.subject === subject);
  const madeDrafts = () =>
    harness.simulator
      .record()
      .calls.filter(
        ({ method, status }) => method === "gmail.users.drafts.create" && status === 200,
      ).length;

  it("BR18 X2 repeats no search, draft or send, and says what it reused", async () => {
    const client = harness.runtime.clientFor(ownerId);
    isBroken = true;
    const first = await harness.runUntilParked("the figures");
    await expect(
      client.call("POST /api/runs/:id/retry", { params: { id: first.id } }),
    ).rejects.toMatchObject({
      code: "conflict",
    });
    await harness.approve(first.id);
    expect(await harness.waitUntilParked(first.id)).toMatchObject({ status: "failed" });
    expect(sentWith("the figures")).toHaveLength(1);
    const [callsBefore, draftsBefore] = [harness.simulator.record().calls.length, madeDrafts()];
    isBroken = false;
    const { id, retryOf, threadId } = await client.call("POST /api/runs/:id/retry", {
      params: { id: first.id },
    });
    expect({ retryOf, threadId }).toEqual({ retryOf: first.id, threadId: first.threadId });
    expect(await harness.waitUntilParked(id)).toMatchObject({ status: "completed" });
    expect(sentWith("the figures")).toHaveLength(1);
    expect([harness.simulator.record().calls.length, madeDrafts()]).toEqual([
      callsBefore,
      draftsBefore,
    ]);
    const [before, after] = [await harness.events(first.id), await harness.events(id)];
    const sent = outputsOf(before, "gmail_draft_send")[0] as { sentMessageId: string };
    expect(outputsOf(after, "gmail_draft_send")).toMatchObject([
      {
        sentMessageId: sent.sentMessageId,
        note: expect.stringContaining("not done again"),
      },
    ]);
    expect(outputsOf(after, "gmail_search")).toEqual(outputsOf(before, "gmail_search"));
    const lines = after.flatMap((event) => (event.type === "log" ? [event.payload] : []));
    for (const tool of ["gmail_search", "gmail_draft_create", "gmail_draft_send"])
      expect(lines).toContainEqual(
        expect.objectContaining({ kind: "reused", tool, runId: first.id, isUnknown: false }),
      );
    const card = after.findLast((event) => event.type === "ui");
    expect(card?.type === "ui" && card.payload).toMatchObject({
      kind: "RunSummaryCard",
      payload: {
        outcome: "succeeded",
        did: ["gmail_search", "gmail_draft_create", "gmail_draft_send"].map((tool) => ({
          tool,
          count: 1,
          reused: true,
        })),
      },
    });
  });

  it("X2 asks before it sends another mail, and says why", async () => {
    const client = harness.runtime.clientFor(ownerId);
    isBroken = true;
    bodyText = "Here they are.";
    const first = await harness.runUntilParked("more figures");
    await harness.approve(first.id);
    await harness.waitUntilParked(first.id);
    isBroken = false;
    bodyText = "Other words.";
    const { id } = await client.call("POST /api/runs/:id/retry", { params: { id: first.id } });
    await harness.waitUntilParked(id);
    const [approval] = await client.list("GET /api/approvals", {
      runId: id,
      pending: "true",
    });
    const repeated = { code: "done_before", isSure: true };
    expect(approval?.reasons).toContainEqual(repeated);
    expect(approval?.risks[0]).toMatchObject({
      kind: "warning",
      why: repeated,
    });
    expect(sentWith("more figures")).toHaveLength(1);
    await client.call("POST /api/approvals/:id/deny", {
      params: { id: approval!.id },
      body: { digest: approval!.digest },
    });
    await harness.waitUntilParked(id);
    expect(sentWith("more figures")).toHaveLength(1);
  });
});
