import type { Scratch } from "./scratch.ts";

const number =
  /\b(?:(?:invoice |order |document |its |reference )?numbers?\b(?! of)|invoice no\.?|(?:rechnungs|bestell|auftrags|beleg)?(?:nummer|nr\.?)|numeros?|n°)/;

/** Words for fields, with the field names they stand for. */
const askable: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    number,
    ["Invoice Number", "Order Number", "Quote Number", "Delivery Note Number", "Contract Number"],
  ],
  [
    /\b(?:due(?: date| on| by)?|deadline|payable by|pay by|fallig\w*|zahlungsziel|zahlbar|zahlungsfrist|echeance|date limite)\b/,
    ["Due Date"],
  ],
  [/\b(?:delivery date|liefertermin|lieferdatum|date de livraison)\b/, ["Delivery Date"]],
  [
    /(?<!due |delivery |fälligkeits|d'echeance )\b(?:(?:invoice|order|issue) date|dates?|datum|rechnungsdatum|bestelldatum)\b(?! (?:d'echeance|de livraison|limite))/,
    ["Invoice Date", "Order Date", "Date"],
  ],
  [
    /\b(?:totals?|amount|amounts|sum|how much|price|cost|gesamt\w*|summe|betrag|betrage|endbetrag|wie hoch|montant|montants|somme|combien)\b/,
    ["Total"],
  ],
  [
    /\b(?:net(?:to)?(?: amount|betrag)?|subtotal|zwischensumme|montant ht|hors taxes?|total ht)\b/,
    ["Net Amount"],
  ],
  [/\b(?:vat|tax|taxes|mwst|mehrwertsteuer|umsatzsteuer|tva)\b(?! ?(?:id|number))/, ["Tax"]],
  [
    /\biban\b|\b(?:bank (?:account|details)|bankverbindung|coordonnees bancaires)\b/,
    ["IBAN", "BIC"],
  ],
  [/\b(?:vat (?:id|number)|ust-?id\w*|numero de tva)\b/, ["VAT ID"]],
  [
    /\b(?:vendor|supplier|seller|lieferant|verkaufer|rechnungssteller|fournisseur|vendeur)\b/,
    ["Vendor"],
  ],
  [/\b(?:currency|wahrung|devise)\b/, ["Currency"]],
  [/\b(?:payment terms|zahlungsbedingungen|conditions de paiement)\b/, ["Payment Terms"]],
];
const all =
  /\b(?:key (?:fields|data|facts|figures|details|information|info|values|points)|all (?:the )?(?:fields|details|data)|fields|eckdaten|felder|wichtigsten|wichtige|alle (?:daten|felder|angaben)|champs|informations?|donnees|chiffres|elements cles|details)\b/;

/**
 * Takes the requested fields, each with its possible names. Empty when the task names none. The
 * kind of document must have been taken before.
 */
export function takeAskedFields(scratch: Scratch): readonly (readonly string[])[] {
  const isAll = scratch.has(all);
  const asked = askable.flatMap(([pattern, keys]) => (takeEach(scratch, pattern) ? [keys] : []));
  return isAll ? [] : asked;
}

function takeEach(scratch: Scratch, pattern: RegExp): boolean {
  let isFound = false;
  while (scratch.take(pattern) !== undefined) isFound = true;
  return isFound;
}
