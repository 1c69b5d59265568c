import { defineRecipe, type Recipe, type Step } from "../recipe/recipe.ts";
import { flag, type SlotReader } from "../recipe/slot.ts";
import { contentWords, mentions, sentencesOf } from "../words/content-words.ts";
import { fieldOf, objectsOf, textOf } from "./json.ts";
import { findFields, readDocument, type DocumentView } from "./document-fields.ts";
import { asked, sayField, type FieldValues } from "./file-fields.ts";
import { emailLater, emailSlots, sendEmail, type EmailValues } from "./send-email.ts";
import { describeTables } from "./table-sums.ts";

export type AttachedFile = NonNullable<FieldValues["file"]>;

interface ReadFile {
  readonly document?: DocumentView;
  readonly problem?: string;
}

interface AttachedValues extends EmailValues {
  files?: readonly AttachedFile[];
  asked?: readonly (readonly string[])[];
  /** The rows or their sums are wanted. */
  isSum?: boolean;
  words?: readonly string[];
  /** Results in the order of the files. */
  reads?: readonly ReadFile[];
  wrong?: readonly (readonly string[])[];
  /** The files whose text has what was asked for. */
  found?: number;
}

/** Reads the list of files that Bron puts before a task: those that the words name, or all. */
export const attachedFiles: SlotReader<readonly AttachedFile[]> = (text, { conversation }) => {
  const files = conversation.attachedFiles.map((file) => ({
    digest: textOf(file, "digest"),
    filename: textOf(file, "name"),
    mediaType: textOf(file, "mediaType"),
  }));
  const words = text.rest().toLowerCase();
  const named = files.filter(({ filename }) => words.includes(filename.toLowerCase()));
  for (const { filename } of named) text.take(new RegExp(filename.replace(/[^\w]/g, "\\$&")));
  const [, type] = /\b(csv|pdf|xlsx|txt|docx)\b/.exec(words) ?? [];
  const typed = files.filter(({ filename }) => filename.toLowerCase().endsWith(`.${type}`));
  return [named, typed, files].find((some) => some.length > 0) ?? [];
};

const aboutFiles =
  /\b(?:attached|attachments?|attach|uploaded|uploads?|files?|documents?|this|it|these|those|them|both|pdf|csv|sheet|spreadsheet|table|invoices?|receipts?|bills?|quotes?|contracts?|orders?|summary|summari[sz]e)\b/gi;

const words: SlotReader<readonly string[]> = (text) =>
  contentWords(text.rest().replace(aboutFiles, " ")).filter(
    (word) =>
      !/^(?:explain|describe|add|sum|total|average|mentions?|exactly|mean|means|please|tl;?dr|go|through|key|points?|main|work|inside|talk|anything|we|us)$/i.test(
        word,
      ),
  );

const isSum = flag(
  /\b(?:(?:add|sum|total|tally) (?:it |them |this |that |these )?(?:all )?up|sum|total up|totals?|average|mean|how many (?:rows|lines|entries|items|records)|count (?:the )?(?:rows|lines|entries|items|records))\b/,
);

const slots: Recipe<AttachedValues>["slots"] = {
  files: attachedFiles,
  ...emailSlots,
  // All words, because a text without fields is searched for them.
  words,
  isSum,
  asked,
};

const steps: readonly Step<AttachedValues>[] = [
  {
    if: ({ files }) => !files?.length,
    say: "There is no attached file.",
    stop: true,
    outcome: "could_not",
  },
  {
    call: "document_read",
    with: ({ files = [] }) =>
      files.map(({ digest, filename, mediaType }) => ({ digest, name: filename, mediaType })),
    doing: "read the document",
    as: "reads",
    read: (result): ReadFile => ({ document: readDocument(result) }),
    rescue: ({ status, message }): ReadFile => ({
      problem: status === "missing" ? "the tool document_read isn't available." : message,
    }),
  },
  {
    call: "document_fields",
    with: ({ files = [], reads = [] }) =>
      files.flatMap(({ digest, filename }, index) => {
        const fields = fieldsIn(reads[index]);
        return fields.length === 0 ? [] : [{ digest, source: filename, fields }];
      }),
    doing: "check the fields",
    as: "wrong",
    read: (result) =>
      objectsOf(fieldOf(result, "fields"))
        .filter((field) => field["found"] === false)
        .map((field) => textOf(field, "key")),
    rescue: () => [],
  },
  {
    set: (values) => ({
      found: (values.files ?? []).filter((_, index) => findingIn(values, index).hasFound).length,
    }),
  },
  {
    say: (values) => (values.files ?? []).flatMap((_, index) => findingIn(values, index).lines),
    outcome: (values) => {
      const { found = 0, files = [] } = values;
      const isOpen = files.some((_, index) => findingIn(values, index).isOpen);
      if (found === 0) return "could_not";
      return found === files.length && !isOpen ? "done" : "partly_done";
    },
  },
  { if: ({ found }) => !found, say: "", stop: true },
  ...sendEmail<AttachedValues>(({ files = [], said }) => {
    const names = files.map(({ filename }) => filename).join(", ");
    return {
      subject: `Summary: ${names}`,
      body: [`Here's a summary of ${names}:`, "", ...said].join("\n"),
      isSummary: true,
    };
  }),
];

function fieldsIn(read: ReadFile | undefined) {
  const fields = read?.document === undefined ? [] : findFields(read.document);
  // One label alone is part of an ordinary sentence.
  return fields.length < 2 ? [] : fields;
}

const tableWords = /^(?:rows?|lines?|columns?|entries|items|records|sums?|totals?|up|numbers?)$/i;

interface Finding {
  readonly lines: readonly string[];
  /** A part of the question has no answer. */
  readonly isOpen?: boolean;
  readonly hasFound: boolean;
}

/** What one of the files says about the question. */
function findingIn(values: AttachedValues, index: number): Finding {
  const {
    files = [],
    reads = [],
    wrong = [],
    asked: wanted = [],
    isSum,
    words: topic = [],
  } = values;
  const name = files[index]?.filename ?? "";
  const { document, problem } = reads[index] ?? {};
  if (document === undefined)
    return { hasFound: false, lines: [`I couldn't read ${name}: ${problem ?? ""}`] };
  const checkedAt = reads.slice(0, index).filter((read) => fieldsIn(read).length > 0).length;
  const fields = fieldsIn(reads[index]).filter(({ key }) => !wrong[checkedAt]?.includes(key));
  const isTable = /\.(?:csv|tsv|xlsx?)$/i.test(name);
  const notes = [
    ...document.warnings,
    ...(document.isTruncated
      ? [`${name} was too long to read in full, so details may be missing.`]
      : []),
  ];
  const say = (heading: string, lines: readonly string[], isOpen = false): Finding => ({
    hasFound: true,
    isOpen,
    lines: [heading, ...lines, ...notes],
  });
  const names = [...wanted, ...(isSum ? [["Total"]] : [])];
  const shown = fields.filter(({ key }) => names.some((one) => one.includes(key)));
  if (!isTable && shown.length > 0) {
    const lacking = names.filter((one) => !fields.some(({ key }) => one.includes(key)));
    return say(
      `Details from ${name}:`,
      [
        ...shown.map(sayField),
        ...(lacking.length === 0 ? [] : [`Not found: ${lacking.map(([key]) => key).join(", ")}.`]),
      ],
      lacking.length > 0,
    );
  }
  const sums = describeTables(document.tables);
  if (sums.length > 0 && (isTable || isSum)) {
    const columns = document.tables.flatMap(([header = []]) => header).join(" ");
    const open = topic.filter((word) => !tableWords.test(word) && !mentions(columns, [word]));
    const lines =
      open.length === 0
        ? []
        : [`I can only add up columns, so I have no answer about: ${open.join(", ")}.`];
    return { ...say(`Read ${name}:`, [...lines, ...sums]), isOpen: open.length > 0 };
  }
  if (names.length > 0 && fields.length > 0)
    return {
      hasFound: false,
      lines: [`Not found in ${name}: ${names.map(([key]) => key).join(", ")}.`],
    };
  const sentences = sentencesOf(document.text);
  const about = topic.length === 0 ? [] : sentences.filter((one) => mentions(one, topic));
  if (about.length > 0)
    return say(
      `${name} says:`,
      about.slice(0, 6).map((one) => `- ${one}`),
    );
  if (topic.length > 0)
    return { hasFound: false, lines: [`${name} says nothing about "${topic.join(" ")}".`] };
  if (fields.length > 0) return say(`Details from ${name}:`, fields.map(sayField));
  if (sentences.length === 0) return { hasFound: false, lines: [`${name} has no text.`] };
  return say(
    `${name} begins:`,
    sentences.slice(0, 8).map((one) => `- ${one}`),
  );
}

export const attachedFileRecipe = defineRecipe<AttachedValues>({
  topic: "files",
  task: "read an attached file and extract its fields",
  examples: [
    "Read the attached file and tell me the total.",
    "What does the attached document say?",
    "Summarize the file I attached and email it to eva@x.example",
    "Extract the key fields of the attached PDF",
    "Total up the attached csv",
  ],
  phrases: [
    "attached file|files|document|pdf|invoice|order|sheet|spreadsheet|csv|table",
    "this|the|my upload|uploaded|file",
  ],
  unless: ["https|http", "note|notes", "^find|look|search|post"],
  slots,
  continues: [
    "tell|what|extract|summar*|total|due|amount|sum|key|fields|details|says|number|rows|it|them",
  ],
  later: { asked, isSum, ...emailLater },
  steps,
  result: ({ said }) => said.join("\n"),
});

/** With a file, ordinary words mean that file and nothing of the mailbox. */
export const filesFirstRecipe = defineRecipe<AttachedValues>({
  ...(attachedFileRecipe as unknown as Recipe<AttachedValues>),
  task: "",
  examples: [],
  phrases: [
    "this|it|these|those|them|both|file|files|document|documents|invoice|invoices|receipt|bill|quote|contract|order|pdf|csv|sheet|spreadsheet|table|report|letter|attachment|attachments|rows|page|pages|tl_dr|tldr|total|sum|due|amount|vat|iban",
    "^summar*|read|explain|extract|describe|who|what|what's|when|how|which|add",
  ],
  unless: [
    "https|http|calendar|slack|channel|inbox|mailbox|unread|note|notes|meeting|meetings|schedule|time",
    "my_latest|my_last|my_newest|latest_invoice|newest_invoice|last_invoice|latest_order|newest_order",
    "^find|look|search|post|book|schedule|move|reply|move|cancel|translate",
    "weather|joke|you",
  ],
  needs: ["files"],
});

const ownHeading =
  /^(?:Details from (?<a>\S.*\.\w+)|Read (?<b>\S.*\.\w+)|(?<c>\S.*\.\w+) (?:begins|says)):/;

/** A later task of the conversation has only the words of the earlier ones, and not their files. */
const fileBefore: SlotReader<string> = (_, { conversation }) => {
  if (conversation.attachedFiles.length > 0) return undefined;
  const last = conversation.earlierMessages.findLast(({ by }) => by === "model");
  const groups = ownHeading.exec(last?.text ?? "")?.groups;
  return groups?.["a"] ?? groups?.["b"] ?? groups?.["c"];
};

export const fileBeforeRecipe = defineRecipe<{ gone?: string }>({
  topic: "files",
  task: "",
  examples: [],
  phrases: filesFirstRecipe.phrases.slice(0, 1),
  unless: filesFirstRecipe.unless ?? [],
  slots: { gone: fileBefore },
  needs: ["gone"],
  isEntireMessage: true,
  steps: [
    {
      say: ({ gone }) =>
        `I can't open ${gone} in a new message. Attach it again, and I'll read it.`,
      outcome: "needs_answer",
    },
  ],
});
