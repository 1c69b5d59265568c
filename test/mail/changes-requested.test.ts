import { isInformation, type JsonValue } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { rightReader } from "../attacks/support/right-reading.ts";
import { openMailHarness, ownerId, type MailHarness } from "./support/mail-harness.ts";

const priya = "priya@lindqvist.example";
const words = `Send an email to ${priya} saying "See you on Friday"`;

describe("an email after the owner requested changes", () => {
  let harness: MailHarness;
  /** What the model adds in the second version. */
  let cc: string[] = [];
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), {
      script({ turn, options }) {
        const mail = { to: [priya], subject: "Friday" };
        const draftIds = [...JSON.stringify(options.prompt).matchAll(/"draftId":"([^"]+)"/g)];
        const send = () => ({
          calls: [{ tool: "gmail_draft_send", input: { draftId: draftIds.at(-1)?.[1] ?? "" } }],
        });
        const draft = (input: Record<string, JsonValue>) => ({
          calls: [{ tool: "gmail_draft_create", input: { ...mail, ...input } }],
        });
        if (turn === 0) return draft({ bodyText: "See you on Friday" });
        if (turn === 2) return draft({ bodyText: "Looking forward to Friday!", cc });
        return turn < 4 ? send() : { text: "Done." };
      },
      reader: rightReader((text) =>
        text.startsWith("Send")
          ? [{ effect: "send_mail", people: [priya], dictated: [{ slot: "q1" }] }]
          : [],
      ),
    });
  });
  afterAll(async () => await harness.close());

  const pending = async (runId: string) => {
    const client = harness.runtime.clientFor(ownerId);
    return await client.list("GET /api/approvals", { runId, pending: "true" });
  };
  const askedFor = async (runId: string) =>
    (await pending(runId)).map(({ tool, risks }) => ({
      tool,
      red: risks
        .filter((risk) => !isInformation(risk))
        .map(({ why }) => (typeof why === "string" ? why : why.code)),
    }));
  const afterReply = async (reply: string) => {
    const { id: runId } = await harness.runUntilParked(words);
    const [approval] = await pending(runId);
    expect(approval).toMatchObject({ tool: "gmail_draft_send", risks: [] });
    await harness.runtime.clientFor(ownerId).call("POST /api/approvals/:id/reply", {
      params: { id: approval!.id },
      body: { digest: approval!.digest, words: reply },
    });
    await harness.waitUntilParked(runId);
    return runId;
  };

  it("X1 X3 asks once, with the reply and nothing red, and sends the new version", async () => {
    cc = [];
    const runId = await afterReply("friendlier");
    expect(await askedFor(runId)).toEqual([{ tool: "gmail_draft_send", red: [] }]);
    const [{ risks } = { risks: [] }] = await pending(runId);
    expect(risks[0]?.why).toEqual({ code: "replied_before", words: "friendlier" });
    const before = harness.simulator.record().sent.length;
    await harness.approve(runId);
    expect(await harness.waitUntilParked(runId)).toMatchObject({ status: "completed" });
    expect(harness.simulator.record().sent.slice(before)).toHaveLength(1);
  });

  it("X3 asks about another recipient of the new version, also one in the reply", async () => {
    cc = ["felix@lindqvist.example"];
    const runId = await afterReply("shorter, and cc felix");
    expect(await askedFor(runId)).toEqual([
      { tool: "gmail_draft_create", red: ["recipient_mentioned"] },
    ]);
    // Only an email looks up whom the owner has emailed.
    const [{ risks } = { risks: [] }] = await pending(runId);
    expect(risks.flatMap(({ notes }) => notes)).toEqual([]);
    cc = ["mallory@evil.example"];
    const other = await afterReply("shorter");
    expect(await askedFor(other)).toEqual([
      { tool: "gmail_draft_create", red: ["recipient_not_mentioned"] },
    ]);
  });
});
