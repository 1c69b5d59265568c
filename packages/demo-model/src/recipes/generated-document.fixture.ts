import fc from "fast-check";
import type { DocumentView } from "./document-fields.ts";

/** A generated document and the values it contains. */
export interface GeneratedDocument {
  readonly view: DocumentView;
  /** Expected values, keyed by field name. */
  readonly truth: Readonly<Record<string, string>>;
  readonly layout: Layout;
}

type Layout = (typeof layouts)[number];
const layouts = ["colon", "spaces", "dots", "plain", "stacked", "columns", "pairs"] as const;

interface Vocabulary {
  readonly language: "en" | "de" | "fr";
  readonly isOrder: boolean;
  readonly heading: readonly string[];
  readonly number: readonly string[];
  readonly date: readonly string[];
  readonly due: readonly string[];
  readonly customer: readonly string[];
  readonly customerNumber: readonly string[];
  readonly net: readonly string[];
  readonly tax: readonly string[];
  readonly total: readonly string[];
  readonly vatId: readonly string[];
  readonly items: readonly string[];
  readonly months: readonly string[];
  readonly suffixes: readonly string[];
}

type CommonWords = Omit<Vocabulary, "isOrder" | "heading" | "number" | "date">;

const enCommon: CommonWords = {
  language: "en",
  due: ["Due date", "Payment due", "Due by", "Pay by", "Payable by"],
  customer: ["Bill to", "Customer", "Sold to", "Billed to"],
  customerNumber: ["Customer number", "Customer no.", "Account number", "Client ID"],
  net: ["Subtotal", "Net amount", "Total excl. VAT", "Sub-total"],
  tax: ["VAT 20%", "VAT (20%)", "Sales tax", "Tax"],
  total: [
    "Total due",
    "Amount due",
    "Grand total",
    "Total",
    "Invoice total",
    "Total incl. VAT",
    "Balance due",
  ],
  vatId: ["VAT ID", "VAT number", "VAT Reg. No."],
  items: ["Description", "Qty", "Unit price", "Total"],
  months:
    "January February March April May June July August September October November December".split(
      " ",
    ),
  suffixes: ["Ltd", "Inc.", "LLC", "PLC", "Limited"],
};
const deCommon: CommonWords = {
  language: "de",
  due: ["Fällig am", "Zahlbar bis", "Fälligkeitsdatum", "Zu zahlen bis", "Zahlungsziel"],
  customer: ["Kunde", "Rechnungsempfänger", "Rechnung an", "Auftraggeber"],
  customerNumber: ["Kundennummer", "Kunden-Nr.", "Kundennr."],
  net: ["Zwischensumme", "Nettobetrag", "Summe netto", "Netto"],
  tax: ["MwSt. 19 %", "USt. 19%", "Mehrwertsteuer", "zzgl. MwSt. 19 %"],
  total: [
    "Gesamtbetrag",
    "Rechnungsbetrag",
    "Gesamtsumme",
    "Endbetrag",
    "Zu zahlen",
    "Bruttobetrag",
  ],
  vatId: ["USt-IdNr.", "USt-ID", "Umsatzsteuer-ID"],
  items: ["Bezeichnung", "Menge", "Einzelpreis", "Gesamt"],
  months:
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(" "),
  suffixes: ["GmbH", "AG", "KG", "GmbH & Co. KG", "UG"],
};
const frCommon: CommonWords = {
  language: "fr",
  due: ["Échéance", "Date d'échéance", "À payer avant le", "Date limite de paiement"],
  customer: ["Facturé à", "Client", "Destinataire"],
  customerNumber: ["N° client", "Numéro de client", "Code client"],
  net: ["Total HT", "Sous-total", "Montant HT"],
  tax: ["TVA 20 %", "TVA (20%)", "Montant TVA"],
  total: ["Total TTC", "Net à payer", "Montant total", "Total à payer", "Montant TTC"],
  vatId: ["N° TVA", "TVA intracommunautaire", "Numéro de TVA"],
  items: ["Désignation", "Quantité", "Prix unitaire", "Total"],
  months:
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(
      " ",
    ),
  suffixes: ["SARL", "SAS", "SA"],
};

const vocabularies: readonly Vocabulary[] = [
  {
    ...enCommon,
    isOrder: false,
    heading: ["INVOICE", "Tax Invoice", "Invoice"],
    number: ["Invoice number", "Invoice no.", "Invoice #", "Invoice No", "Invoice ID"],
    date: ["Invoice date", "Date", "Date of issue", "Issued on"],
  },
  {
    ...enCommon,
    isOrder: true,
    heading: ["ORDER CONFIRMATION", "Order confirmation"],
    number: ["Order number", "Order no.", "PO number", "Order ID"],
    date: ["Order date", "Date", "Ordered on"],
  },
  {
    ...deCommon,
    isOrder: false,
    heading: ["RECHNUNG", "Rechnung"],
    number: ["Rechnungsnummer", "Rechnungsnr.", "Rechnung Nr.", "Rechnungs-Nr.", "Beleg-Nr."],
    date: ["Rechnungsdatum", "Datum", "Ausgestellt am"],
  },
  {
    ...deCommon,
    isOrder: true,
    heading: ["AUFTRAGSBESTÄTIGUNG", "Auftragsbestätigung"],
    number: ["Auftragsnummer", "Bestellnummer", "Auftrags-Nr.", "Bestellnr."],
    date: ["Auftragsdatum", "Bestelldatum", "Datum"],
  },
  {
    ...frCommon,
    isOrder: false,
    heading: ["FACTURE", "Facture"],
    number: ["Facture n°", "Numéro de facture", "N° de facture", "N° facture"],
    date: ["Date de facture", "Date", "Date d'émission"],
  },
  {
    ...frCommon,
    isOrder: true,
    heading: ["CONFIRMATION DE COMMANDE", "Bon de commande"],
    number: ["N° de commande", "Numéro de commande", "Commande n°"],
    date: ["Date de commande", "Date"],
  },
];

const syllable = fc.constantFrom(
  "bra",
  "kel",
  "mon",
  "tor",
  "vi",
  "lu",
  "nor",
  "fa",
  "ster",
  "qui",
  "dal",
  "ro",
  "pen",
  "zu",
  "hag",
  "mir",
);
const word = fc
  .tuple(syllable, syllable, fc.option(syllable, { nil: "" }))
  .map(([a, b, c]) => `${a.charAt(0).toUpperCase()}${a.slice(1)}${b}${c}`);
const digits = (length: number) =>
  fc.integer({ min: 10 ** (length - 1), max: 10 ** length - 1 }).map(String);
const identifier = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("INV", "RE", "F", "SO", "AB", "R", "PO", "X"),
      fc.constantFrom("-", "", "/"),
      digits(5),
    )
    .map((parts) => parts.join("")),
  fc
    .tuple(fc.constantFrom("2025", "2026"), fc.constantFrom("-", "/"), digits(4))
    .map((parts) => parts.join("")),
  digits(6),
  fc
    .tuple(fc.constantFrom("INV", "RE"), fc.constant("-2026-"), digits(4))
    .map((parts) => parts.join("")),
);
const iban = fc.bigInt({ min: 10n ** 17n, max: 10n ** 18n - 1n }).map((account) => {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${check.toString().padStart(2, "0")}${account}`.replace(/(.{4})(?=.)/g, "$1 ");
});
const day = fc.record({
  year: fc.constantFrom(2025, 2026),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
});

type Day = { readonly year: number; readonly month: number; readonly day: number };
type DateStyle = "iso" | "numeric" | "words";

function writeDate(
  { year, month, day: dayOfMonth }: Day,
  style: DateStyle,
  { language, months }: Vocabulary,
): string {
  const two = (value: number) => String(value).padStart(2, "0");
  if (style === "iso") return `${year}-${two(month)}-${two(dayOfMonth)}`;
  if (style === "numeric")
    return [two(dayOfMonth), two(month), year].join(language === "de" ? "." : "/");
  const name = months[month - 1] ?? "";
  return language === "en"
    ? `${name} ${dayOfMonth}, ${year}`
    : `${dayOfMonth}${language === "de" ? "." : ""} ${name} ${year}`;
}

interface MoneyStyle {
  readonly thousands: string;
  readonly point: string;
  readonly place: (amount: string) => string;
}

const currencies = fc.constantFrom<readonly [string, boolean]>(
  ["EUR", true],
  ["USD", true],
  ["CHF", true],
  ["GBP", true],
  ["€", false],
  ["$", true],
  ["£", true],
  ["EUR", false],
  ["SEK", false],
);

function writeMoney(cents: number, { thousands, point, place }: MoneyStyle): string {
  const whole = Math.floor(cents / 100)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, thousands);
  return place(`${whole}${point}${String(cents % 100).padStart(2, "0")}`);
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** Writes labels and values in one of several common layouts. */
function arrange(pairs: readonly (readonly [string, string])[], layout: Layout): readonly string[] {
  switch (layout) {
    case "colon":
      return pairs.map(([label, value]) => `${label}: ${value}`);
    case "spaces":
      return pairs.map(([label, value]) => `${label.padEnd(28)}${value}`);
    case "dots":
      return pairs.map(([label, value]) => `${label} ${".".repeat(12)} ${value}`);
    case "plain":
      return pairs.map(([label, value]) => `${label} ${value}`);
    case "stacked":
      return [...pairs.map(([label]) => label), ...pairs.map(([, value]) => value)];
    case "columns":
      return [
        pairs.map(([label]) => label).join("    "),
        pairs.map(([, value]) => value).join("    "),
      ];
    case "pairs":
      return pairs.flatMap(([label, value], index) =>
        index % 2 === 0
          ? [
              [
                `${label}: ${value}`,
                ...(pairs[index + 1] === undefined ? [] : [pairs[index + 1]?.join(": ")]),
              ].join("      "),
            ]
          : [],
      );
  }
}

export const generatedDocument: fc.Arbitrary<GeneratedDocument> = fc
  .record({
    vocabulary: fc.constantFrom(...vocabularies),
    variants: fc.array(fc.nat(30), { minLength: 12, maxLength: 12 }),
    layout: fc.constantFrom(...layouts),
    dateStyle: fc.constantFrom<DateStyle>("iso", "numeric", "words"),
    vendor: fc.tuple(word, fc.option(word, { nil: undefined })),
    customer: fc.tuple(word, word),
    number: identifier,
    customerNumber: digits(5),
    iban,
    vatId: digits(9),
    issued: day,
    due: day,
    currency: currencies,
    items: fc.array(
      fc.record({
        name: word,
        quantity: fc.integer({ min: 1, max: 40 }),
        cents: fc.integer({ min: 199, max: 400_000 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    hasBank: fc.boolean(),
    hasDue: fc.boolean(),
    hasNote: fc.boolean(),
    swiss: fc.boolean(),
  })
  .map((made): GeneratedDocument => {
    const {
      vocabulary,
      variants,
      layout,
      dateStyle,
      currency: [currency, isBefore],
      items,
    } = made;
    const label = (field: keyof Vocabulary, at: number) =>
      pick(vocabulary[field] as readonly string[], variants[at] ?? 0);
    const place = (amount: string) =>
      isBefore
        ? `${currency}${/^[A-Z]/.test(currency) ? " " : ""}${amount}`
        : `${amount} ${currency}`;
    const style: MoneyStyle = {
      ...(vocabulary.language === "en"
        ? { thousands: ",", point: "." }
        : vocabulary.language === "de"
          ? made.swiss
            ? { thousands: "'", point: "." }
            : { thousands: ".", point: "," }
          : { thousands: "\u202f", point: "," }),
      place,
    };
    const net = items.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0);
    const tax = Math.round(net * (vocabulary.language === "de" ? 0.19 : 0.2));
    const vendor = `${made.vendor.filter((part) => part !== undefined).join(" ")} ${pick(vocabulary.suffixes, variants[9] ?? 0)}`;
    const customer = made.customer.join(" ");
    const dateKey = label("date", 1);
    const truth: Record<string, string> = {
      [vocabulary.isOrder ? "Order Number" : "Invoice Number"]: made.number,
      [`${dateKey} `]: writeDate(made.issued, dateStyle, vocabulary),
      Vendor: vendor,
      Customer: customer,
      "Customer Number": made.customerNumber,
      "Net Amount": writeMoney(net, style),
      Tax: writeMoney(tax, style),
      Total: writeMoney(net + tax, style),
      ...(made.hasDue ? { "Due Date": writeDate(made.due, dateStyle, vocabulary) } : {}),
      ...(made.hasBank ? { IBAN: made.iban, "VAT ID": `DE${made.vatId}` } : {}),
    };
    const date = truth[`${dateKey} `] ?? "";
    delete truth[`${dateKey} `];
    truth["Date"] = date;
    const head: [string, string][] = [
      [label("number", 0), made.number],
      [dateKey, date],
      ...(made.hasDue ? ([[label("due", 2), truth["Due Date"] ?? ""]] as [string, string][]) : []),
      [label("customerNumber", 3), made.customerNumber],
    ];
    const sums: [string, string][] = [
      [label("net", 4), truth["Net Amount"] ?? ""],
      [label("tax", 5), truth["Tax"] ?? ""],
      [label("total", 6), truth["Total"] ?? ""],
    ];
    const lines = [
      vendor,
      `${pick(["Main Street", "Hafenweg", "Rue du Port"], variants[10] ?? 0)} 12, 10115 Berlin`,
      "Tel. +49 30 1234567",
      "",
      label("heading", 11),
      "",
      label("customer", 7) + (layout === "stacked" || layout === "columns" ? "" : ":"),
      customer,
      "Quay 3",
      "",
      ...arrange(head, layout),
      "",
      vocabulary.items.join("    "),
      ...items.map(({ name, quantity, cents }) =>
        [
          name,
          quantity,
          writeMoney(cents, { ...style, place: (amount) => amount }),
          writeMoney(cents * quantity, { ...style, place: (amount) => amount }),
        ].join("    "),
      ),
      "",
      ...arrange(sums, layout === "columns" || layout === "stacked" ? "spaces" : layout),
      ...(made.hasBank
        ? ["", `IBAN: ${made.iban}   BIC: COBADEFFXXX`, `${label("vatId", 8)}: DE${made.vatId}`]
        : []),
      ...(made.hasNote
        ? ["", "Thank you. Questions: billing@mail.example, www.mail.example. Page 1 of 1"]
        : []),
    ];
    return {
      truth,
      layout,
      view: { text: lines.join("\n"), tables: [], isTruncated: false, warnings: [] },
    };
  });
