import { describe, expect, it } from "vitest";
import { placeOfDraft, readPreparedDraft } from "./prepared-draft.ts";
import { previewOf } from "./prepared-mail.ts";

const draft = (...lines: string[]) => ({ raw: Buffer.from(lines.join("\r\n")).toString("base64url"), threadId: "t1" });

describe("a draft that its owner wrote", () => {
  it("X1 is shown as recipients would see it: sender, where answers go, and both of its forms", async () => {
    const mail = await readPreparedDraft(
      draft(
        "From: Alias <alias@firm.example>",
        "Reply-To: mallory@elsewhere.example",
        "To: eva@firm.example",
        "Subject: Bill",
        'Content-Type: multipart/alternative; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "Pay 10 EUR",
        "--b",
        "Content-Type: text/html",
        "",
        "<p>Pay <b>9999</b> EUR</p>",
        "--b--",
        "",
      ),
      "me@firm.example",
    );
    const shown = previewOf(mail);
    for (const part of ["Alias <alias@firm.example>", "mallory@elsewhere.example", "Pay 10 EUR", "Pay 9999 EUR"]) expect(shown).toContain(part);
  });

  it("shows one form when both say the same", async () => {
    const mail = await readPreparedDraft(
      draft("From: me@firm.example", "To: eva@firm.example", "Subject: Hi", 'Content-Type: multipart/alternative; boundary="b"', "", "--b", "Content-Type: text/plain", "", "Hello Eva", "--b", "Content-Type: text/html", "", "<div>Hello Eva</div>", "--b--", ""),
      "me@firm.example",
    );
    expect(mail.bodyText).toBe("Hello Eva");
  });

  it("keeps its conversation when it is written anew", async () => {
    expect(await placeOfDraft(draft("To: eva@firm.example", "In-Reply-To: <a@x>", "References: <b@x> <a@x>", "", "text"))).toEqual({ threadId: "t1", inReplyTo: "<a@x>", references: ["<b@x>", "<a@x>"] });
    expect(await placeOfDraft(draft("To: eva@firm.example", "", "text"))).toEqual({});
  });
});
