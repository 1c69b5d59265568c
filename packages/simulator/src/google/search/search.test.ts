import { describe, expect, test } from "vitest";
import type { MailFacts } from "../mime/mail-facts.ts";
import { compileQuery } from "./match-query.ts";
import { parseQuery } from "./parse-query.ts";
import { createSearchDocument } from "./search-document.ts";

const now = new Date("2026-11-15T12:00:00Z");
const labels: Readonly<Record<string, string>> = {
  inbox: "INBOX",
  sent: "SENT",
  spam: "SPAM",
  trash: "TRASH",
  unread: "UNREAD",
  starred: "STARRED",
  important: "IMPORTANT",
  "big-customers": "Label_1",
};

interface Mail extends Partial<MailFacts> {
  readonly labelIds?: readonly string[];
  readonly date?: string;
  readonly sizeBytes?: number;
}

const person = (address: string, name = "") => ({ name, address });

function matches(
  query: string,
  { labelIds = ["INBOX"], date = "2026-11-10T09:00:00Z", sizeBytes = 5_000, ...facts }: Mail,
): boolean {
  const document = createSearchDocument({
    from: [],
    to: [],
    cc: [],
    bcc: [],
    subject: "",
    text: "",
    attachmentNames: [],
    messageId: "",
    references: [],
    deliveredTo: [],
    listId: "",
    ...facts,
  });
  const matcher = compileQuery(parseQuery(query), {
    now,
    ownAddress: "mara@lindqvist.example",
    findLabelId: (name) => labels[name],
  });
  return matcher({ document, labelIds, internalDate: Date.parse(date), sizeBytes });
}

describe("precedence", () => {
  test.each([
    ["a b OR c d", "a d b", true],
    ["a b OR c d", "a c d", true],
    ["a b OR c d", "a b", false],
    ["(a b) OR (c d)", "a b", true],
    ["a AND b", "a", false],
    ["a OR b AND c", "a", false],
    ["a OR b AND c", "b c", true],
    ["-a b", "b", true],
    ["-(a b)", "a", true],
    ["-(a OR b)", "b", false],
    ["-{a b}", "c", true],
    ["{a b} c", "b c", true],
    ["{a b} c", "a b", false],
    ["{(a b) c}", "a", false],
    ["a | b", "b", true],
    ["OR a", "a", true],
    ["a OR", "a", true],
    ["a or b", "a b", false],
    ["a AROUND 2 c", "a b c", true],
    ["a AROUND 1 c", "a b c", false],
  ])("%s in '%s' is %s", (query, text, expected) =>
    expect(matches(query, { text })).toBe(expected),
  );
});

describe("words", () => {
  test.each([
    ["invoice", "the invoice is here", true],
    ["invoice", "the invoices are here", false],
    ["INVOICE", "Invoice", true],
    ["grusse", "Viele Grüße", true],
    ["GRÜSSE", "viele grüße", true],
    ["lodz", "Łódź", true],
    ["zaplata", "zapłata", true],
    ['"net total"', "the net total is", true],
    ['"net total"', "total net", false],
    ["net total", "total net", true],
    ["a-b", "x a-b y", true],
    ["jo@x.example", "write to jo@x.example now", true],
    ["foo:bar", "foo bar", true],
    ["newer_than:soon", "newer_than soon", true],
    ["請求書", "この請求書を", true],
    ['"unfinished phrase', "an unfinished phrase", true],
    ["", "anything", true],
    ["((((", "anything", true],
    ["!!!", "anything", true],
  ])("%s in '%s' is %s", (query, text, expected) =>
    expect(matches(query, { text })).toBe(expected),
  );

  test("are found in subject, people and attachment names too, and phrases stay in one of them", () => {
    const mail: Mail = {
      subject: "Order confirmed",
      from: [person("eva@x.example", "Eva Brandt")],
      to: [person("mara@lindqvist.example")],
      attachmentNames: ["Rechnung-77.pdf"],
      text: "Hello",
    };
    for (const query of ["confirmed", "brandt", "lindqvist", "rechnung", "77", "pdf"])
      expect(matches(query, mail)).toBe(true);
    expect(matches('"confirmed hello"', mail)).toBe(false);
  });

  test("handle deep nesting", () => {
    expect(matches(`${"(".repeat(5_000)}a`, { text: "a" })).toBe(true);
  });
});

describe("operators", () => {
  const mail: Mail = {
    from: [person("eva@brandt-metall.example", "Éva Brandt")],
    to: [person("mara@lindqvist.example", "Mara Lindqvist")],
    cc: [person("jonas@lindqvist.example")],
    subject: "Rechnung 2026-114: Stahlrohre",
    attachmentNames: ["Rechnung 2026-114.pdf", "lines.CSV"],
    messageId: "ABC.1@brandt-metall.example",
    deliveredTo: ["mara@lindqvist.example"],
    listId: "<news.steel.example>",
    labelIds: ["INBOX", "UNREAD", "STARRED", "Label_1"],
    sizeBytes: 2_000_000,
  };
  test.each([
    ["from:eva", true],
    ["from:eva@brandt-metall.example", true],
    ["from:brandt-metall.example", true],
    ["from:jonas", false],
    ["from:me", false],
    ["to:me", true],
    ["to:jonas", true],
    ["cc:jonas", true],
    ["cc:mara", false],
    ["bcc:jonas", false],
    ["subject:stahlrohre", true],
    ['subject:"rechnung 2026-114"', true],
    ["subject:(rechnung stahlrohre)", true],
    ["subject:(rechnung OR nothing)", true],
    ["subject:{nothing stahlrohre}", true],
    ["subject:(rechnung nothing)", false],
    ["subject:eva", false],
    ["from:(eva OR jonas)", true],
    ["-from:eva", false],
    ["has:attachment", true],
    ["-has:attachment", false],
    ["filename:pdf", true],
    ["filename:csv", true],
    ["filename:xlsx", false],
    ['filename:"rechnung 2026-114.pdf"', true],
    ["is:unread", true],
    ["is:read", false],
    ["is:starred", true],
    ["is:important", false],
    ["in:inbox", true],
    ["in:sent", false],
    ["in:drafts", false],
    ["in:anywhere", true],
    ["label:big-customers", true],
    ["label:unknown", false],
    ["larger:1M", true],
    ["larger:2M", false],
    ["smaller:2M", true],
    ["size:1000000", true],
    ["smaller:500K", false],
    ["rfc822msgid:abc.1@brandt-metall.example", true],
    ["rfc822msgid:<ABC.1@brandt-metall.example>", true],
    ["rfc822msgid:abc", false],
    ["deliveredto:mara@lindqvist.example", true],
    ["list:news.steel.example", true],
    ["FROM:eva", true],
    ["from: eva", true],
  ])("%s is %s", (query, expected) => expect(matches(query, mail)).toBe(expected));
});

describe("dates", () => {
  test.each([
    ["newer_than:5d", "2026-11-10T12:00:01Z", true],
    ["newer_than:5d", "2026-11-10T11:59:59Z", false],
    ["older_than:5d", "2026-11-10T11:59:59Z", true],
    ["newer_than:1m", "2026-10-15T12:00:01Z", true],
    ["newer_than:1m", "2026-10-15T11:59:00Z", false],
    ["older_than:1y", "2025-11-15T11:59:00Z", true],
    ["newer_than:12h", "2026-11-15T01:00:00Z", true],
    ["after:2026/11/10", "2026-11-10T00:00:00Z", true],
    ["before:2026/11/10", "2026-11-10T00:00:00Z", false],
    ["before:2026-11-10", "2026-11-09T23:59:59Z", true],
    ["after:2026/1/5", "2026-01-05T00:00:00Z", true],
    ["after:1793836800", "2026-11-05T00:00:00Z", true],
    ["after:1793836801", "2026-11-05T00:00:00Z", false],
    ["after:2026/11/01 before:2026/11/08", "2026-11-05T00:00:00Z", true],
    ["after:2026/13/01", "2026-11-05T00:00:00Z", false],
  ])("%s at %s is %s", (query, date, expected) => expect(matches(query, { date })).toBe(expected));
});

describe("spam and trash", () => {
  test.each([
    ["hello", ["SPAM"], false],
    ["hello", ["TRASH"], false],
    ["in:spam hello", ["SPAM"], true],
    ["in:trash", ["TRASH"], true],
    ["in:spam", ["TRASH"], false],
    ["in:anywhere", ["TRASH"], true],
    ["label:trash", ["TRASH"], true],
    ["-in:spam", ["SPAM"], false],
    ["{in:inbox in:trash}", ["TRASH"], true],
  ])("%s with %s is %s", (query, labelIds, expected) =>
    expect(matches(query, { text: "hello", labelIds })).toBe(expected),
  );
});
