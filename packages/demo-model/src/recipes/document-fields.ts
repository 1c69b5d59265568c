import { fieldOf, listOf, objectsOf, textOf } from "./json.ts";
import { foldText } from "../words/content-words.ts";

export interface Field {
  readonly key: string;
  /** As written in the document. */
  readonly value: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** The output of document_read. */
export interface DocumentView {
  readonly text: string;
  readonly tables: readonly (readonly (readonly string[])[])[];
  readonly isTruncated: boolean;
  readonly warnings: readonly string[];
}

export function readDocument(result: unknown): DocumentView {
  const pages = listOf(fieldOf(result, "pages")).map((page) => textOf(page, "text"));
  const rowsOf = (table: unknown) => [
    ...listOf(fieldOf(table, "header"))
      .slice(0, 1)
      .map(() => fieldOf(table, "header")),
    ...listOf(fieldOf(table, "rows")),
  ];
  return {
    text: typeof result === "string" ? result : textOf(result, "text") || pages.join("\n"),
    tables: objectsOf(fieldOf(result, "tables")).map((table) =>
      rowsOf(table).map((row) =>
        listOf(row).map((cell) =>
          typeof cell === "string" || typeof cell === "number" ? String(cell).trim() : "",
        ),
      ),
    ),
    isTruncated: fieldOf(result, "truncated") === true || fieldOf(result, "partial") === true,
    warnings: listOf(fieldOf(result, "warnings")).flatMap((warning) =>
      typeof warning === "string" && warning !== "" ? [warning] : [],
    ),
  };
}

const currency =
  "(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|CAD|AUD|US\\$|[€$£¥]|kr\\b\\.?|z[łl]\\b)";
const amount = "\\d{1,3}(?:[.,'\\s]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?";
const money = new RegExp(
  `(?<![\\d.,])-?(?:${currency}\\s?-?(?:${amount})|(?:${amount})(?:\\s?${currency})?)(?![\\d%]|\\s%)`,
  "gu",
);
const date =
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:st|nd|rd|th|er|\.)?\s+\p{L}{3,}\.?\s+\d{4}|\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}/u;
const identifier = /^(?=[A-Za-z/._-]*\d)[A-Za-z0-9][\w/.-]{1,29}(?<![./-])/;
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/;

type Kind = "money" | "date" | "identifier" | "text" | "iban";

/** Reads a value of a kind at the start of a text. An amount is the last one of the text. */
const readers: Readonly<Record<Kind, (text: string) => string | undefined>> = {
  money: (text) => text.match(money)?.at(-1)?.trim(),
  date: (text) => {
    const match = date.exec(text);
    return match !== null && match.index <= 14 ? match[0] : undefined;
  },
  identifier: (text) => {
    const day = date.exec(text);
    return day?.index === 0 ? undefined : identifier.exec(text)?.[0];
  },
  iban: (text) => iban.exec(text)?.[0],
  text: (text) =>
    /\p{L}{2}/u.test(text) && text.length <= 80 ? text.replace(/[,;]+$/, "") : undefined,
};

const no = "(?:number|no\\.?|nr\\.?|id|#)";
const nummer = "-?\\s?(?:nummer|nr\\.?)";
const numero = "(?:numero|n[°o]\\.?)(?: de)?";

/**
 * Labels in English, German, French and Polish, because the sandbox has documents in these
 * languages. They are written without accents. More specific labels come first.
 */
const labels: readonly (readonly [key: string, kind: Kind, words: string])[] = [
  [
    "Due Date",
    "date",
    "(?:payment )?due(?: date| on| by)?|(?:please )?pay(?:able)? by|fallig(?: am|keitsdatum)?|zahlbar bis|zu zahlen bis|zahlungsziel|(?:date d')?echeance|a payer avant le|date limite de paiement|termin platnosci",
  ],
  [
    "Invoice Date",
    "date",
    "invoice date|date of issue|issue date|issued(?: on)?|rechnungsdatum|ausgestellt am|date de facture|date d'emission|data wystawienia",
  ],
  [
    "Order Date",
    "date",
    "order date|ordered on|bestelldatum|auftragsdatum|date de commande|data zamowienia",
  ],
  ["Delivery Date", "date", "delivery(?: date)?|liefertermin|lieferdatum|(?:date de )?livraison"],
  ["Valid Until", "date", "valid until|gultig bis|valable jusqu'au"],
  ["Date", "date", "date|datum|data"],
  [
    "Customer",
    "text",
    "bill(?:ed)? to|invoiced? to|sold to|rechnung an|rechnungsempfanger|auftraggeber|destinataire|facture a|nabywca",
  ],
  [
    "Customer Number",
    "identifier",
    `(?:customer|client|account) ${no}|kunden${nummer}|${numero} client|code client`,
  ],
  [
    "Invoice Number",
    "identifier",
    `(?:tax )?invoice(?: ${no})?|rechnung(?:s?${nummer})?|beleg${nummer}|${numero} facture|facture(?: n[o°]\\.?)?|faktura(?: nr\\.?)?`,
  ],
  [
    "Order Number",
    "identifier",
    `(?:(?:purchase )?order|po)(?: confirmation)?(?: ${no})?|bestell(?:ung|${nummer})|auftrags?(?:${nummer}|bestatigung)?|${numero} commande|(?:bon de )?commande(?: n[o°]\\.?)?|zamowienie`,
  ],
  ["Quote Number", "identifier", `(?:quote|quotation)(?: ${no})?|angebot|devis`],
  [
    "VAT ID",
    "identifier",
    `vat (?:reg\\. )?${no}|ust-?id(?:-?nr\\.?)?|umsatzsteuer-id|${numero} tva|tva intracommunautaire`,
  ],
  ["Reference", "identifier", "(?:your |our |payment )?ref(?:erence|\\.)?|verwendungszweck"],
  [
    "Net Amount",
    "money",
    "sub-?total|net(?: amount| total)?|total excl(?:uding|\\.)? (?:vat|tax)|(?:summe )?netto(?:betrag)?|zwischensumme|(?:total|montant) ht|sous-total|razem netto",
  ],
  [
    "Total",
    "money",
    "(?:grand |invoice )?total(?: due| amount| payable| incl(?:uding|\\.)? (?:vat|tax)| ttc| a payer)?|(?:amount|balance) due|gesamt(?:betrag|summe)?|(?:rechnungs|end|brutto)betrag|summe|zu zahlen|montant (?:total|ttc)|net a payer|do zaplaty|razem",
  ],
  [
    "Tax",
    "money",
    "vat|(?:sales )?tax|(?:zzgl\\. )?mwst\\.?|ust\\.?|mehrwertsteuer|(?:montant )?tva",
  ],
  ["Shipping", "money", "shipping|freight|versand(?:kosten)?|frais de port"],
  ["Discount", "money", "discount|rabatt|remise"],
  ["IBAN", "iban", "iban"],
  ["Customer", "text", "customer|an|client|kunde"],
  ["Vendor", "text", "vendor|seller|supplier|from|lieferant|fournisseur|sprzedawca"],
  ["Payment Terms", "text", "(?:payment )?terms|zahlungsbedingungen|conditions de paiement"],
  ["Period", "text", "(?:billing |service )?period|leistungszeitraum|periode"],
];
const known = labels.map(([key, kind, words]) => ({
  key,
  kind,
  start: new RegExp(
    `^(?:${words})(?!\\p{L})(?:\\s*\\(?\\d{1,2}(?:[.,]\\d+)?\\s?%\\)?)?[\\s:.#_]*`,
    "iu",
  ),
}));
const itemHeader =
  /^(?:description|item|article|artikel|bezeichnung|position|pos|designation|towar|product)$/i;

const maxFields = 20;
/** How far a value may be from its label, in cells or lines. */
const maxCells = 20;

type Rows = readonly (readonly string[])[];

interface FoundLabel {
  readonly key: string;
  readonly kind: Kind;
  readonly start: string;
  /** The words of the cell after the label. */
  readonly own: string;
}

/** The most specific label at the start of a cell whose own words fit, or that has none. */
function findLabel(cell: string): FoundLabel | undefined {
  const folded = foldText(cell);
  for (const { key, kind, start: pattern } of known) {
    const start = pattern.exec(folded)?.[0];
    if (start === undefined) continue;
    const own = cell.slice(start.length);
    const isText = kind === "text" && !start.includes(":");
    if (own === "" || (!isText && readers[kind](own) !== undefined))
      return { key, kind, start, own };
  }
  return undefined;
}

/** The text where the value of a label is: after it, in the next cell, or below it. */
function valuePlace(rows: Rows, index: number, at: number, { kind, own }: FoundLabel): string {
  const cells = rows[index] ?? [];
  if (own !== "") return own;
  const [next] = cells.slice(at + 1);
  if (kind === "money") return cells.slice(at + 1, at + maxCells).join("   ");
  if (next !== undefined && findLabel(next) === undefined) return next;
  const below = rows[index + 1] ?? [];
  if (cells.length > 1) return below.length === cells.length ? (below[at] ?? "") : "";
  // Labels in a column, and below them their values.
  const isLabel = (row: readonly string[] | undefined) =>
    row?.length === 1 && row[0] !== undefined && findLabel(row[0])?.own === "";
  let first = index;
  while (index - first < maxCells && isLabel(rows[first - 1])) first -= 1;
  let end = index + 1;
  while (end - index < maxCells && isLabel(rows[end])) end += 1;
  return rows[end + index - first]?.[0] ?? "";
}

/** Finds the fields of a document. Every value appears in the document as it is. */
export function findFields({ text, tables }: DocumentView): readonly Field[] {
  const lines = text.slice(0, 100_000).split("\n");
  const rows = [...lines.map((line) => line.split(/	| {2,}/)), ...tables.flat()].map((cells) =>
    cells.map((cell) => cell.trim()).filter((cell) => cell !== ""),
  );
  const fields = new Map<string, Field>();
  const add = (key: string, value: string, confidence: number) => {
    const before = fields.get(key);
    if (before === undefined || before.confidence < confidence)
      fields.set(key, { key, value: value.replace(/\s+/g, " "), confidence });
  };
  for (const [index, cells] of rows.entries())
    for (const [at, cell] of isHeader(cells) ? [] : cells.entries()) {
      const label = findLabel(cell);
      const value = label && readers[label.kind](valuePlace(rows, index, at, label));
      if (value !== undefined)
        add(label?.key ?? "", value, label?.start.includes(":") ? 0.95 : 0.85);
    }
  const vendor = fields.has("Vendor") ? undefined : findVendor(rows, fields.get("Customer")?.value);
  if (vendor !== undefined) add("Vendor", vendor, 0.6);
  const mark = new RegExp(currency, "u").exec(fields.get("Total")?.value ?? "")?.[0];
  if (mark !== undefined) add("Currency", mark, 0.85);
  for (const { key, value, confidence } of itemFields(tables)) add(key, value, confidence);
  return [...fields.values()].slice(0, maxFields);
}

function isHeader(cells: readonly string[]): boolean {
  return cells.length > 2 && cells.some((cell) => itemHeader.test(foldText(cell)));
}

/** The first words at the top of the document that are neither a label nor a number. */
function findVendor(rows: Rows, customer = ""): string | undefined {
  return rows
    .filter((cells) => cells.length > 0 && cells.length <= 2)
    .slice(0, 4)
    .flat()
    .find(
      (cell) =>
        !/\d|[:@]/.test(cell) &&
        cell.length > 2 &&
        cell.length <= 40 &&
        !customer.includes(cell) &&
        findLabel(cell) === undefined,
    );
}

const maxItemFields = 12;

/** The first items of a table, with the headings of their columns. */
function itemFields(tables: readonly Rows[]): readonly Field[] {
  return tables
    .flatMap((rows) => {
      const at = rows.findIndex(isHeader);
      const items = rows.slice(at + 1).filter((cells) => cells.length === rows[at]?.length);
      return items.flatMap((cells, index) =>
        cells.map((value, column) => ({
          key: `Item ${index + 1}${column === 0 ? "" : ` ${rows[at]?.[column]}`}`,
          value,
          confidence: 0.8,
        })),
      );
    })
    .filter(({ value }) => value !== "")
    .slice(0, maxItemFields);
}
