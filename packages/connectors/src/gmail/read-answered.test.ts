import { describe, expect, it } from "vitest";
import { createGmailHarness } from "./gmail-harness.fixture.ts";
import type { PreparedMail } from "./prepared-mail.ts";
import { readAnswered } from "./read-answered.ts";

const reader = { ownerId: "o", signal: new AbortController().signal };
const answer = (threadId: string) => ({ account: "me@x.example", threadId }) as PreparedMail;

function harnessWith(...mails: readonly { labelIds: string[]; text: string }[]) {
  const harness = createGmailHarness();
  for (const [index, { labelIds, text }] of mails.entries())
    harness.messages.set(`m${index}`, {
      id: `m${index}`,
      threadId: "t",
      labelIds,
      internalDate: String(Date.parse("2031-05-05T10:00:00Z") + index),
      payload: {
        mimeType: "text/plain",
        headers: [
          { name: "From", value: "Eva <eva@x.example>" },
          { name: "Subject", value: "Lunch?" },
        ],
        body: { data: Buffer.from(text).toString("base64url") },
      },
    });
  return harness;
}

describe("the email beside the approval of an answer", () => {
  it("is the last one of the conversation that was sent", async () => {
    const harness = harnessWith(
      { labelIds: ["INBOX"], text: "Lunch on Monday?" },
      { labelIds: ["INBOX"], text: "Or on Tuesday?" },
      { labelIds: ["DRAFT"], text: "Tuesday it is." },
    );
    expect(await readAnswered(harness.deps, answer("t"), reader)).toEqual({
      kind: "answered_email",
      from: "Eva <eva@x.example>",
      date: "2031-05-05T10:00:00.001Z",
      subject: "Lunch?",
      text: "Or on Tuesday?",
      isShortened: false,
    });
  });

  it("says that a long one was shortened", async () => {
    const harness = harnessWith({ labelIds: [], text: "word ".repeat(2_000) });
    const background = await readAnswered(harness.deps, answer("t"), reader);
    expect(background).toMatchObject({ isShortened: true });
    expect(background?.kind === "answered_email" && background.text.length).toBe(4_000);
  });

  it("is nothing for an email that starts a conversation", async () => {
    const harness = harnessWith({ labelIds: [], text: "Hi" });
    expect(await readAnswered(harness.deps, answer(""), reader)).toBeUndefined();
    expect(harness.asked).toEqual([]);
  });
});
