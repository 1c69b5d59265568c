import type { JsonObject, JsonValue } from "@bron/protocol";
import type { Script } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openMailHarness, outputsOf, ownerId, type MailHarness } from "./support/mail-harness.ts";
import { resultOf } from "./support/mail-script.ts";

interface Found {
  readonly matches: readonly { messageId: string; subject: string; attachments: string[] }[];
}
interface File {
  readonly digest: string;
  readonly filename: string;
}

/** Finds an invoice, saves its file and forwards it. The task is the note above it. */
const script: Script = ({ options, turn }) => {
  const task = options.prompt.find(({ role }) => role === "user");
  const note =
    task?.role === "user"
      ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("")
      : "";
  const found = resultOf<Found>(options, "gmail_search")?.matches[0];
  const { messageId = "", attachments: [filename] = [] } = found ?? {};
  const calls = [
    {
      tool: "gmail_search",
      input: { query: "subject:invoice filename:pdf -in:sent", maxResults: 1 },
    },
    { tool: "gmail_attachment_get", input: { messageId, filename } },
    {
      tool: "gmail_forward",
      input: {
        messageId: note === "No such mail" ? "none" : messageId,
        to: ["eva@elsewhere.example"],
        note,
      },
    },
  ];
  const call = calls[turn];
  return call ? { calls: [call] } : { text: "Done." };
};

const markOf = (prepared: JsonValue) => (prepared as { mark: string }).mark;

describe("a forwarded mail", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), { script });
  });
  afterAll(async () => await harness.close());

  const pendingOf = async (runId: string) => {
    const client = harness.runtime.clientFor(ownerId);
    const [approval] = await client.list("GET /api/approvals", { runId, pending: "true" });
    if (!approval) throw new Error("Nothing is pending");
    return approval;
  };
  const sentWith = (mark: string) =>
    harness.simulator.record().sent.filter(({ raw }) => Buffer.from(raw, "base64").includes(mark));
  /** The mail and its file as the owner's mailbox has them. */
  const originalOf = async (runId: string) => {
    const events = await harness.events(runId);
    const [found] = outputsOf(events, "gmail_search") as Found[];
    const [file] = outputsOf(events, "gmail_attachment_get") as File[];
    return { subject: found?.matches[0]?.subject ?? "", file };
  };

  it("BR17 X1 arrives as it was, under its headers and with its file", async () => {
    const run = await harness.runUntilParked("Please have a look.");
    const { prepared } = await pendingOf(run.id);
    await harness.approve(run.id);
    expect(await harness.waitUntilParked(run.id)).toMatchObject({ status: "completed" });
    const { subject, file } = await originalOf(run.id);
    const { raw, bodyText, attachments } = prepared as {
      raw: string;
      bodyText: string;
      attachments: JsonValue;
    };
    const [one, ...others] = sentWith(markOf(prepared));
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      subject: `Fwd: ${subject}`,
      recipients: { envelope: ["eva@elsewhere.example"] },
    });
    // What was sent are the bytes that the owner approved.
    expect(Buffer.from(one?.raw ?? "", "base64")).toEqual(Buffer.from(raw, "base64url"));
    expect(bodyText).toMatch(
      /^Please have a look\.\n\n-{10} Forwarded message -{9}\nFrom: .+@.+\nDate: .+\nSubject: /,
    );
    expect(attachments).toMatchObject([{ filename: file?.filename, digest: file?.digest }, {}]);
  });

  it("BR17 lets the owner edit its recipients and the note, and nothing of the copy", async () => {
    const run = await harness.runUntilParked("Please pay.");
    const { id, digest, prepared } = await pendingOf(run.id);
    const client = harness.runtime.clientFor(ownerId);
    const edit = async (changes: JsonObject) =>
      await client.call("POST /api/approvals/:id/edit", {
        params: { id },
        body: { digest, changes },
      });
    await expect(edit({ bodyText: "Mine" })).rejects.toThrow();
    await edit({ to: ["tom@elsewhere.example"], note: "Please check." });
    await harness.waitUntilParked(run.id);
    const again = await pendingOf(run.id);
    const { copy } = prepared as JsonObject;
    expect(again.prepared).toMatchObject({
      to: ["tom@elsewhere.example"],
      bodyText: `Please check.\n\n${copy as string}`,
      attachments: (prepared as JsonObject)["attachments"],
    });
    await harness.approve(run.id);
    await harness.waitUntilParked(run.id);
    const [one] = sentWith(markOf(again.prepared));
    expect(one?.recipients.envelope).toEqual(["tom@elsewhere.example"]);
  });

  it("X2 is sent once if the response is lost", async () => {
    const run = await harness.runUntilParked("Lost and found.");
    const { prepared } = await pendingOf(run.id);
    harness.simulator.faults.add({ method: "gmail.users.drafts.send", kind: "cut", when: "after" });
    await harness.approve(run.id);
    expect(await harness.waitUntilParked(run.id)).toMatchObject({ status: "completed" });
    expect(sentWith(markOf(prepared))).toHaveLength(1);
    expect(outputsOf(await harness.events(run.id), "gmail_forward")).toMatchObject([
      { sentMessageId: expect.any(String) },
    ]);
  }, 30_000);

  it("fails with words if there is no such mail", async () => {
    const run = await harness.runUntilParked("No such mail");
    expect(outputsOf(await harness.events(run.id), "gmail_forward")).toMatchObject([
      { code: "invalid_arguments", message: expect.stringMatching(/Gmail rejected the request/) },
    ]);
    expect(run.status).toBe("completed");
  });
});
