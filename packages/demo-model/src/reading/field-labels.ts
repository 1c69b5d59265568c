import type { ValueType } from "./values.ts";

/**
 * Field labels in English, German and French, with the most common words of neighboring languages.
 * They are written folded, see fold-text.ts.
 */
export interface FieldLabel {
  readonly key: string;
  readonly type: ValueType;
  /** How likely the label means this field, from 0 to 1. */
  readonly weight: number;
  readonly pattern: RegExp;
  /** The word is too common to count without a colon or a cell of its own. */
  readonly isWeak: boolean;
}

const no =
  "(?: ?(?:numbers?|num|no|nr|nummer|numero|id|ref|reference|code)\\b\\.?| ?n[°ºo]\\.?| ?#)";
const nummer = "[ -]?(?:nummer|nr\\.?|no\\.?|id)";
const numero = "(?:numero|num\\.?|no\\.?|n ?[°ºo]\\.?|ref\\.?|reference)";
const byDay = "(?: (?:on|by|date|before|am|bis|le|avant le|au plus tard le|bis zum|spatestens am))";
const onDay = `${byDay}?`;

type Entry = readonly [
  key: string,
  type: ValueType,
  weight: number,
  pattern: string,
  isWeak?: true,
];

const entries: readonly Entry[] = [
  [
    "Invoice Number",
    "identifier",
    1,
    `(?:tax |sales |commercial |vat )?invoice${no}|bill${no}|credit note${no}|document${no}|rechnungs?${nummer}|beleg${nummer}|gutschrifts?${nummer}|rg\\.?-?nr\\.?|re\\.?-nr\\.?|${numero} (?:de )?(?:la )?facture|facture ${numero}|faktura (?:nr|numer)\\.?|(?:numer|nr) faktury|(?:numero|n[°ºo.]) (?:de |di )?(?:factura|fattura)|(?:factura|fattura) n[°ºo.]|factuurnummer`,
  ],
  [
    "Order Number",
    "identifier",
    1,
    `(?:sales |purchase |your |our )?order(?: confirmation)?${no}|p\\.?o\\.?${no}|confirmation${no}|booking${no}|bestell${nummer}|bestellung(?: nr\\.?)|auftrags?${nummer}|auftragsbestatigungs?${nummer}|${numero} (?:de )?(?:la |votre )?(?:commande|confirmation)|(?:bon de )?commande ${numero}|(?:numer|nr) zamowienia|zamowienie nr\\.?|numero (?:de |di |d')(?:pedido|ordine)|(?:pedido|ordine) n[°ºo.]|ordernummer`,
  ],
  [
    "Quote Number",
    "identifier",
    1,
    `(?:quote|quotation|offer|estimate|proposal)${no}|angebots?${nummer}|${numero} (?:de |du )?devis|devis ${numero}`,
  ],
  [
    "Delivery Note Number",
    "identifier",
    1,
    `(?:delivery note|packing slip|shipment|tracking)${no}|liefer(?:schein)?${nummer}|sendungs${nummer}|${numero} (?:de |du )?(?:bon de livraison|suivi)|bon de livraison ${numero}`,
  ],
  [
    "Customer Number",
    "identifier",
    1,
    `(?:customer|client|account|member)${no}|kunden?${nummer}|${numero} (?:de )?client|client ${numero}|code client`,
  ],
  [
    "Contract Number",
    "identifier",
    1,
    `contract${no}|policy${no}|vertrags?${nummer}|${numero} (?:de )?contrat|contrat ${numero}`,
  ],
  [
    "Reference",
    "identifier",
    0.9,
    `(?:your |our |payment )?reference(?: number)?|your ref\\.?|our ref\\.?|payment ref\\.?|verwendungszweck|referenz|(?:ihr|unser) zeichen|${numero.replace("|reference", "")} dossier|votre reference|notre reference`,
  ],
  [
    "Invoice Number",
    "longIdentifier",
    0.7,
    "(?:tax )?invoice|rechnung|facture|credit note|gutschrift|faktura|factura|fattura|factuur",
  ],
  [
    "Order Number",
    "longIdentifier",
    0.7,
    "(?:purchase |sales |your )?order(?: confirmation)?|bestellung|bestellbestatigung|auftragsbestatigung|auftrag|(?:confirmation de )?commande|bon de commande|zamowienie|pedido|ordine",
  ],
  ["Quote Number", "longIdentifier", 0.7, "quote|quotation|estimate|angebot|devis"],
  [
    "Invoice Date",
    "date",
    1,
    "invoice date|date of (?:issue|invoice)|issue date|issued(?: on)?|date issued|billing date|rechnungsdatum|ausstellungsdatum|ausgestellt am|belegdatum|rechnung vom|date (?:de (?:la )?)?(?:facture|facturation)|date d'emission|emise? le|facture du|data wystawienia|fecha de (?:factura|emision)|data (?:fattura|di emissione)|factuurdatum",
  ],
  [
    "Order Date",
    "date",
    1,
    "order date|date of order|ordered on|date ordered|order placed(?: on)?|bestelldatum|bestellt am|auftragsdatum|bestellung vom|auftrag vom|date (?:de (?:la )?)?commande|commande du|commandee? le|data zamowienia|fecha de(?:l)? pedido|data (?:dell')?ordine",
  ],
  [
    "Delivery Date",
    "date",
    1,
    "(?:expected |estimated )?(?:delivery|ship(?:ping|ment)?) date|delivery(?: expected)?(?: on| by)?|shipped on|ships? on|liefertermin|lieferdatum|lieferung(?: am| bis)?|voraussichtliche lieferung|leistungsdatum|date de livraison(?: prevue)?|livraison(?: prevue)?(?: le)?|expediee? le",
  ],
  [
    "Due Date",
    "date",
    1,
    `(?:payment )?due${onDay}|due date|(?:pay|payable|payment)${byDay}|please pay by|fallig(?:keit)?(?:sdatum)?${onDay}|fallig zum|zahlbar${onDay}|zu zahlen bis(?: zum)?|zahlungsziel|zahlung bis(?: zum)?|date d'echeance|echeance(?: le)?|a (?:payer|regler) (?:avant|d'ici|pour) le|date limite(?: de paiement)?|payable${onDay}|a regler au plus tard le|termin (?:platnosci|zaplaty)|platne do|vencimiento|fecha de vencimiento|scadenza|vervaldatum`,
  ],
  [
    "Valid Until",
    "date",
    1,
    "valid (?:until|till|to|through)|expires(?: on)?|expiry date|gultig bis(?: zum)?|valable jusqu'au|date de validite",
  ],
  ["Date", "date", 0.85, "date|datum|dated|vom|du|den|data|fecha"],
  [
    "Total",
    "money",
    1,
    "grand total|total (?:amount )?(?:due|payable|to pay)|amount (?:due|payable|to pay|owed)|balance due|(?:invoice|order) (?:total|amount)|total (?:amount )?incl(?:uding|usive|\\.)?(?: of)?(?: vat| tax| taxes)?\\.?|total with (?:vat|tax)|total amount|gesamtbetrag|gesamtsumme|gesamtpreis|rechnungs(?:betrag|summe)|auftrags(?:wert|summe)|bestellwert|endbetrag|endsumme|zahlbetrag|zu zahlen(?:der betrag)?|bruttobetrag|brutto(?:summe)?|gesamt ?\\(?brutto\\)?|summe brutto|total t\\.?t\\.?c\\.?|montant t\\.?t\\.?c\\.?|montant total(?: t\\.?t\\.?c\\.?)?|montant (?:du|a payer)|net a payer|(?:total|reste) a (?:payer|regler)|total general|somme due|do zaplaty|razem brutto|wartosc brutto|total a pagar|importe total|totale (?:da pagare|fattura)|te betalen|totaalbedrag",
  ],
  [
    "Total",
    "money",
    0.85,
    "total|gesamt|summe|betrag|amount|montant|razem|suma|importe|totale|totaal",
  ],
  [
    "Net Amount",
    "money",
    1,
    "sub[- ]?total|net (?:amount|total|value)|total (?:net|excl(?:uding|usive|\\.)?(?: of)?(?: vat| tax| taxes)?)|total before tax|amount excl\\.? vat|zwischensumme|netto(?:betrag|summe|wert)?|summe netto|gesamt ?\\(?netto\\)?|sous[- ]total(?: h\\.?t\\.?)?|total h\\.?t\\.?|montant h\\.?t\\.?|total hors taxes?|montant hors taxes?|total net|razem netto|wartosc netto|base imponible|imponibile",
  ],
  ["Net Amount", "money", 0.9, "net"],
  [
    "Tax",
    "money",
    1,
    "(?:total )?(?:v\\.?a\\.?t\\.?|sales tax|gst|hst)(?: amount)?|(?:total )?tax(?:es)?(?: amount)?|mwst\\.?(?:-betrag)?|ust\\.?|mehrwertsteuer|umsatzsteuer|zzgl\\.? (?:mwst|ust)\\.?|(?:montant |dont |total )?(?:de la )?t\\.?v\\.?a\\.?|podatek vat|iva|btw",
  ],
  [
    "Shipping",
    "money",
    1,
    "shipping(?: (?:cost|costs|fee|and handling|& handling))?|delivery (?:cost|fee|charge)|freight|versand(?:kosten)?|lieferkosten|frais de (?:port|livraison)",
  ],
  ["Discount", "money", 1, "discount|rabatt|skonto|remise"],
  ["IBAN", "iban", 1, "iban"],
  ["BIC", "bic", 1, "(?:bic|swift)(?: ?/ ?(?:bic|swift))?(?:[- ]?code)?"],
  [
    "VAT ID",
    "vatId",
    1,
    "(?:v\\.?a\\.?t\\.?|tax|gst)(?: (?:reg(?:istration)?\\.?))? ?(?:id|no|nr|number|identification|reg(?:istration)?)\\b\\.?(?: (?:no|number)\\.?)?|ust\\.?-?id(?:\\.?-?nr\\.?|-nummer)?|umsatzsteuer-?id(?:entifikationsnummer)?(?:-?nr\\.?)?|mwst-?nr\\.?|steuer-?(?:nr\\.?|nummer)|(?:numero|n ?[°ºo]\\.?)(?: de)? ?t\\.?v\\.?a\\.?(?: intracommunautaire| intracom\\.?)?|t\\.?v\\.?a\\.? intracom(?:munautaire|\\.)?|id t\\.?v\\.?a\\.?",
  ],
  [
    "Vendor",
    "text",
    1,
    "(?:sold|issued|supplied) by|seller|vendor|supplier|invoice from|from|verkaufer|lieferant|rechnungssteller|absender|auftragnehmer|anbieter|von|fournisseur|vendeur|emetteur|prestataire|emise? par|sprzedawca|wystawca|proveedor|fornitore",
    true,
  ],
  [
    "Customer",
    "text",
    1,
    "bill(?:ed)? to|invoiced? to|invoice for|sold to|ship(?:ped)? to|deliver to|customer(?: name)?|client(?: name)?|buyer|to|kunde|kundin|rechnungsempfanger|rechnung an|rechnungsadresse|empfanger|auftraggeber|lieferadresse|an|facturee? a|client|destinataire|acheteur|adressee? a|livree? a|livrer a|nabywca|odbiorca|cliente",
    true,
  ],
  [
    "Payment Terms",
    "text",
    0.95,
    "(?:payment )?terms|terms of payment|zahlungsbedingung(?:en)?|conditions (?:de )?(?:paiement|reglement)|modalites (?:de )?(?:paiement|reglement)",
    true,
  ],
  [
    "Period",
    "text",
    0.95,
    "(?:billing|service|reporting|invoice|statement) period|period|leistungszeitraum|abrechnungszeitraum|zeitraum|periode(?: de facturation)?|periode concernee",
    true,
  ],
  ["Project", "text", 0.9, "project|projekt|projet", true],
];

export const fieldLabels: readonly FieldLabel[] = entries.map(
  ([key, type, weight, pattern, isWeak = false]) => ({
    key,
    type,
    weight,
    isWeak,
    pattern: new RegExp(`(?<![a-z0-9])(?:${pattern})(?:(?<=[#°º.])|(?![a-z]))`, "g"),
  }),
);

/** Column headings of item tables. Values below them are not fields of the document. */
export const itemWords =
  /(?<![a-z])(?:qty|quantity|description|item|items|unit price|price|unit|hours|menge|anzahl|bezeichnung|beschreibung|artikel|leistung|einzelpreis|preis|pos|position|stk|stuck|quantite|qte|designation|article|prix|towar|nazwa|ilosc|cena|cantidad|precio|descripcion|quantita|prezzo|descrizione|prix unitaire|p\.?u\.?)(?![a-z])/g;
