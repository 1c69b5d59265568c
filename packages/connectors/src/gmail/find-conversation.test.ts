import { describe, expect, it } from "vitest";
import { findConversation, findMails } from "./find-conversation.ts";
import { findMailMention } from "./find-mention.ts";
import { createGmailHarness } from "./gmail-harness.fixture.ts";

const messageId = "18c2f0a1b2c3d4e5";
const threadId = "18c2f0a1b2c3d4e0";
const eva = "eva@x.example";

function openHarness(labelIds: readonly string[] = ["INBOX"]) {
  const harness = createGmailHarness();
  harness.messages.set(messageId, {
    id: messageId,
    threadId,
    labelIds: [...labelIds],
    payload: {
      headers: [
        { name: "From", value: `Eva <${eva}>` },
        { name: "Subject", value: "Order 88" },
        { name: "Authentication-Results", value: "mx.example; dmarc=pass" },
      ],
    },
  });
  return harness;
}

describe("an email whose id the owner typed", () => {
  it.each([messageId, threadId, `mail ${messageId}`, ` ${threadId.toUpperCase()} `])(
    "is found: %s",
    async (mention) => {
      const { deps, context } = openHarness();
      expect(await findConversation(deps, mention, context())).toMatchObject({ threadId });
      expect(await findMails(deps, mention, context())).toEqual([messageId]);
    },
  );

  it.each([
    ["an id that does not exist", "18c2f0a1b2c3d4ff", undefined],
    ["a draft", messageId, ["DRAFT"]],
    ["two ids", `${messageId} ${threadId}`, undefined],
  ])("is not found: %s", async (_, mention, labelIds) => {
    const { deps, context } = openHarness(labelIds);
    expect(await findConversation(deps, mention, context())).toBeUndefined();
  });

  it("is looked for in subjects if there is no email with the number", async () => {
    const { deps, context, asked } = openHarness();
    expect(await findConversation(deps, "order 4711471147114711", context())).toBeUndefined();
    expect(asked).toEqual(["messages.get", "threads.get", "messages.list"]);
  });

  it("X3 has an author only if the owner has written to them", async () => {
    const { deps, context } = openHarness();
    const author = async (isKnown: boolean) =>
      await findMailMention(
        {
          ...deps,
          knownPeople: () => Promise.resolve(isKnown ? [{ address: eva, names: [] }] : []),
        },
        { means: "author", words: `reply to ${messageId}`, mails: [messageId] },
        { account: "me@x.example" },
        context(),
      );
    expect(await author(true)).toEqual([eva]);
    expect(await author(false)).toEqual([]);
  });
});
