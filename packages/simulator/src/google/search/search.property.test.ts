import { sampleCount, threadCpuMs } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Candidate } from "./compile-term.ts";
import { compileQuery } from "./match-query.ts";
import { parseQuery } from "./parse-query.ts";
import { createSearchDocument } from "./search-document.ts";

const now = new Date("2026-11-15T12:00:00Z");
const vocabulary = ["alpha", "beta", "Gamma", "größe", "żółw", "OR2", "x-ray", "café"];

/** A minimal mail, which keeps the reference filter below readable. */
interface PlainMail {
  readonly subject: string;
  readonly text: string;
  readonly sender: string;
  readonly file: string;
  readonly labelIds: readonly string[];
  readonly ageDays: number;
  readonly sizeBytes: number;
}

type Wish =
  | { readonly is: "word" | "subject" | "from" | "filename"; readonly word: string }
  | { readonly is: "newer" | "older"; readonly days: number }
  | { readonly is: "larger" | "smaller"; readonly kilobytes: number }
  | { readonly is: "label"; readonly label: "INBOX" | "UNREAD" | "STARRED" }
  | { readonly is: "attachment" }
  | { readonly is: "not"; readonly wish: Wish }
  | { readonly is: "and" | "or" | "braces"; readonly wishes: readonly Wish[] };

const words = fc
  .array(fc.constantFrom(...vocabulary), { maxLength: 4 })
  .map((list) => list.join(" "));
const mail = fc.record<PlainMail>({
  subject: words,
  text: words,
  sender: fc.constantFrom("anna", "bo", "alpha"),
  file: fc.constantFrom("", "beta.pdf", "list.csv"),
  labelIds: fc.subarray(["INBOX", "UNREAD", "STARRED"]),
  ageDays: fc.integer({ min: 0, max: 40 }),
  sizeBytes: fc.integer({ min: 0, max: 5_000 }),
});

const { wish } = fc.letrec<{ wish: Wish }>((tie) => ({
  wish: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({
      is: fc.constantFrom("word" as const, "subject" as const),
      word: fc.constantFrom(...vocabulary),
    }),
    fc.record({ is: fc.constant("from" as const), word: fc.constantFrom("anna", "bo", "alpha") }),
    fc.record({
      is: fc.constant("filename" as const),
      word: fc.constantFrom("pdf", "csv", "beta.pdf"),
    }),
    fc.record({
      is: fc.constantFrom("newer" as const, "older" as const),
      days: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({
      is: fc.constantFrom("larger" as const, "smaller" as const),
      kilobytes: fc.integer({ min: 0, max: 5 }),
    }),
    fc.record({
      is: fc.constant("label" as const),
      label: fc.constantFrom("INBOX" as const, "UNREAD" as const, "STARRED" as const),
    }),
    fc.constant({ is: "attachment" as const }),
    fc.record({ is: fc.constant("not" as const), wish: tie("wish") }),
    fc.record({
      is: fc.constantFrom("and" as const, "or" as const, "braces" as const),
      wishes: fc.array(tie("wish"), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

function print(one: Wish): string {
  switch (one.is) {
    case "word":
      return one.word;
    case "subject":
    case "from":
    case "filename":
      return `${one.is}:${one.word}`;
    case "newer":
    case "older":
      return `${one.is}_than:${one.days}d`;
    case "larger":
    case "smaller":
      return `${one.is}:${one.kilobytes}K`;
    case "label":
      return one.label === "INBOX" ? "in:inbox" : `is:${one.label.toLowerCase()}`;
    case "attachment":
      return "has:attachment";
    case "not":
      return `-${print(one.wish)}`;
    case "braces":
      return `{${one.wishes.map(print).join(" ")}}`;
    default:
      return `(${one.wishes.map(print).join(one.is === "or" ? " OR " : " ")})`;
  }
}

/** No word of the vocabulary contains another, so a plain text search is enough. */
function holds(one: Wish, from: PlainMail): boolean {
  const everything = `${from.subject} ${from.text} ${from.sender} ${from.file}`;
  switch (one.is) {
    case "word":
      return everything.toLowerCase().includes(one.word.toLowerCase());
    case "subject":
      return from.subject.toLowerCase().includes(one.word.toLowerCase());
    case "from":
      return from.sender === one.word;
    case "filename":
      return from.file.includes(one.word);
    case "newer":
      return from.ageDays <= one.days;
    case "older":
      return from.ageDays > one.days;
    case "larger":
      return from.sizeBytes > one.kilobytes * 1024;
    case "smaller":
      return from.sizeBytes < one.kilobytes * 1024;
    case "label":
      return from.labelIds.includes(one.label);
    case "attachment":
      return from.file !== "";
    case "not":
      return !holds(one.wish, from);
    case "and":
      return one.wishes.every((each) => holds(each, from));
    default:
      return one.wishes.some((each) => holds(each, from));
  }
}

function candidateOf({
  subject,
  text,
  sender,
  file,
  labelIds,
  ageDays,
  sizeBytes,
}: PlainMail): Candidate {
  const document = createSearchDocument({
    from: [{ name: sender, address: "" }],
    to: [],
    cc: [],
    bcc: [],
    subject,
    text,
    attachmentNames: file === "" ? [] : [file],
    messageId: "",
    references: [],
    deliveredTo: [],
    listId: "",
  });
  return { document, labelIds, internalDate: now.getTime() - ageDays * 86_400_000, sizeBytes };
}

const compile = (query: string) =>
  compileQuery(parseQuery(query), {
    now,
    ownAddress: "me@x.example",
    findLabelId: (name) => name.toUpperCase(),
  });

describe("a query", () => {
  test("matches a plain reference filter at any nesting", () => {
    fc.assert(
      fc.property(wish, fc.array(mail, { minLength: 1, maxLength: 12 }), (one, mails) => {
        const matches = compile(print(one));
        expect(mails.filter((each) => matches(candidateOf(each)))).toEqual(
          mails.filter((each) => holds(one, each)),
        );
      }),
      { numRuns: sampleCount(1_500) },
    );
  });

  test("ignores extra spaces and an explicit AND", () => {
    fc.assert(
      fc.property(
        fc.array(wish, { minLength: 1, maxLength: 3 }),
        mail,
        fc.constantFrom("  ", " AND ", "\t"),
        (wishes, one, between) => {
          const printed = wishes.map(print);
          expect(compile(printed.join(between))(candidateOf(one))).toBe(
            compile(printed.join(" "))(candidateOf(one)),
          );
        },
      ),
      { numRuns: sampleCount(500) },
    );
  });

  test("accepts any characters", () => {
    fc.assert(
      fc.property(
        fc
          .array(
            fc.constantFrom(
              "a",
              "(",
              ")",
              "{",
              "}",
              '"',
              "-",
              "+",
              "|",
              " ",
              " OR ",
              " AND ",
              "AROUND 3",
              "from:",
              "in:",
              "after:9",
              ":",
            ),
            { maxLength: 40 },
          )
          .map((pieces) => pieces.join("")),
        mail,
        (query, one) => {
          expect(typeof compile(query)(candidateOf(one))).toBe("boolean");
        },
      ),
      { numRuns: sampleCount(1_500) },
    );
  });
});

describe("ten thousand messages", () => {
  const candidates = Array.from({ length: 10_000 }, (_, at) =>
    candidateOf({
      subject: `Order ${at} of ${vocabulary[at % 8] ?? ""}`,
      text: `${"lorem ipsum dolor sit amet ".repeat(30)} number ${at * 7919}`,
      sender: "anna",
      file: at % 5 === 0 ? "beta.pdf" : "",
      labelIds: ["INBOX"],
      ageDays: at % 90,
      sizeBytes: at,
    }),
  );
  test.each([
    "order alpha",
    '"lorem ipsum" from:anna has:attachment newer_than:30d',
    "{alpha beta} -gamma subject:(order OR offer) larger:1K",
    '"amet number"',
  ])("are searched in under 100 ms of CPU: %s", (query) => {
    const matches = compile(query);
    const times = Array.from({ length: 5 }, () =>
      threadCpuMs(() => expect(candidates.filter(matches).length).toBeGreaterThan(0)),
    );
    expect(Math.min(...times)).toBeLessThan(100);
  });
});
