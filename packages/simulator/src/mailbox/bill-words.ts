import type { Bill } from "./bill.ts";
import type { Language } from "./company.ts";

interface BillWords {
  readonly invoice: string;
  readonly order: string;
  readonly number: string;
  readonly date: string;
  readonly due: string;
  readonly to: string;
  readonly article: string;
  readonly quantity: string;
  readonly price: string;
  readonly total: string;
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
}

const names: readonly (keyof BillWords)[] = [
  "invoice",
  "order",
  "number",
  "date",
  "due",
  "to",
  "article",
  "quantity",
  "price",
  "total",
  "net",
  "tax",
  "gross",
];

const words = (list: string) =>
  Object.fromEntries(list.split("|").map((word, at) => [names[at], word])) as unknown as BillWords;

export const billWords: Readonly<Record<Language, BillWords>> = {
  en: words(
    "Invoice|Purchase order|Number|Date|Due date|Bill to|Article|Quantity|Unit price|Total|Net|VAT|Total due",
  ),
  de: words(
    "Rechnung|Bestellung|Nummer|Datum|Fällig am|An|Artikel|Menge|Einzelpreis|Summe|Netto|MwSt|Gesamtbetrag",
  ),
  fr: words(
    "Facture|Commande|Numéro|Date|Échéance|Destinataire|Article|Quantité|Prix unitaire|Total|Total HT|TVA|Total TTC",
  ),
  pl: words(
    "Faktura|Zamówienie|Numer|Data|Termin płatności|Nabywca|Towar|Ilość|Cena|Razem|Netto|VAT|Do zapłaty",
  ),
};

const locales: Readonly<Record<Language, string>> = {
  en: "en-GB",
  de: "de-DE",
  fr: "fr-FR",
  pl: "pl-PL",
};

/** Formats an amount as its language does: "1.234,50 €", "£1,234.50". */
export function formatMoney(cents: number, currency: Bill["currency"], language: Language): string {
  const format = getOrCreate(moneyFormats, `${language} ${currency}`, () => {
    const options = { style: "currency", currency, useGrouping: "always" } as const;
    return new Intl.NumberFormat(locales[language], options);
  });
  return format.format(cents / 100).replace(/[\u00a0\u202f]/g, " ");
}

export function formatDay(date: Date, language: Language): string {
  const format = getOrCreate(dayFormats, language, () => {
    return new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeZone: "UTC" });
  });
  return format.format(date);
}

// Creating a formatter takes longer than a hundred uses of it, and a mailbox needs thousands.
const moneyFormats = new Map<string, Intl.NumberFormat>();
const dayFormats = new Map<string, Intl.DateTimeFormat>();

function getOrCreate<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known) return known;
  const created = create();
  map.set(key, created);
  return created;
}

/** A plain decimal number: "1234.50". */
export const plainAmount = (cents: number) => (cents / 100).toFixed(2);
