import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeMail } from "../compose-mail.ts";
import { mailFacts } from "./mail-facts.ts";
import { htmlText, messageText } from "./message-text.ts";
import { allParts, parseMime, partText } from "./parse-mime.ts";

const parse = (...lines: readonly string[]) => parseMime(Buffer.from(lines.join("\r\n"), "utf8"));

describe("a message", () => {
  test("unfolds headers, accepts bare line ends, and reads addresses with commas and groups", () => {
    const root = parseMime(
      Buffer.from(
        'Subject: a\n\tb\nTo: "Doe, Jo" <JO@x.example>,\n team: a@x.example, b@x.example;\nReferences: <1@x>\n <2@x>\n\nbody',
      ),
    );
    const facts = mailFacts(root);
    expect(facts.subject).toBe("a b");
    expect(facts.to).toEqual([
      { name: "Doe, Jo", address: "jo@x.example" },
      { name: "", address: "a@x.example" },
      { name: "", address: "b@x.example" },
    ]);
    expect(facts.references).toEqual(["1@x", "2@x"]);
    expect(facts.text).toBe("body");
  });

  test.each([
    [
      "continued and encoded",
      "attachment; filename*0*=utf-8''R%C3%A9su; filename*1=\"m%C3%A9.pdf\"",
      "Résum%C3%A9.pdf",
    ],
    ["an encoded word", 'attachment; filename="=?utf-8?Q?R=C3=A9sum=C3=A9.pdf?="', "Résumé.pdf"],
    ["with a semicolon", 'attachment; filename="a;b.pdf"', "a;b.pdf"],
    ["latin-1", "attachment; filename*=iso-8859-1''%E9t%E9.pdf", "été.pdf"],
  ])("has file names: %s", (_name, disposition, expected) => {
    expect(
      parse("Content-Type: application/pdf", `Content-Disposition: ${disposition}`, "", "x")
        .filename,
    ).toBe(expected);
  });

  test("ends parts at their boundary and tolerates a missing final one", () => {
    const root = parse(
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "before",
      "--b",
      "",
      "one --b inside",
      "",
      "--b",
      "Content-Type: text/html",
      "",
      "<p>two</p>",
    );
    expect(root.parts.map((part) => partText(part))).toEqual(["one --b inside\r\n", "<p>two</p>"]);
  });

  test("shows HTML as text if there is no plain text", () => {
    expect(
      messageText(
        parse(
          "Content-Type: text/html",
          "",
          "<style>p{}</style><p>Caf&eacute; &amp; Tee &#8364;5</p>",
        ),
      )
        .replace(/\s+/g, " ")
        .trim(),
    ).toBe("Caf&eacute; & Tee €5");
  });

  test.each([
    ["a<BR>b</p>c", "a\nb\nc"],
    ["<Script>x < y</script>a<script>b", " a b"],
    ["a < b > c <d", "a   c <d"],
    ["<head><title>t</title></head>x", " x"],
  ])("removes the tags of %s", (html, text) => {
    expect(htmlText(html)).toBe(text);
  });

  test("handles deep nesting", () => {
    const depth = 500;
    const lines = Array.from({ length: depth }, (_, at) => [
      `Content-Type: multipart/mixed; boundary="b${at}"`,
      "",
      `--b${at}`,
    ]).flat();
    expect(allParts(parse(...lines, "", "core")).length).toBeLessThan(40);
  });

  test("parses what was composed", async () => {
    const words = fc
      .string({
        unit: fc.constantFrom("a", "ü", "ł", "€", "請", "😀", " ", "=", "?", "."),
        minLength: 1,
        maxLength: 80,
      })
      .map((text) => `x${text}x`);
    await fc.assert(
      fc.asyncProperty(
        words,
        words,
        fc.uint8Array({ maxLength: 300 }),
        words,
        async (subject, text, content, name) => {
          const raw = await composeMail({
            from: '"Ünal, Åsa" <a@x.example>',
            to: "b@x.example",
            bcc: "c@x.example",
            subject,
            text,
            attachments: [
              { filename: `${name}.bin`, contentType: "application/octet-stream", content },
            ],
          });
          const root = parseMime(raw);
          const facts = mailFacts(root);
          expect(facts.subject.replace(/ +/g, " ")).toBe(subject.replace(/ +/g, " "));
          expect(facts.text.trimEnd()).toBe(text);
          expect(facts.from).toEqual([{ name: "Ünal, Åsa", address: "a@x.example" }]);
          expect(facts.bcc).toEqual([{ name: "", address: "c@x.example" }]);
          expect(facts.attachmentNames).toEqual([`${name}.bin`]);
          expect(new Uint8Array(root.parts[1]?.body() ?? Buffer.alloc(0))).toEqual(content);
        },
      ),
      { numRuns: sampleCount(150) },
    );
  });
});
