import { defineRecipe } from "../recipe/recipe.ts";
import { after, type SlotReader } from "../recipe/slot.ts";
import { mentions } from "../words/content-words.ts";
import { sayDay } from "./days.ts";
import { textOf } from "./json.ts";
import { nameOf, sender } from "./people.ts";
import {
  asked,
  readFile,
  sayField,
  sayFields,
  shownFields,
  type FieldValues,
} from "./file-fields.ts";
import {
  age,
  openMessage,
  searchEmail,
  type DocumentKind,
  type MessageValues,
} from "./search-email.ts";
import { readSkills } from "./read-skills.ts";
import { emailLater, emailSlots, forwards, sendEmail, type EmailValues } from "./send-email.ts";

const kinds: readonly (readonly [pattern: RegExp, kind: DocumentKind])[] = [
  [
    /\border confirmations?\b/,
    { names: ["order confirmation", "Auftragsbestätigung"], related: ["order", "Bestellung"] },
  ],
  [
    /\binvoices?\b/,
    { names: ["invoice", "Rechnung", "facture", "faktura"], related: ["bill", "payment"] },
  ],
  [/\bbills?\b/, { names: ["bill", "invoice", "Rechnung"], related: ["facture", "payment"] }],
  [
    /\b(?:purchase )?orders?\b/,
    { names: ["order", "Bestellung", "commande"], related: ["order confirmation", "zamówienie"] },
  ],
  [
    /\b(?:quotes?|quotations?|offers?|estimates?)\b/,
    { names: ["quote", "Angebot", "devis"], related: ["offer"] },
  ],
  [/\breceipts?\b/, { names: ["receipt", "Quittung"], related: ["payment", "invoice"] }],
  [/\b(?:bank )?statements?\b/, { names: ["statement", "Kontoauszug"], related: ["report"] }],
  [/\bdelivery notes?\b/, { names: ["delivery note", "Lieferschein"], related: ["delivery"] }],
  [/\bcontracts?\b/, { names: ["contract", "Vertrag"], related: ["agreement"] }],
  [/\breports?\b/, { names: ["report", "Bericht"], related: [] }],
];

export const documentKind: SlotReader<DocumentKind> = (text) =>
  kinds.find(([pattern]) => text.take(pattern) !== undefined)?.[1];

const fileTypes: readonly (readonly [RegExp, string])[] = [
  [/\b(?:as an? )?pdfs?(?: file| attachment)?\b/, "pdf"],
  [/\b(?:as an? )?csv(?: files?| attachment)?\b/, "csv"],
  [/\b(?:as an? )?(?:excel(?: sheets?| files?)?|xlsx?|spreadsheets?)\b/, "xlsx"],
];

const types: SlotReader<readonly string[]> = (text) =>
  fileTypes.flatMap(([pattern, type]) => (text.take(pattern) === undefined ? [] : [type]));

const readable = /\.(?:pdf|xlsx?|csv|tsv|txt|docx?|html?|md|json|xml)$/i;

interface DocumentValues extends EmailValues, MessageValues, FieldValues {
  attaches?: boolean;
  kind?: DocumentKind;
  types?: readonly string[];
  age?: string;
  sender?: string;
  number?: string;
  attachment?: { readonly filename: string; readonly attachmentId?: string } | undefined;
}

/** The readable file that fits the request best. */
function bestFile<Item>(
  items: readonly Item[],
  nameOfItem: (item: Item) => string,
  { types: wanted = [], kind }: DocumentValues,
): Item | undefined {
  const score = (item: Item) =>
    8 * Number(wanted.some((type) => nameOfItem(item).toLowerCase().endsWith(type))) +
    4 * Number(mentions(nameOfItem(item), kind?.names ?? []));
  return items
    .filter((item) => readable.test(nameOfItem(item)))
    .toSorted((a, b) => score(b) - score(a))[0];
}

const kindWords =
  "invoice|invoices|bill|order|confirmation|quote|quotation|offer|estimate|receipt|statement|delivery_note|contract|report|pdf|csv|excel|xlsx|spreadsheet|attachment";

export const documentRecipe = defineRecipe<DocumentValues>({
  topic: "email",
  task: "find an invoice, order or other document and extract its fields",
  examples: [
    "Find the latest invoice with a PDF attachment from the last 30 days, extract the key fields, draft an email to eva@x.example with a summary, and send it.",
    "Find the newest order with an Excel sheet, extract the key fields and draft an email to eva@x.example but don't send it.",
    "Look for the newest message with a CSV file from the last 90 days, pull out the key fields and mail a summary of them to eva@x.example.",
    "Could you send eva@x.example the key fields of the latest invoice from Northwind?",
    "What is the total of the latest invoice from Contoso?",
    "When is the last invoice from Contoso due?",
  ],
  phrases: [
    `find|get|fetch|look|search|show|extract|pull|read|take|grab|send|email|mail|forward|draft|prepare|summar*|what|what's|when|how|tell|give|open|check ${kindWords}`,
    `^the|my last|latest|newest|recent ${kindWords}`,
  ],
  unless: [
    "^reply|respond|answer|post|schedule|book|move|rename|add|pay|approve|order|delete",
    "which|how_many|any|list|show invoices|orders|bills|quotes|receipts",
    "^send|mail|email|draft|write|forward tomorrow|tonight|later",
    "saying|says",
    "she|he|they|her|his|him|their",
    "most_expensive|cheapest|biggest|largest|highest|lowest|smallest|oldest|expensive",
    "what_invoices|what_orders|what_bills|what_quotes|what_receipts",
    "write|wrote about",
  ],
  slots: {
    attaches: forwards,
    ...emailSlots,
    sender,
    kind: documentKind,
    asked,
    types,
    age,
    number: after(/\b(?<value>[a-z]{0,4}-?\d{3,})\b/),
  },
  needs: ["kind|types"],
  continues: [
    "extract|pull_out|read_out|summar*|important|figures|key|details|fields",
    "send|mail|email|forward it|them|that",
  ],
  later: { asked, ...emailLater },
  steps: [
    readSkills(({ to, toName }) => [
      "gmail-attachment-extractor",
      "doc-info-extractor",
      ...(to || toName ? ["email-draft-writer"] : []),
    ]),
    ...searchEmail<DocumentValues>(
      ({ sender: from, kind, types: wanted, age: period, number }) => ({
        sender: from,
        document: kind,
        types: wanted,
        age: period,
        words: number === undefined ? [] : [number],
        needsAttachment: true,
        isFromOthers: true,
      }),
    ),
    {
      set: (values) => {
        const matches = values.found?.matches ?? [];
        const withFile = matches.filter(
          ({ files }) => bestFile(files, (file) => file, values) !== undefined,
        );
        const ofType = withFile.filter(({ files }) =>
          files.some((file) => values.types?.some((type) => file.toLowerCase().endsWith(type))),
        );
        const [match] = [...ofType, ...withFile, ...matches];
        return match === undefined ? {} : { match };
      },
    },
    ...openMessage,
    {
      set: (values) => ({
        attachment: bestFile(values.message?.attachments ?? [], ({ filename }) => filename, values),
      }),
    },
    {
      if: ({ attachment }) => attachment === undefined,
      say: ({ message }) => `"${message?.subject}" has no attachment that I can read.`,
      stop: true,
      outcome: "could_not",
    },
    {
      call: "gmail_attachment_get|gmail_getAttachment",
      // Attachment ids change, so a second attempt uses the name only.
      with: ({ message, attachment }) => [
        { messageId: message?.messageId, ...attachment },
        { messageId: message?.messageId, filename: attachment?.filename },
      ],
      until: () => true,
      doing: "fetch the attachment",
      as: "file",
      read: (result, { attachment }) => ({
        digest: textOf(result, "digest"),
        filename: textOf(result, "filename") || attachment?.filename,
        mediaType: textOf(result, "mimeType") || textOf(result, "mediaType"),
      }),
    },
    ...readFile,
    ...sayFields<DocumentValues>(({ file, message }) => {
      const day = sayDay(message?.date.slice(0, 10), true);
      return `${file?.filename} ("${message?.subject}" from ${nameOf(message?.from ?? "")}, ${day})`;
    }),
    ...sendEmail<DocumentValues>((values) => {
      const { message, file, attaches } = values;
      const from = `"${message?.subject}" from ${nameOf(message?.from ?? "")}, ${sayDay(message?.date.slice(0, 10))}`;
      return {
        subject: `Summary: ${message?.subject.replace(/^(?:(?:re|fwd?)\s*:\s*)+/i, "")}`,
        body: [
          `Here's a summary of ${file?.filename} (${from}):`,
          "",
          ...shownFields(values).map(sayField),
        ].join("\n"),
        isSummary: true,
        attachments: attaches === true && file !== undefined ? [file] : undefined,
      };
    }),
  ],
  result: (values) => shownFields(values).map(sayField).join("\n"),
});
