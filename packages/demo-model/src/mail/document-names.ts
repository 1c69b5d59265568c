/**
 * Kinds of documents with their names in English, German and French. A search tries all names of a
 * kind.
 */
interface DocumentName {
  /** Folded. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** Related kinds of documents, tried last. */
  readonly kin: readonly string[];
}

const determined =
  "(?<=(?:the|a|an|my|our|last|latest|newest|recent|current|new|this|that|of) (?:[\\w.'&-]+ ){0,2})";

/** More specific kinds come first: an order confirmation is not an order. */
export const documentNames: readonly DocumentName[] = [
  entry(
    "order confirmations?|purchase confirmations?|auftragsbestatigung(?:en)?|bestellbestatigung(?:en)?|confirmations? de commande",
    ["order confirmation", "Auftragsbestätigung", "Bestellbestätigung", "confirmation de commande"],
    ["purchase order", "order", "Bestellung", "commande"],
  ),
  entry(
    "purchase orders?|bons? de commande",
    ["purchase order", "Bestellung", "bon de commande"],
    ["order", "commande"],
  ),
  entry("delivery notes?|packing slips?|lieferscheine?s?|bons? de livraison", [
    "delivery note",
    "Lieferschein",
    "bon de livraison",
  ]),
  entry("credit notes?|gutschrift(?:en)?|factures? d'avoir", [
    "credit note",
    "Gutschrift",
    "avoir",
  ]),
  entry("expense reports?|spesenabrechnung(?:en)?|reisekostenabrechnung(?:en)?|notes? de frais", [
    "expense report",
    "Spesenabrechnung",
    "note de frais",
  ]),
  entry("price lists?|preislisten?|listes? de prix|grilles? tarifaires?", [
    "price list",
    "Preisliste",
    "liste de prix",
  ]),
  entry(
    "(?:bank |account )?statements?|kontoausz(?:ug|uge|ugs)|releves? (?:de compte|bancaires?)",
    ["statement", "Kontoauszug", "relevé"],
  ),
  entry("time ?sheets?|stundenzettel|feuilles? de temps", [
    "timesheet",
    "Stundenzettel",
    "feuille de temps",
  ]),
  entry(
    "pay ?slips?|gehaltsabrechnung(?:en)?|lohnabrechnung(?:en)?|(?:bulletins?|fiches?) de (?:paie|salaire)",
    ["payslip", "Gehaltsabrechnung", "bulletin de paie"],
  ),
  entry("invoices?|[a-z]*rechnung(?:en)?|factures?", ["invoice", "Rechnung", "facture"]),
  entry(`${determined}bills?`, ["invoice", "bill", "Rechnung", "facture"]),
  entry(
    "receipts?|quittung(?:en)?|kassenbon|recus?",
    ["receipt", "Quittung", "reçu"],
    ["invoice", "Rechnung", "facture"],
  ),
  entry("quotes?|quotations?|estimates?|angebote?s?|devis", [
    "quote",
    "quotation",
    "Angebot",
    "devis",
  ]),
  entry("contracts?|vertr(?:ag|ags|age)|contrats?", ["contract", "Vertrag", "contrat"]),
  entry("reminders?|mahnung(?:en)?|rappels?", ["reminder", "Mahnung", "rappel"]),
  entry("bookings?|reservations?|buchung(?:en)?", ["booking", "reservation", "Buchung"]),
  entry(`${determined}offers?`, ["offer", "Angebot", "devis"]),
  entry(`${determined}orders?|bestellung(?:en)?|auftr(?:ag|ags|age)|commandes?`, [
    "order",
    "Bestellung",
    "commande",
  ]),
  entry(
    `(?:(?:sales|monthly|weekly|quarterly|annual) )reports?|${determined}reports?|[a-z]*bericht(?:e|s)?|rapports?`,
    ["report", "Bericht", "rapport"],
  ),
];

function entry(
  pattern: string,
  names: readonly string[],
  kin: readonly string[] = [],
): DocumentName {
  return { pattern: new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`), names, kin };
}
