import { sampleCount } from "@bron/testing";
import { BronError, sha256 } from "@bron/core";
import fc from "fast-check";
import PostalMime, { type Address as MimeAddress } from "postal-mime";
import { describe, expect, it } from "vitest";
import { prepareMail, previewOf, type MailRequest, type PreparedMail } from "./prepared-mail.ts";
import { readPreparedDraft } from "./prepared-draft.ts";

const account = "mara@lindqvist.example";
const now = new Date("2026-11-15T09:00:00Z");
const file = new TextEncoder().encode("a file");

/**
 * Strings that break mail: line breaks, extra headers, encoded words, quotes, other scripts,
 * direction marks, surrogates.
 */
const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    "\r\n",
    "\n",
    "\r",
    "\r\nBcc: mallory@evil.example",
    "\nTo: mallory@evil.example\n\n",
    "\u2028",
    "\u0085",
    "\u0000",
    "\t",
    "\u202E",
    "\u2066",
    "=?utf-8?Q?Hidden?=",
    "=?utf-8?B?SGlkZGVu?=",
    '"',
    "\\",
    "<",
    ">",
    ",",
    ";",
    ":",
    "(",
    ")",
    "@",
    "..",
    "../../etc/passwd",
    "C:\\x",
    "é",
    "日本語",
    "🙂",
    " ",
    "  ",
    "\uD800",
    "а",
    "ⅿ",
    "%0d%0a",
  ),
);
const words = fc.array(nasty, { maxLength: 4 }).map((pieces) => pieces.join(""));
const goodAddress = fc
  .tuple(
    fc.stringMatching(/^[a-z][a-z0-9._+-]{0,8}[a-z0-9]$/).filter((text) => !text.includes("..")),
    fc.constantFrom("x.example", "sub.y.example", "a-b.example"),
  )
  .map(([local, host]) => `${local}@${host}`);
const address = fc.oneof(
  { weight: 3, arbitrary: goodAddress },
  { weight: 3, arbitrary: fc.tuple(words, goodAddress).map(([name, one]) => `${name} <${one}>`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(words, goodAddress)
      .map(([name, one]) => `"${name.replaceAll(/["\\]/g, "\\$&")}" <${one}>`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(goodAddress, nasty, goodAddress)
      .map(([one, between, other]) => `${one}${between}${other}`),
  },
  { weight: 1, arbitrary: words },
);
const attachment = fc.record({
  digest: fc.constant(""),
  filename: fc.oneof(
    fc.constant("invoice.pdf"),
    words.filter((text) => text !== ""),
  ),
  mediaType: fc.oneof(
    fc.constantFrom("application/pdf", "text/plain", "application/octet-stream"),
    words,
  ),
});
const request: fc.Arbitrary<MailRequest> = fc.record({
  to: fc.array(address, { minLength: 1, maxLength: 3 }),
  cc: fc.array(address, { maxLength: 2 }),
  bcc: fc.array(address, { maxLength: 2 }),
  subject: fc.oneof(words, fc.constant("Numbers")),
  bodyText: words,
  attachments: fc.array(attachment, { maxLength: 2 }),
});
/**
 * One hostile value in an otherwise plain mail. Most fully hostile mails would be rejected at their
 * first address.
 */
const plain: MailRequest = {
  to: ["eva@x.example"],
  cc: [],
  bcc: [],
  subject: "Numbers",
  bodyText: "Here they are.",
  attachments: [],
};
const oneThing: fc.Arbitrary<MailRequest> = fc
  .tuple(
    request,
    fc.constantFrom<keyof MailRequest>("to", "cc", "bcc", "subject", "bodyText", "attachments"),
  )
  .map(([hostile, field]) => ({ ...plain, [field]: hostile[field] }));

const knownHeaders = [
  "from",
  "to",
  "cc",
  "bcc",
  "subject",
  "message-id",
  "date",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "content-disposition",
  "x-bron-effect",
];

async function prepare(hostile: MailRequest): Promise<PreparedMail | undefined> {
  const digest = await sha256(file);
  try {
    return await prepareMail(
      { ...hostile, attachments: hostile.attachments.map((one) => ({ ...one, digest })) },
      { account },
      { readArtifact: () => Promise.resolve(file) },
      now,
    );
  } catch (error) {
    if (BronError.is(error, "invalid_arguments")) return undefined;
    throw error;
  }
}

const addressesOf = (found: readonly MimeAddress[] | undefined) =>
  (found ?? []).map(({ address: one }) => one ?? "");
const shownAddresses = (shown: readonly string[]) =>
  shown.map((one) => /<([^<>]*)>$/.exec(one)?.[1] ?? one);
const collapsed = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const namesOf = (found: readonly MimeAddress[]) => found.map(({ name }) => collapsed(name ?? ""));
const shownName = (shown: string) => {
  const [, name = ""] = /^(.*) <[^<>]*>$/s.exec(shown) ?? [];
  return collapsed(name.startsWith('"') ? (JSON.parse(name) as string) : name);
};
const lines = (text: string) => text.replaceAll(/\r\n?/g, "\n").replace(/\n+$/, "");

describe("a mail made of hostile strings", () => {
  it("X1 reaches exactly the shown recipients with the shown subject, text and files, or is rejected", async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(request, oneThing), async (hostile) => {
        const mail = await prepare(hostile);
        fc.pre(mail !== undefined);
        made++;
        const bytes = Buffer.from(mail.raw, "base64url");
        const parsed = await PostalMime.parse(bytes);
        expect(addressesOf(parsed.to)).toEqual(shownAddresses(mail.to));
        expect(addressesOf(parsed.cc)).toEqual(shownAddresses(mail.cc));
        expect(addressesOf(parsed.bcc)).toEqual(shownAddresses(mail.bcc));
        expect(
          namesOf([...(parsed.to ?? []), ...(parsed.cc ?? []), ...(parsed.bcc ?? [])]),
        ).toEqual([...mail.to, ...mail.cc, ...mail.bcc].map(shownName));
        expect(parsed.from?.address).toBe(account);
        expect((parsed.subject ?? "").trim()).toBe(mail.subject.trim());
        expect(lines(parsed.text ?? "")).toBe(lines(mail.bodyText.toWellFormed()));
        expect(parsed.attachments.map(({ filename }) => filename)).toEqual(
          mail.attachments.map(({ filename }) => filename),
        );
        expect(
          await Promise.all(
            parsed.attachments.map(
              async ({ content }) => await sha256(new Uint8Array(content as ArrayBuffer)),
            ),
          ),
        ).toEqual(mail.attachments.map(({ digest }) => digest));
        // No unexpected header, and none twice.
        const head = bytes.toString("utf8").split("\r\n\r\n", 1)[0] ?? "";
        const names = head
          .split(/\r\n(?![ \t])/)
          .map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
        expect(names.filter((name) => !knownHeaders.includes(name))).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
      }),
      { numRuns: sampleCount(1_500), maxSkipsPerRun: 20 },
    );
    expect(made).toBeGreaterThanOrEqual(sampleCount(1_500));
  }, 60_000);

  it("X1 reads back from its draft as it was shown", async () => {
    await fc.assert(
      fc.asyncProperty(oneThing, async (hostile) => {
        const mail = await prepare(hostile);
        fc.pre(mail !== undefined);
        const read = await readPreparedDraft({ raw: mail.raw, threadId: "t" }, account);
        const { to, cc, bcc, subject, attachments, raw, mark, threadId } = read;
        expect({
          to: shownAddresses(to),
          cc: shownAddresses(cc),
          bcc: shownAddresses(bcc),
          raw,
          mark,
          threadId,
        }).toEqual({
          to: shownAddresses(mail.to),
          cc: shownAddresses(mail.cc),
          bcc: shownAddresses(mail.bcc),
          raw: mail.raw,
          mark: mail.mark,
          threadId: "",
        });
        expect(subject.trim()).toBe(mail.subject.trim());
        expect(attachments.map(({ filename, digest }) => ({ filename, digest }))).toEqual(
          mail.attachments.map(({ filename, digest }) => ({ filename, digest })),
        );
      }),
      { numRuns: sampleCount(500), maxSkipsPerRun: 20 },
    );
  }, 60_000);

  it("X1 shows each recipient, subject and file on its own line, which no content can break or reverse", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(request, oneThing), async (hostile) => {
        const mail = await prepare(hostile);
        fc.pre(mail !== undefined);
        const [head = ""] = previewOf({ ...mail, bodyText: "" }).split("\n\n");
        expect(head.split(/[\n\r\u0085\u2028\u2029\v\f]/)).toHaveLength(
          3 +
            (mail.cc.length > 0 ? 1 : 0) +
            (mail.bcc.length > 0 ? 1 : 0) +
            mail.attachments.length,
        );
        expect(head).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
      }),
      { numRuns: sampleCount(500), maxSkipsPerRun: 20 },
    );
  }, 60_000);

  it.each([
    ["a line break in an address", { to: ["eva@x.example\r\nBcc: mallory@evil.example"] }],
    ["a line break in a name", { to: ["Eva\r\nBcc: mallory@evil.example <eva@x.example>"] }],
    ["several in one", { to: ["eva@x.example, mallory@evil.example"] }],
    ["several in one, by semicolon", { to: ["eva@x.example;mallory@evil.example"] }],
    ["a group", { to: ["Friends: eva@x.example, mallory@evil.example;"] }],
    ["a look-alike", { to: ["еvа@x.example"] }],
    ["a look-alike host", { to: ["eva@exаmple.example"] }],
    ["two pairs of brackets", { to: ["Eva <eva@x.example> <mallory@evil.example>"] }],
    ["a line break in the subject", { subject: "Numbers\r\nBcc: mallory@evil.example" }],
    [
      "a line break in a file's name",
      { attachments: [{ digest: "", filename: "a.pdf\r\nX: y", mediaType: "text/plain" }] },
    ],
    [
      "a line break in a media type",
      { attachments: [{ digest: "", filename: "a.pdf", mediaType: "text/plain\r\nX: y" }] },
    ],
    [
      "a file that calls itself a mail",
      { attachments: [{ digest: "", filename: "a.csv", mediaType: "message/rfc822" }] },
    ],
    [
      "a file that calls itself several parts",
      { attachments: [{ digest: "", filename: "a.csv", mediaType: "multipart/mixed" }] },
    ],
    [
      "ten thousand recipients",
      { to: Array.from({ length: 10_000 }, (_, index) => `p${index}@x.example`) },
    ],
    [
      "more recipients in all than one mail has",
      {
        to: Array.from({ length: 50 }, (_, index) => `t${index}@x.example`),
        cc: ["one@more.example"],
      },
    ],
  ])("X1 is rejected: %s", async (_name, part) => {
    expect(await prepare({ ...plain, ...part })).toBeUndefined();
  });

  it("X1 accepts a large text in full", async () => {
    const bodyText = Array.from(
      { length: 20_000 },
      (_, index) => `Line ${index} with é and 日本.`,
    ).join("\n");
    const mail = await prepare({ ...plain, bodyText });
    expect(
      lines((await PostalMime.parse(Buffer.from(mail?.raw ?? "", "base64url"))).text ?? ""),
    ).toBe(bodyText);
  });
});
