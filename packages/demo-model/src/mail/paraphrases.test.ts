import { describe, expect, test } from "vitest";
import { buildQueries } from "./build-query.ts";
import type { MailTask } from "./mail-task.ts";
import { understandMail } from "./understand-mail.ts";

/** The parsed task: kind, first query, recipients and text. */
function read(
  words: string,
): readonly [MailTask["kind"] | "nothing" | "condition", string, string, MailTask["outcome"]] {
  const understood = understandMail(words);
  if (understood === undefined) return ["nothing", "", "", "nothing"];
  if ("condition" in understood) return ["condition", "", "", "nothing"];
  const { kind, search, recipients, outcome } = understood.task;
  return [
    kind,
    kind === "compose" ? "" : (buildQueries(search, kind)[0] ?? ""),
    recipients.to.join(" "),
    outcome,
  ];
}

const eva = "eva@x.example";
const northwind = "from:Northwind subject:invoice has:attachment newer_than:30d";

describe("the full task in English", () => {
  test.each([
    [
      `Find the latest invoice from Northwind with an attachment from the last 30 days, extract the key fields and draft an email to ${eva} with a summary, then send it`,
      northwind,
    ],
    [
      `Search my inbox for the newest invoice from Northwind of the past 30 days, pull out the key data and send a summary to ${eva}.`,
      "from:Northwind subject:invoice has:attachment newer_than:30d in:inbox",
    ],
    [
      `Please look up Northwind's most recent invoice and email its key figures to ${eva}`,
      "from:Northwind subject:invoice has:attachment",
    ],
    [
      `Could you send ${eva} the key fields of the latest invoice from Northwind?`,
      "from:Northwind subject:invoice has:attachment",
    ],
    [
      `I need the last invoice from Northwind (PDF, last 30 days). Extract everything important and mail a summary to ${eva}.`,
      "from:Northwind subject:invoice has:attachment filename:pdf newer_than:30d",
    ],
    [
      `Get the newest bill from Northwind Traders, read out the details and forward them to ${eva}`,
      'from:"Northwind Traders" subject:bill has:attachment',
    ],
    [
      `Take the latest CSV from Acme this month, extract the totals and write an email to ${eva}, then send it`,
      "from:Acme has:attachment filename:csv newer_than:1m",
    ],
    [
      `find the most recent spreadsheet from finance@acme.example, summarize it and send the summary to ${eva}`,
      "from:finance@acme.example has:attachment filename:xlsx",
    ],
    [
      `Get me the newest order confirmation, pull out number, date, total, and mail them to my accountant at ${eva}`,
      '-from:me subject:"order confirmation" has:attachment',
    ],
    [
      `grab the latest invoice northwind sent me, extract the fields, email them to ${eva}`,
      "from:northwind subject:invoice has:attachment",
    ],
    [
      `From the latest Contoso quote, extract the fields. Then write to ${eva} with a summary and send it.`,
      "-from:me subject:quote Contoso has:attachment",
    ],
    [
      `Find the invoice from "Blue Harbour" from last week, extract the key fields and send them to ${eva}`,
      'from:"Blue Harbour" subject:invoice has:attachment newer_than:14d',
    ],
    [
      `Summarise the latest receipt from Fabrikam and send the summary to ${eva}`,
      "from:Fabrikam subject:receipt has:attachment",
    ],
  ])("%s", (words, query) => {
    expect(read(words)).toEqual(["document", query, eva, "send"]);
  });
});

describe("the full task in German", () => {
  test.each([
    [
      `Suche die letzte Rechnung von Northwind mit Anhang aus den letzten 30 Tagen, extrahiere die wichtigsten Felder, entwirf eine E-Mail an ${eva} mit einer Zusammenfassung und sende sie`,
      "from:Northwind subject:Rechnung has:attachment newer_than:30d",
    ],
    [
      `Finde die neueste Rechnung der letzten 30 Tage von der Firma Northwind und schicke die Eckdaten an ${eva}`,
      "from:Northwind subject:Rechnung has:attachment newer_than:30d",
    ],
    [
      `Hol bitte die aktuelle Auftragsbestätigung von Contoso AG, lies Nummer, Datum und Summe aus und maile sie an ${eva}`,
      'from:"Contoso AG" subject:Auftragsbestätigung has:attachment',
    ],
    [
      `Kannst du ${eva} die Eckdaten der letzten Rechnung von Northwind schicken?`,
      "from:Northwind subject:Rechnung has:attachment",
    ],
    [
      `Such mir die letzte Bestellung als Excel-Datei heraus, fasse sie zusammen und sende die Zusammenfassung an ${eva}`,
      "-from:me subject:Bestellung has:attachment filename:xlsx",
    ],
    [
      `Nimm das neueste Angebot von Fabrikam aus dieser Woche, lies die Felder aus und schick sie an ${eva}`,
      "from:Fabrikam subject:Angebot has:attachment newer_than:7d",
    ],
    [
      `Leite die letzte Rechnung von Northwind mit den wichtigsten Angaben an ${eva} weiter`,
      "from:Northwind subject:Rechnung has:attachment",
    ],
    [
      `Bitte den letzten Lieferschein von Acme suchen, die Daten auslesen und an ${eva} senden`,
      "from:Acme subject:Lieferschein has:attachment",
    ],
  ])("%s", (words, query) => {
    expect(read(words)).toEqual(["document", query, eva, "send"]);
  });
});

describe("the full task in French", () => {
  test.each([
    [
      `Cherche la dernière facture de Northwind avec une pièce jointe des 30 derniers jours, extrais les champs clés et rédige un e-mail à ${eva} avec un résumé, puis envoie-le`,
      "from:Northwind subject:facture has:attachment newer_than:30d",
    ],
    [
      `Trouve la facture la plus récente de Northwind et envoie les informations clés à ${eva}`,
      "from:Northwind subject:facture has:attachment",
    ],
    [
      `Récupère la dernière confirmation de commande de Contoso, relève le numéro, la date et le total, et envoie-les à ${eva}`,
      'from:Contoso subject:"confirmation de commande" has:attachment',
    ],
    [
      `Peux-tu envoyer à ${eva} un résumé du dernier devis de Fabrikam ?`,
      "from:Fabrikam subject:devis has:attachment",
    ],
    [
      `Prends le dernier relevé bancaire en PDF de ce mois-ci, extrais les données et transmets-les à ${eva}`,
      "-from:me subject:relevé has:attachment filename:pdf newer_than:1m",
    ],
    [
      `Montre la dernière facture de la société Northwind de la semaine dernière, extrais les champs et envoie un résumé à ${eva}`,
      "from:Northwind subject:facture has:attachment newer_than:14d",
    ],
    [
      `Fais suivre la dernière facture de Northwind avec les chiffres clés à ${eva}`,
      "from:Northwind subject:facture has:attachment",
    ],
  ])("%s", (words, query) => {
    expect(read(words)).toEqual(["document", query, eva, "send"]);
  });
});

describe("only a draft", () => {
  test.each([
    `Draft an email to ${eva} with the key fields of the latest invoice from Northwind`,
    `Extract the key fields of the last invoice from Northwind and write a draft to ${eva}, but do not send it`,
    `Prepare a mail to ${eva} with a summary of Northwind's last invoice, ready to send`,
    `Entwirf eine Mail an ${eva} mit den Eckdaten der letzten Rechnung von Northwind`,
    `Lies die letzte Rechnung von Northwind aus und schreibe einen Entwurf an ${eva}, aber sende ihn noch nicht`,
    `Rédige un brouillon à ${eva} avec les champs clés de la dernière facture de Northwind, sans l'envoyer`,
    `Prépare un mail à ${eva} avec un résumé de la dernière facture de Northwind, ne l'envoie pas`,
  ])("%s", (words) => {
    const [kind, query, to, outcome] = read(words);
    expect([kind, to, outcome]).toEqual(["document", eva, "draft"]);
    expect(query).toContain("from:Northwind");
  });
});

describe("other tasks", () => {
  test.each([
    [
      "What is the total of the latest invoice from Contoso?",
      "document",
      "from:Contoso subject:invoice has:attachment",
      "nothing",
    ],
    [
      "When is the last invoice from Contoso due?",
      "document",
      "from:Contoso subject:invoice has:attachment",
      "nothing",
    ],
    [
      "Wie hoch ist der Gesamtbetrag der letzten Rechnung von Contoso?",
      "document",
      "from:Contoso subject:Rechnung has:attachment",
      "nothing",
    ],
    [
      "Quel est le montant de la dernière facture de Contoso ?",
      "document",
      "from:Contoso subject:facture has:attachment",
      "nothing",
    ],
    ["Show me unread mails from Eva", "list", "from:Eva is:unread", "nothing"],
    ["Zeige mir ungelesene Mails von Eva", "list", "from:Eva is:unread", "nothing"],
    ["Montre-moi les mails non lus de Eva", "list", "from:Eva is:unread", "nothing"],
    ['Search my mail for "harbour lights"', "list", '"harbour lights"', "nothing"],
    [
      "Are there any mails about the budget from this week?",
      "list",
      "budget newer_than:7d",
      "nothing",
    ],
    [
      "How many mails from Paul are there since yesterday?",
      "count",
      "from:Paul newer_than:2d",
      "nothing",
    ],
    ["What did Paul write about the budget?", "read", "from:Paul budget", "nothing"],
    ["Summarise the last mail from Paul", "read", "from:Paul", "nothing"],
    ["Summarise my unread mails", "list", "is:unread", "nothing"],
    ["Which invoices came this month?", "list", "subject:invoice newer_than:1m", "nothing"],
    ["Welche Rechnungen kamen diesen Monat?", "list", "subject:Rechnung newer_than:1m", "nothing"],
    ["Fasse die letzte Mail von Paul zusammen", "read", "from:Paul", "nothing"],
    ["Résume le dernier mail de Paul", "read", "from:Paul", "nothing"],
    ["Reply to Paul's last mail saying yes", "reply", "from:Paul", "send"],
    ["Draft a reply to the last mail from Paul saying yes", "reply", "from:Paul", "draft"],
    ["Antworte Paul mit dem Text ja", "reply", "from:Paul", "send"],
    ["Réponds à Paul en disant oui", "reply", "from:Paul", "send"],
  ] as const)("%s", (words, kind, query, outcome) => {
    const [readKind, readQuery, , readOutcome] = read(words);
    expect([readKind, readQuery, readOutcome]).toEqual([kind, query, outcome]);
  });
});

describe("tasks that are not about mail", () => {
  test.each([
    "Book me a flight to Rome",
    "What is the weather in Paris?",
    "Find me a good hotel",
    "Tell me a joke",
    "Wie wird das Wetter?",
    "Raconte-moi une blague",
    "Translate this into French",
    "What is 6 * 7?",
  ])("%s", (words) => {
    expect(read(words)[0]).toBe("nothing");
  });

  test.each([
    "When a new invoice arrives, send it to eva@x.example",
    "Every Monday send eva@x.example a summary of my mail",
    "Sobald eine Rechnung kommt, leite sie an eva@x.example weiter",
    "Dès que la facture arrive, envoie-la à eva@x.example",
  ])("%s", (words) => {
    expect(read(words)[0]).toBe("condition");
  });
});

describe("recipients", () => {
  test.each([
    [
      "Send an email to a@x.example and b@x.example saying hello",
      ["a@x.example", "b@x.example"],
      [],
    ],
    [
      "Send an email to a@x.example, cc b@x.example, saying hello",
      ["a@x.example"],
      ["b@x.example"],
    ],
    [
      "Schicke eine Mail an a@x.example mit Kopie an b@x.example und dem Text hallo",
      ["a@x.example"],
      ["b@x.example"],
    ],
    ["Send an email to Ann <a@x.example> saying write to c@x.example", ["a@x.example"], []],
    [
      "Email a@x.example the key fields of the last invoice from billing@northwind.example",
      ["a@x.example"],
      [],
    ],
  ])("%s", (words, to, cc) => {
    const understood = understandMail(words);
    expect(understood).toMatchObject({ task: { recipients: { to, cc } } });
  });
});
