import type { Given, Step } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { fieldOf, objectsOf, textOf } from "./json.ts";
import { findFields, readDocument, type DocumentView, type Field } from "./document-fields.ts";

/** Words for fields, with the names that they have in documents. */
const askable: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:invoice |order |its |reference )?numbers?\b(?! of)/,
    ["Invoice Number", "Order Number", "Quote Number"],
  ],
  [
    /\b(?:due(?: date| on| by)?|deadline|pay by|(?:when|until when|by when)[^,.?!]{0,30}\b(?:pay|paid))\b/,
    ["Due Date"],
  ],
  [/\bdelivery date\b/, ["Delivery Date"]],
  [/\b(?:(?:invoice|order|issue) )?dates?\b/, ["Invoice Date", "Order Date", "Date"]],
  [/\b(?:net(?: amount)?|subtotal)\b/, ["Net Amount"]],
  [/\b(?:totals?|amounts?|sum|how much|price|cost)\b/, ["Total"]],
  [/\bvat (?:id|number)\b/, ["VAT ID"]],
  [/\b(?:vat|tax|taxes)\b/, ["Tax"]],
  [/\biban\b|\bbank (?:account|details)\b/, ["IBAN"]],
  [/\b(?:vendor|supplier|seller)\b/, ["Vendor"]],
  [/\bcurrency\b/, ["Currency"]],
  [/\bpayment terms\b/, ["Payment Terms"]],
];
const allFields =
  /\b(?:(?:the |its )?(?:key|main|important) (?:fields|data|facts|figures|details|information|info|values|numbers)|all (?:the )?(?:fields|details|data)|fields|details|summary)\b/;

/** The fields that are asked for, each with its possible names. Empty means all fields. */
export const asked: SlotReader<readonly (readonly string[])[]> = (text) => {
  const isAll = text.take(allFields) !== undefined;
  const named = askable.flatMap(([pattern, names]) =>
    text.take(pattern) === undefined ? [] : [names],
  );
  return isAll ? [] : named;
};

export interface FieldValues {
  asked?: readonly (readonly string[])[];
  file?: { readonly digest: string; readonly filename: string; readonly mediaType: string };
  document?: DocumentView;
  fields?: readonly Field[];
  checked?: { readonly wrong: readonly string[]; readonly problem: string };
}

/** Reads `file`, finds its fields, and drops those that are not in the document. */
export const readFile: readonly Step<FieldValues>[] = [
  {
    call: "document_read",
    with: ({ file }) => ({
      digest: file?.digest,
      name: file?.filename,
      mediaType: file?.mediaType,
    }),
    doing: "read the document",
    as: "document",
    read: readDocument,
  },
  { set: ({ document }) => ({ fields: document === undefined ? [] : findFields(document) }) },
  {
    if: ({ fields }) => fields?.length,
    call: "document_fields",
    with: ({ file, fields }) => ({ digest: file?.digest, source: file?.filename, fields }),
    doing: "check the fields",
    as: "checked",
    read: (result) => ({
      wrong: objectsOf(fieldOf(result, "fields"))
        .filter((field) => field["found"] === false)
        .map((field) => textOf(field, "key")),
      problem: "",
    }),
    rescue: ({ status, message }) => ({
      wrong: [],
      problem: status === "missing" ? "" : `I couldn't check the fields: ${message}`,
    }),
  },
  { say: ({ checked }) => checked?.problem },
  {
    set: ({ fields = [], checked }) => ({
      fields: fields.filter(({ key }) => checked?.wrong.includes(key) !== true),
    }),
  },
  { say: ({ document }) => document?.warnings },
  {
    if: ({ document }) => document?.isTruncated,
    say: ({ file }) => `${file?.filename} was too long to read in full, so details may be missing.`,
  },
];

/** Says the fields that were asked for. Ends the request if there are none. */
export function sayFields<V extends FieldValues>(
  source: (values: V & Given) => string,
): readonly Step<V>[] {
  return [
    {
      if: ({ fields }) => !fields?.length,
      say: (values) =>
        `I couldn't find any details in ${source(values)}, so I didn't write anything.`,
      stop: true,
      outcome: "could_not",
    },
    {
      say: (values) =>
        shownFields(values).length === 0
          ? []
          : [`Details from ${source(values)}:`, ...shownFields(values).map(sayField)],
    },
    {
      say: ({ asked: wanted = [], fields = [] }) => {
        const lacking = wanted.filter((names) => !fields.some(({ key }) => names.includes(key)));
        return lacking.length === 0
          ? []
          : `Not found: ${lacking.map(([name = ""]) => name).join(", ")}.`;
      },
      outcome: (values) => {
        const { asked: wanted = [], fields = [] } = values;
        const hasAll = wanted.every((names) => fields.some(({ key }) => names.includes(key)));
        if (hasAll) return "done";
        return shownFields(values).length === 0 ? "could_not" : "partly_done";
      },
    },
    { if: (values) => shownFields(values).length === 0, say: "", stop: true },
  ];
}

export function shownFields({ asked: wanted = [], fields = [] }: FieldValues): readonly Field[] {
  const names = wanted.flat();
  return names.length === 0 ? fields : fields.filter(({ key }) => names.includes(key));
}

export function sayField({ key, value }: Field): string {
  return `- ${key}: ${value}`;
}
