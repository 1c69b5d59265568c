import { defaultRules, judge, noLabels, withResult, type EffectContext } from "@bron/core";
import { describe, expect, it } from "vitest";
import { attemptHeader } from "./compose-mail.ts";
import { createGmailHarness, type GmailHarness } from "./gmail-harness.fixture.ts";
import type { PreparedSend } from "./send-effect.ts";
import { draftCreateTool } from "./tools/drafts.ts";
import { sendDraftTool, sendTool } from "./tools/send.ts";

const lost = new Error("socket hang up");
const request = {
  to: ["eva@x.example"],
  cc: [],
  bcc: [],
  subject: "s",
  bodyText: "b",
  attachments: [],
};

async function prepared(harness: GmailHarness) {
  const tool = sendTool(harness.deps, "send");
  const form = (await tool.prepare(request, harness.context())).prepared as PreparedSend;
  return {
    form,
    attempt: (context: Partial<EffectContext> = {}) => tool.execute(form, harness.context(context)),
    reconcile: (context: Partial<EffectContext> = {}) =>
      tool.reconcile?.(form, harness.context(context)),
  };
}

/** The same mail with an additional header line. */
function withLine(raw: string, line: string): string {
  return Buffer.concat([Buffer.from(`${line}\r\n`), Buffer.from(raw, "base64url")]).toString(
    "base64url",
  );
}

describe("a sent mail whose response was lost", () => {
  it("X2 is found among sent mail", async () => {
    const harness = createGmailHarness();
    const { attempt, reconcile } = await prepared(harness);
    harness.onSend = (next) => {
      next();
      throw lost;
    };
    await expect(attempt()).rejects.toBe(lost);
    expect(await reconcile()).toMatchObject({
      state: "done",
      output: { sentMessageId: harness.sent[0]?.id },
    });
  });

  it("X2 is found even if Gmail replaced its Message-ID", async () => {
    const harness = createGmailHarness();
    const { attempt, reconcile } = await prepared(harness);
    harness.onSend = (next) => {
      next();
      const [mail] = harness.sent.splice(0);
      if (mail)
        harness.sent.push({
          ...mail,
          raw: Buffer.from(
            Buffer.from(mail.raw, "base64url")
              .toString("latin1")
              .replace(/^Message-ID: .*$/im, "Message-ID: <other@mail.gmail.com>"),
            "latin1",
          ).toString("base64url"),
        });
      throw lost;
    };
    await expect(attempt()).rejects.toBe(lost);
    expect(await reconcile()).toMatchObject({
      state: "done",
      output: { sentMessageId: harness.sent[0]?.id },
    });
  });

  it("X2 stays unknown when only a late draft of an earlier attempt exists", async () => {
    const harness = createGmailHarness();
    const { form, attempt, reconcile } = await prepared(harness);
    harness.onSend = (next) => {
      next();
      // Gmail's lists lag, so the sent mail is not listed yet.
      harness.sent.splice(0);
      throw lost;
    };
    await expect(attempt({ attempt: 2 })).rejects.toBe(lost);
    harness.drafts.set("late", {
      id: "late-message",
      threadId: "t",
      raw: withLine(form.raw, `${attemptHeader}: 1`),
    });
    expect(await reconcile({ attempt: 2 })).toMatchObject({ state: "unknown" });
    expect(harness.drafts.size).toBe(0);
  });

  it("X2 is searched for only after its draft was deleted, so that the attempt can no longer send", async () => {
    const harness = createGmailHarness();
    const { attempt, reconcile } = await prepared(harness);
    harness.onSend = () => {
      throw lost;
    };
    await expect(attempt()).rejects.toBe(lost);
    harness.asked.splice(0);
    expect(await reconcile()).toEqual({ state: "not_done" });
    expect(harness.asked.indexOf("drafts.delete")).toBeGreaterThan(-1);
    expect(harness.asked.indexOf("messages.list")).toBeGreaterThan(
      harness.asked.indexOf("drafts.delete"),
    );
  });
});

describe("a duplicate of a draft that is sent", () => {
  it("X2 is deleted too when its request was served late", async () => {
    const harness = createGmailHarness();
    const create = draftCreateTool(harness.deps, "create");
    const mail = (await create.prepare(request, harness.context())).prepared;
    const { draftId } = (await create.execute(mail, harness.context())) as { draftId: string };
    const kept = harness.drafts.get(draftId);
    const send = sendDraftTool(harness.deps, "send");
    const form = (await send.prepare({ draftId }, harness.context())).prepared;
    if (kept) harness.drafts.set("twin", { ...kept, id: "twin-message" });
    await send.execute(form, harness.context());
    expect(harness.sent).toHaveLength(1);
    expect([...harness.drafts.keys()]).toEqual([]);
  });

  it("X2 from an earlier attempt is deleted before the next one sends", async () => {
    const harness = createGmailHarness();
    const { form, attempt } = await prepared(harness);
    harness.drafts.set("late", {
      id: "late-message",
      threadId: "t",
      raw: withLine(form.raw, `${attemptHeader}: 1`),
    });
    await attempt({ attempt: 2 });
    expect(harness.sent).toHaveLength(1);
    expect([...harness.drafts.keys()]).toEqual([]);
  });
});

describe("a draft with a foreign Reply-To", () => {
  it("RT10 reports the address to the policy with its role", async () => {
    const harness = createGmailHarness();
    const raw = Buffer.from(
      "From: me@x.example\r\nTo: me@x.example\r\nReply-To: other@evil.example\r\nSubject: s\r\n\r\nb",
    ).toString("base64url");
    harness.drafts.set("d", { id: "m", threadId: "t", raw });
    const tool = sendDraftTool(harness.deps, "gmail_draft_send");
    const { prepared: form } = await tool.prepare({ draftId: "d" }, harness.context());
    const facts = tool.factsOf(form);
    expect(facts.recipients).toContainEqual({ address: "other@evil.example", role: "reply-to" });
    const labels = withResult(
      { ...noLabels, words: "send it" },
      {
        tool: "read",
        actionId: "a",
        label: { origin: "mail", trusted: false, private: true, readers: [] },
        value: "x",
      },
    );
    const decision = judge({
      tool: tool.name,
      seenBy: "others",
      effectKind: "send_mail",
      intent: "unread",
      facts,
      labels,
      rules: { ...defaultRules, trustLevel: "autonomous" },
    });
    expect(decision).toMatchObject({
      verdict: "ask",
      risks: [
        { why: { code: "words_not_read" } },
        { value: "me@x.example" },
        {
          kind: "recipient",
          value: "other@evil.example",
          why: { code: "recipient_not_mentioned", role: "reply-to" },
        },
      ],
    });
  });
});
