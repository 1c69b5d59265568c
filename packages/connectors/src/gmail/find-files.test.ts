import type { FileQuery } from "@bron/core";
import { describe, expect, it } from "vitest";
import type { GmailClient } from "../google/gmail-service.ts";
import { createGmailHarness } from "./gmail-harness.fixture.ts";
import { findFiles } from "./find-files.ts";

const contact = "otto@partner.example";

interface Mail {
  readonly from: string;
  readonly isVerified?: boolean;
  readonly isDeleted?: boolean;
}

/** A mailbox with mails that have the file a.txt. The owner has written to none of their senders. */
async function find(words: string, mails: readonly Mail[]) {
  const { deps, context } = createGmailHarness();
  const missing = Object.assign(new Error("Not found"), {
    response: { status: 404, data: { error: { message: "Not found" } } },
  });
  const messages = {
    list: async () => ({ data: { messages: mails.map((_, index) => ({ id: String(index) })) } }),
    async get({ id }: { id: string }) {
      const { from, isVerified = true, isDeleted } = mails[Number(id)]!;
      if (isDeleted) throw missing;
      const result = `mx.example; dmarc=${isVerified ? "pass" : "fail"}`;
      const headers = [
        { name: "From", value: from },
        { name: "Authentication-Results", value: result },
      ];
      const body = { attachmentId: id, size: 5 };
      return {
        data: {
          id,
          labelIds: ["INBOX"],
          payload: { headers, parts: [{ filename: "a.txt", mimeType: "text/plain", body }] },
        },
      };
    },
    attachments: { get: async () => ({ data: { data: "aGVsbG8" } }) },
  };
  const client = { gmail: { users: { messages } } } as unknown as GmailClient;
  const query: FileQuery = {
    words,
    isContact: (address) => address === contact,
    contactsCalled: (name) => (name === "otto" ? [contact] : []),
  };
  const attachments = [{ digest: "d", filename: "a.txt", mediaType: "text/plain", sizeBytes: 5 }];
  const found = await findFiles(
    { ...deps, service: { ...deps.service, connect: () => Promise.resolve(client) } },
    query,
    { attachments },
    context(),
  );
  return found.map(({ from, isTrusted }) => `${from} ${isTrusted}`);
}

describe("X3 a file that the owner mentions", () => {
  it("counts if a trusted contact sent it, to whom the owner never wrote", async () => {
    expect(await find("a.txt", [{ from: contact }])).toEqual([`${contact} true`]);
    expect(await find("a.txt", [{ from: "x@evil.example" }])).toEqual(["x@evil.example false"]);
  });

  it("counts as a contact's only if the sender is verified and called so", async () => {
    const mails = [{ from: contact }, { from: `Otto <x@evil.example>` }];
    expect(await find("a.txt from Otto", mails)).toEqual([`${contact} true`]);
    expect(await find("a.txt from Otto", [{ from: contact, isVerified: false }])).toEqual([]);
    expect(await find("a.txt", [{ from: contact, isVerified: false }])).toEqual([
      `${contact} false`,
    ]);
    expect(await find("a.txt from Eva", mails)).toEqual([]);
  });

  it("is not found in a mail that is deleted during the search", async () => {
    const mails = [{ from: contact }, { from: contact, isDeleted: true }];
    expect(await find("a.txt", mails)).toEqual([`${contact} true`]);
  });
});
