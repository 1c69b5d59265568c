import { describe, expect, it } from "vitest";
import { mailFacts } from "./mail-facts.ts";
import { threadOfDraft, readPreparedDraft } from "./prepared-draft.ts";
import { previewOf } from "./prepared-mail.ts";

const draft = (...lines: string[]) => ({
  raw: Buffer.from(lines.join("\r\n")).toString("base64url"),
  threadId: "t1",
});

describe("a draft that the owner wrote", () => {
  it("X1 is shown as recipients would see it: sender, Reply-To and both versions", async () => {
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
    for (const part of [
      "Alias <alias@firm.example>",
      "mallory@elsewhere.example",
      "Pay 10 EUR",
      "Pay 9999 EUR",
    ])
      expect(shown).toContain(part);
  });

  it("shows one version when both say the same", async () => {
    const mail = await readPreparedDraft(
      draft(
        "From: me@firm.example",
        "To: eva@firm.example",
        "Subject: Hi",
        'Content-Type: multipart/alternative; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "Hello Eva",
        "--b",
        "Content-Type: text/html",
        "",
        "<div>Hello Eva</div>",
        "--b--",
        "",
      ),
      "me@firm.example",
    );
    expect(mail.bodyText).toBe("Hello Eva");
  });

  it("X1 X3 shows targets of formatted links and images, and what comments and heads hide", async () => {
    const html =
      '<head>Pay first</head><!-- --!><p>Our list is <a href="https://evil.example/?q=1">here</a></p><!-- --><img src=https://evil.example/p.png><i style="background:url(https://evil.example/b)"></i><a href="#top">up</a>';
    const mail = await readPreparedDraft(
      draft(
        "From: me@firm.example",
        "To: eva@firm.example",
        "Subject: Hi",
        "Content-Type: text/html",
        "",
        html,
      ),
      "me@firm.example",
    );
    for (const part of [
      "Pay first",
      "Our list is here",
      "https://evil.example/?q=1",
      "https://evil.example/p.png",
      "https://evil.example/b",
    ])
      expect(mail.bodyText).toContain(part);
    expect(mail.bodyText).not.toContain("#top");
    expect(mailFacts(mail).hosts).toEqual(["evil.example"]);
  });

  it("X1 lists an attached message as a file", async () => {
    const mail = await readPreparedDraft(
      draft(
        "From: me@firm.example",
        "To: eva@firm.example",
        "Subject: Hi",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "Hello",
        "--b",
        'Content-Type: message/rfc822; name="salaries.csv"',
        'Content-Disposition: attachment; filename="salaries.csv"',
        "",
        "name;salary",
        "eva;1",
        "--b--",
        "",
      ),
      "me@firm.example",
    );
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(["salaries.csv"]);
  });

  it("is rejected if it is too long to be shown in full", async () => {
    const raw = Buffer.from(
      `To: eva@elsewhere.example\r\nContent-Type: text/html\r\n\r\n${"<p>word</p>\r\n".repeat(30_000)}`,
    ).toString("base64url");
    await expect(
      readPreparedDraft({ raw, threadId: "" }, "mara@lindqvist.example"),
    ).rejects.toMatchObject({
      code: "invalid_arguments",
      message: expect.stringContaining("too long to review in full"),
    });
  });

  it("keeps its thread when it is rewritten", async () => {
    expect(
      await threadOfDraft(
        draft("To: eva@firm.example", "In-Reply-To: <a@x>", "References: <b@x> <a@x>", "", "text"),
      ),
    ).toEqual({ threadId: "t1", inReplyTo: "<a@x>", references: ["<b@x>", "<a@x>"] });
    expect(await threadOfDraft(draft("To: eva@firm.example", "", "text"))).toEqual({});
  });
});
