import { expect, it } from "vitest";
import { createGmailHarness } from "./gmail-harness.fixture.ts";
import { findDraftMention } from "./find-draft.ts";

it("takes a draft that is deleted during the search for no match", async () => {
  const { deps, drafts, context } = createGmailHarness();
  const draft = (id: string, subject: string) =>
    drafts.set(id, {
      id: `message-${id}`,
      threadId: id,
      raw: Buffer.from(`Subject: ${subject}\r\n\r\nHello`).toString("base64url"),
    });
  draft("kept", "Offer for the roof");
  draft("deleted", "Offer for the wall");
  const { gmail } = await deps.service.connect("token");
  const { list } = gmail.users.drafts;
  Object.assign(gmail.users.drafts, {
    async list() {
      const listed = await list({ userId: "me" });
      drafts.delete("deleted");
      return listed;
    },
  });
  expect(await findDraftMention(deps, "the offer draft", context())).toEqual(["kept"]);
});
