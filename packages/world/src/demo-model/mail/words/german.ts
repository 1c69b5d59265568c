import type { MailWords } from "./mail-words-shape.ts";

export const germanWords: MailWords = {
  doing: {
    search: "deine Mails durchsuchen",
    message: "die Mail lesen",
    thread: "die Unterhaltung lesen",
    attachment: "den Anhang holen",
    document: "das Dokument lesen",
    fields: "die Felder prüfen lassen",
    draft: "den Entwurf schreiben",
    sendDraft: "den Entwurf senden",
    send: "die Mail senden",
    reply: "die Antwort senden",
  },
  colon: ":",
  fieldNames: {
    "Invoice Number": "Rechnungsnummer",
    "Order Number": "Bestellnummer",
    "Quote Number": "Angebotsnummer",
    "Delivery Note Number": "Lieferscheinnummer",
    "Contract Number": "Vertragsnummer",
    "Customer Number": "Kundennummer",
    Reference: "Referenz",
    "Invoice Date": "Rechnungsdatum",
    "Order Date": "Bestelldatum",
    Date: "Datum",
    "Due Date": "Fällig am",
    "Delivery Date": "Liefertermin",
    "Valid Until": "Gültig bis",
    Total: "Gesamtbetrag",
    "Net Amount": "Nettobetrag",
    Tax: "Mehrwertsteuer",
    Shipping: "Versand",
    Discount: "Rabatt",
    Currency: "Währung",
    "VAT ID": "USt-IdNr.",
    Vendor: "Aussteller",
    Customer: "Kunde",
    "Payment Terms": "Zahlungsbedingungen",
    Period: "Zeitraum",
    Project: "Projekt",
    Columns: "Spalten",
    Rows: "Zeilen",
  },
  next: (what, detail) => `Als Nächstes: ${what}${detail === "" ? "" : ` (${detail})`}.`,
  finished: "Es ist nichts mehr aufzurufen, also berichte ich, was zurückkam.",
  found: (count, query) =>
    `Ich habe deine Mails nach ${query} durchsucht und ${count === 1 ? "eine" : count} gefunden.`,
  nothingFound: (queries) =>
    `Ich habe keine solche Mail gefunden. Gesucht habe ich nach: ${queries.join("; ")}.`,
  loosened: (query) =>
    `Genau Passendes gab es nicht, also habe ich weiter gefasst gesucht: ${query}.`,
  readMail: (subject, from, day) => `Ich habe „${subject}“ von ${from} vom ${day} gelesen.`,
  noAttachment: (subject) =>
    `„${subject}“ hat keinen Anhang, den ich lesen kann; ich habe den Text der Mail genommen.`,
  readFile: (filename) => `Ich habe ${filename} gelesen.`,
  fieldsOf: (source) => `Das steht in ${source}:`,
  noFields: (source) =>
    `In ${source} habe ich keine Felder gefunden und deshalb nichts geschrieben.`,
  notInDocument: (keys) => `Nicht darin gefunden: ${keys}.`,
  cut: (source) => `${source} war länger, als ich lesen konnte; es kann noch mehr darin stehen.`,
  drafted: (subject, to, draftId) =>
    `Der Entwurf „${subject}“ an ${to} ist geschrieben (Entwurf ${draftId}). Gesendet ist er nicht.`,
  sent: (subject, to, messageId, sentAt) =>
    `Ich habe „${subject}“ an ${to} gesendet: Nachricht ${messageId}, gesendet am ${sentAt}.`,
  replied: (to, messageId, sentAt) =>
    `Ich habe ${to} geantwortet: Nachricht ${messageId}, gesendet am ${sentAt}.`,
  failed: (what, message) => `Das ging nicht: ${what}. ${message}`,
  denied: (what, message) =>
    `Das habe ich nicht getan, weil es nicht erlaubt wurde: ${what}. ${message}`,
  unknown: (what, message) =>
    `Versucht, aber es ist unbekannt, ob es geschah: ${what}. ${message} Bitte prüfe das, bevor es noch einmal getan wird.`,
  notReached: (what) => `Dazu kam ich nicht: ${what}.`,
  onlyMail: (others) =>
    `Getan habe ich nur, was Mail betrifft, und das nicht: ${others}. Bitte frage danach für sich.`,
  noTool: (what, name) =>
    `Das kann ich hier nicht: ${what}. Ich habe kein Werkzeug dafür (${name}).`,
  whichAddress:
    "An welche Adresse soll es gehen? Adressen nehme ich nur aus deinen Worten, und da stand keine.",
  whatText:
    "Was soll in der Mail stehen? Ich schreibe nur, was du mir sagst oder was in deinen Mails steht.",
  noDraft: "Ich weiß von keinem Entwurf, den du meinen könntest.",
  condition: "es hängt von etwas ab, das erst geschehen muss, und ich kann nur jetzt etwas tun",
  wrote: (from, day, subject) => `${from} schrieb am ${day} („${subject}“):`,
  counted: (count, hasMore, query) =>
    `Es gibt ${hasMore ? "mehr als " : ""}${count === 0 ? "keine" : count === 1 ? "eine" : count} ${count === 1 ? "Mail" : "Mails"} zu ${query}.`,
  line: (day, from, subject) => `- ${day}, ${from}: ${subject}`,
  emptyMail: "Die Mail hat keinen Text.",
  summarySubject: (subject) => `Zusammenfassung: ${subject}`,
  bodyStart: (source, subject, from, day) =>
    `Guten Tag,\n\nhier ist die Zusammenfassung von ${source} („${subject}“ von ${from}, ${day}):`,
  bodyEnd: "Viele Grüße",
};
