import { type Script, isFullSuite } from "@bron/testing";
import { closingEvent, type Store } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { outputsOf } from "./support/mail-harness.ts";
import { resultOf } from "./support/mail-script.ts";
import {
  approveShown,
  withDatabase,
  rewritePrepared,
  sentOf,
  showMail,
  type ShownMail,
} from "./support/shown-mail.ts";
import { openSignInHarness, type SignInHarness } from "./support/sign-in-harness.ts";

const cases = isFullSuite ? 1_000 : 15;
/** How many cases are in progress at once. */
const width = 8;

/**
 * What happens between the approval card and the send. `happen` returns the result of the owner's
 * click.
 */
interface Change {
  readonly name: string;
  readonly needsDraft?: boolean;
  readonly sent: 0 | 1;
  readonly happen: (mail: ShownMail, text: string) => Promise<string>;
  /** The expected result of the click. */
  readonly clickResult: string;
}

const recipient = (text: string) =>
  `${Buffer.from(text).toString("hex").slice(0, 20) || "x"}@mallory.example`;
const edited = (
  name: string,
  edit: (
    mail: ShownMail,
    text: string,
  ) =>
    | Parameters<SignInHarness["simulator"]["control"]["editDraft"]>[1]
    | Promise<Parameters<SignInHarness["simulator"]["control"]["editDraft"]>[1]>,
): Change => ({
  name: `the draft is edited: ${name}`,
  needsDraft: true,
  sent: 0,
  clickResult: "approved",
  async happen(mail, text) {
    await mail.harness.simulator.control.editDraft(draftOf(mail), await edit(mail, text));
    return await approveShown(mail);
  },
});
const rewritten = (
  name: string,
  change: (prepared: JsonObject, text: string) => JsonObject,
): Change => ({
  name: `the database is rewritten: ${name}`,
  sent: 0,
  clickResult: "approved",
  async happen(mail, text) {
    await rewritePrepared(mail, (prepared) => ({ ...prepared, ...change(prepared, text) }));
    return await approveShown(mail);
  },
});
const draftOf = ({ harness, draftId }: ShownMail) => ({
  account: harness.simulator.accounts[0]?.address ?? "",
  draftId,
});
const asShown = ({ harness, subject }: ShownMail) => ({
  from: harness.simulator.accounts[0]?.address ?? "",
  to: "eva@elsewhere.example",
  subject,
  text: "Here they are.",
});

const changes: readonly Change[] = [
  {
    name: "nothing changes",
    sent: 1,
    clickResult: "approved",
    happen: (mail) => approveShown(mail),
  },
  {
    name: "five clicks at once",
    sent: 1,
    clickResult: "approved",
    async happen(mail) {
      const responses = await Promise.all(Array.from({ length: 5 }, () => approveShown(mail)));
      expect(responses.filter((response) => response !== "approved")).toEqual(
        Array.from({ length: 4 }, () => "approval_closed"),
      );
      return "approved";
    },
  },
  {
    name: "a click after it was sent",
    sent: 1,
    clickResult: "approval_closed",
    async happen(mail) {
      expect(await approveShown(mail)).toBe("approved");
      await mail.harness.waitUntilParked(mail.ownerId, mail.runId);
      return await approveShown(mail);
    },
  },
  {
    name: "a replay of an approval that the database calls pending again",
    sent: 1,
    clickResult: "approval_closed",
    async happen(mail) {
      expect(await approveShown(mail)).toBe("approved");
      await mail.harness.waitUntilParked(mail.ownerId, mail.runId);
      await withDatabase(mail, (client) =>
        client.query("update approvals set state = 'pending', decided_at = null where id = $1", [
          mail.approval.id,
        ]),
      );
      return await approveShown(mail);
    },
  },
  {
    name: "another owner clicks",
    sent: 0,
    clickResult: "not_found",
    happen: (mail, text) => approveShown(mail, { ownerId: `other ${text}` }),
  },
  {
    name: "another digest was seen",
    sent: 0,
    clickResult: "digest_mismatch",
    happen: (mail, text) =>
      approveShown(mail, {
        digest: `sha256:${Buffer.from(text.padEnd(32, "0")).toString("hex").slice(0, 64)}`,
      }),
  },
  {
    name: "the approval of another run",
    sent: 0,
    clickResult: "approved",
    async happen(mail, text) {
      const other = await showMail(mail.harness, `${mail.ownerId} other ${text}`, "draft");
      expect(
        await approveShown(mail, { ownerId: other.ownerId, approvalId: other.approval.id }),
      ).toBe("digest_mismatch");
      return await approveShown(other);
    },
  },
  {
    name: "denied before",
    sent: 0,
    clickResult: "approval_closed",
    async happen(mail) {
      await mail.harness.runtime.clientFor(mail.ownerId).call("POST /api/approvals/:id/deny", {
        params: { id: mail.approval.id },
        body: { digest: mail.approval.digest },
      });
      return await approveShown(mail);
    },
  },
  {
    name: "stopped before",
    sent: 0,
    clickResult: "approval_closed",
    async happen(mail) {
      await mail.harness.runtime
        .clientFor(mail.ownerId)
        .call("POST /api/runs/:id/cancel", { params: { id: mail.runId } });
      await mail.harness.waitUntilParked(mail.ownerId, mail.runId);
      return await approveShown(mail);
    },
  },
  {
    name: "too late",
    sent: 0,
    clickResult: "approval_closed",
    async happen(mail) {
      await withDatabase(mail, (client) =>
        client.query(
          "update approvals set expires_at = clock_timestamp() - interval '1 second' where id = $1",
          [mail.approval.id],
        ),
      );
      return await approveShown(mail);
    },
  },
  {
    name: "an approval forged in the database",
    sent: 0,
    clickResult: "forged",
    async happen(mail, text) {
      await withDatabase(mail, (client) =>
        client.query("select * from close_approval($1, $2, $3, $4, $5)", [
          mail.ownerId,
          mail.approval.id,
          { state: "approved", tokenHash: Buffer.from(text).toString("hex") },
          closingEvent(mail.approval, { state: "approved" }, mail.ownerId),
          { what: "approval.approved", by: "owner", details: {} },
        ]),
      );
      return "forged";
    },
  },
  {
    name: "another account is connected",
    sent: 0,
    clickResult: "approved",
    async happen(mail) {
      await mail.harness.connect(mail.ownerId, mail.harness.simulator.accounts[1]?.address);
      return await approveShown(mail);
    },
  },
  edited("recipient", (mail, text) => ({ ...asShown(mail), to: recipient(text) })),
  edited("one more recipient", (mail, text) => ({ ...asShown(mail), cc: recipient(text) })),
  edited("text", (mail, text) => ({ ...asShown(mail), text: `Here they are. ${text}` })),
  edited("attachment", (mail, text) => ({
    ...asShown(mail),
    attachments: [{ filename: "more.txt", contentType: "text/plain", content: Buffer.from(text) }],
  })),
  edited("one byte", async (mail, text) => {
    const bytes = Buffer.from(
      (await mail.harness.simulator.control.drafts(draftOf(mail).account)).find(
        ({ draftId }) => draftId === mail.draftId,
      )?.raw ?? "",
      "base64",
    );
    const at = bytes.length - 1 - (text.length % 10);
    bytes[at] = (bytes[at] ?? 0) === 0x2e ? 0x21 : 0x2e;
    return { raw: bytes.toString("base64") };
  }),
  {
    name: "the draft is deleted",
    needsDraft: true,
    sent: 0,
    clickResult: "approved",
    happen: (mail) => (
      mail.harness.simulator.control.deleteDraft(draftOf(mail)),
      approveShown(mail)
    ),
  },
  {
    name: "the owner sends the draft",
    needsDraft: true,
    sent: 0,
    clickResult: "approved",
    async happen(mail) {
      await mail.harness.simulator.control.sendDraft(draftOf(mail));
      return await approveShown(mail);
    },
  },
  rewritten("bytes", ({ raw }, text) => ({
    raw: Buffer.concat([Buffer.from(raw as string, "base64url"), Buffer.from(` ${text}`)]).toString(
      "base64url",
    ),
  })),
  rewritten("recipients", (_, text) => ({ to: [recipient(text)] })),
  rewritten("copies", (_, text) => ({ cc: [recipient(text)] })),
  rewritten("hidden copies", (_, text) => ({ bcc: [recipient(text)] })),
  rewritten("subject", ({ subject }, text) => ({ subject: `${subject as string} ${text}` })),
  rewritten("text", (_, text) => ({ bodyText: `Other words. ${text}` })),
  rewritten("attachments", (_, text) => ({
    attachments: [{ filename: text, mediaType: "text/plain", sizeBytes: 1, digest: "sha256:0" }],
  })),
  rewritten("account", (_, text) => ({ account: recipient(text) })),
  rewritten("thread", (_, text) => ({ threadId: `t${text}` })),
  rewritten("draft", (_, text) => ({ draftId: `r${text}` })),
];

/** The task says how to send the mail, and with which subject. */
const script: Script = ({ options }) => {
  const task = options.prompt.findLast(({ role }) => role === "user");
  const [how, subject] = (
    task?.role === "user"
      ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("")
      : ""
  ).split(/: (.*)/s);
  const mail = { to: ["eva@elsewhere.example"], subject, bodyText: "Here they are." };
  const results = options.prompt.filter(({ role }) => role === "tool").length;
  if (how === "send")
    return results === 0
      ? { calls: [{ tool: "gmail_send", input: mail }] }
      : { text: "That is all." };
  if (results === 0) return { calls: [{ tool: "gmail_draft_create", input: mail }] };
  const { draftId } = resultOf<{ draftId: string }>(options, "gmail_draft_create") ?? {};
  return results === 1
    ? { calls: [{ tool: "gmail_draft_send", input: { draftId } }] }
    : { text: "That is all." };
};

describe("between the approval card and the send", () => {
  let harness: SignInHarness;
  let whileKeeping: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const wrap = (store: Store): Store => ({
      ...store,
      artifacts: {
        ...store.artifacts,
        async put(artifact) {
          const happen = whileKeeping;
          whileKeeping = undefined;
          await happen?.();
          return await store.artifacts.put(artifact);
        },
      },
    });
    harness = await openSignInHarness(inject("postgresUrl"), script, { wrap });
  });
  afterAll(async () => await harness.close());

  it("X1 BR13 BR18 sends only what was shown, only to whom it was shown, once: any change, any click", async () => {
    const one = fc.record({
      change: fc.constantFrom(...changes),
      how: fc.constantFrom("draft" as const, "send" as const),
      text: fc.string({ maxLength: 12, unit: "grapheme-ascii" }),
    });
    const each = changes.map((change) => ({ change, how: "send" as const, text: "x" }));
    const queue = [...each, ...fc.sample(one, cases)].map((sample, index) => ({
      ...sample,
      index,
    }));
    const failures: string[] = [];
    const take = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { change, text, index } = next;
        const how = change.needsDraft === true ? "draft" : next.how;
        await judge(change, how, text, `case-${index}`).catch((error: unknown) =>
          failures.push(
            `${change.name}, ${how}, ${JSON.stringify(text)}: ${error instanceof Error ? error.message : String(error)}`,
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: width }, take));
    expect(failures.join("\n\n")).toBe("");
  }, 600_000);

  it("X1 sends nothing when another account is connected during the send", async () => {
    const mail = await showMail(harness, "switcher", "send");
    whileKeeping = () => harness.connect("switcher", harness.simulator.accounts[1]?.address);
    expect(await approveShown(mail)).toBe("approved");
    await harness.waitUntilParked(mail.ownerId, mail.runId);
    expect(sentOf(mail)).toEqual([]);
    expect(outputsOf(await harness.events(mail.ownerId, mail.runId), "gmail_send")).toMatchObject([
      { code: "effect_not_done", message: expect.stringContaining("approved for") },
    ]);
  });

  async function judge(
    change: Change,
    how: "draft" | "send",
    text: string,
    name: string,
  ): Promise<void> {
    const mail = await showMail(harness, name, how);
    const client = harness.runtime.clientFor(mail.ownerId);
    expect(sentOf(mail)).toEqual([]);
    expect(await change.happen(mail, text)).toBe(change.clickResult);
    const run = await harness.waitUntilParked(mail.ownerId, mail.runId);
    const sent = sentOf(mail);
    expect(
      sent.length,
      JSON.stringify({
        status: run.status,
        effects: (await client.call("GET /api/runs/:id/effects", { params: { id: mail.runId } }))
          .effects,
      }),
    ).toBe(change.sent);
    if (change.sent === 1)
      expect(sent[0]?.raw).toBe(Buffer.from(mail.raw, "base64url").toString("base64"));
    // The recorded effects agree with the mailbox.
    const done = (
      await client.call("GET /api/runs/:id/effects", { params: { id: mail.runId } })
    ).effects.filter(({ tool, state }) => tool !== "gmail_draft_create" && state === "done");
    expect(done).toHaveLength(change.sent);
  }
});
