import { defineRecipe } from "../recipe/recipe.ts";
import { fillGap, findGap, readCalls } from "./long-output.ts";
import { flag, type SlotReader } from "../recipe/slot.ts";
import { foldText, restWords } from "../words/content-words.ts";
import { readDocument } from "./document-fields.ts";
import { emailLater, emailSlots, sendEmail, type EmailValues } from "./send-email.ts";

interface PageValues extends EmailValues {
  urls?: readonly string[];
  wantsPrices?: boolean;
  words?: readonly string[];
  /** The results of web_fetch, of which a long one has a gap. */
  fetched?: readonly unknown[];
  /** What fills the gaps, in the order of `missingParts`. */
  rest?: readonly unknown[];
  pages?: readonly { readonly text: string; readonly isTruncated: boolean }[];
}

const urls: SlotReader<readonly string[]> = (text) =>
  text.takeAll(/(?<value>https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/);

const price = /[€£$]\s?\d|\d\s?(?:[€£$]|EUR|USD|GBP|CHF|PLN|euros?|dollars?)(?![a-z])/i;

/**
 * The lines of a page that match the words best, unchanged. Table cells are returned with their
 * headings. Empty when no line matches.
 */
export function pageLines(
  text: string,
  words: readonly string[],
  wantsPrices: boolean,
): readonly string[] {
  const stems = words.map((word) => foldText(word).replace(/(?<=.{4})(?:es|s)$/, ""));
  const lines = rowsAsLines(text.slice(0, 200_000));
  const priced = wantsPrices ? lines.filter((line) => price.test(line)) : lines;
  if (stems.length === 0) return priced;
  const hits = (line: string) => stems.filter((stem) => foldText(line).includes(stem)).length;
  const best = (among: readonly string[]) => {
    const most = Math.max(0, ...among.map(hits));
    return most === 0 ? [] : among.filter((line) => hits(line) === most);
  };
  const matching = best(priced);
  return matching.length > 0 ? matching : best(lines);
}

/** Cells are separated by tabs. The first row of a table has the headings. */
function rowsAsLines(text: string): readonly string[] {
  const lines: string[] = [];
  let headings: readonly string[] | undefined;
  for (const line of text.split("\n")) {
    const [name = "", ...cells] = line.split("\t").map((cell) => cell.replace(/\s+/g, " ").trim());
    if (cells.length === 0) {
      headings = undefined;
      if (name !== "") lines.push(name);
    } else if (headings === undefined) {
      headings = cells;
      lines.push([name, ...cells].join(" | "));
    } else {
      const titles = headings;
      lines.push(
        `${name}: ${cells.map((cell, at) => `${titles[at] ?? ""} ${cell}`.trim()).join("; ")}`,
      );
    }
  }
  return lines;
}

/** The calls that fill the gaps of the pages. */
const missingParts = (fetched: readonly unknown[] = []) =>
  fetched.flatMap((result) => {
    const gap = findGap(result);
    return gap ? readCalls(gap) : [];
  });

function readPages({ fetched = [], rest = [] }: PageValues) {
  const parts = [...rest];
  return fetched.map((result) => {
    const gap = findGap(result);
    return readDocument(fillGap(result, gap ? parts.splice(0, readCalls(gap).length) : []));
  });
}

function describePage(values: PageValues, index: number): readonly string[] {
  const url = values.urls?.[index];
  const page = values.pages?.[index] ?? { text: "", isTruncated: false };
  const { words = [], wantsPrices = false } = values;
  const all = pageLines(page.text, [], false);
  if (all.length === 0) return [`I couldn't find any text on ${url}.`];
  const lines = pageLines(page.text, words, wantsPrices);
  const topic = [...words, ...(wantsPrices ? ["prices"] : [])].join(" ");
  const bullets = (some: readonly string[]) => some.map((line) => `- ${line}`);
  return [
    ...(lines.length === 0
      ? [`${url} says nothing about ${topic}. It starts with:`, ...bullets(all.slice(0, 5))]
      : [
          topic === "" ? `From ${url}:` : `What ${url} says about ${topic}:`,
          ...bullets(lines.slice(0, 12)),
        ]),
    ...(page.isTruncated
      ? [`${url} was too long to read in full, so something may be missing.`]
      : []),
  ];
}

export const webPageRecipe = defineRecipe<PageValues>({
  topic: "web pages",
  task: "say what a page says",
  examples: [
    "What does https://www.brandt-metall.example/prices say about the dropout?",
    "Read https://www.brandt-metall.example/prices and tell me about the dropout",
    "How much is the dropout on https://www.brandt.example/prices?",
    "What does https://www.brandt-metall.example/catalog say about bicycle bells?",
    "Read https://www.lindqvist.example/ and mail the prices to jonas@lindqvist.example",
    "Send jonas@lindqvist.example the prices from https://www.lindqvist.example/",
    "Summarise https://www.brandt.example/prices in a mail to jonas@lindqvist.example",
  ],
  phrases: ["http*"],
  unless: ["^post|publish|write", "note|notes", "saying|says_that"],
  slots: {
    urls,
    ...emailSlots,
    wantsPrices: flag(/\b(?:the )?prices?\b|\bhow much\b|\bcosts?\b/),
    words: restWords,
  },
  needs: ["urls"],
  continues: ["tell|about|summar*", "send|mail|email it|them|that|prices"],
  later: emailLater,
  steps: [
    {
      call: "web_fetch",
      with: ({ urls: wanted = [] }) => wanted.map((url) => ({ url })),
      doing: "read the page",
      as: "fetched",
    },
    {
      if: ({ fetched }) => missingParts(fetched).length,
      call: "output_read",
      with: ({ fetched }) => missingParts(fetched),
      doing: "read the rest of the page",
      as: "rest",
    },
    { set: (values) => ({ pages: readPages(values) }) },
    { say: (values) => (values.urls ?? []).flatMap((_, index) => describePage(values, index)) },
    {
      if: ({ pages = [], words = [], wantsPrices = false }) =>
        pages.every(({ text }) => pageLines(text, words, wantsPrices).length === 0),
      say: "",
      stop: true,
      outcome: ({ delivery }) => (delivery === undefined ? "done" : "could_not"),
    },
    ...sendEmail<PageValues>(({ urls: [url = ""] = [], said }) => ({
      subject: `From ${URL.parse(url)?.host}`,
      body: said.join("\n"),
      isSummary: true,
    })),
  ],
  result: ({ said }) => said.join("\n"),
});
