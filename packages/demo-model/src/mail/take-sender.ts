import { quotation } from "../planner/quotes.ts";
import { addressPattern } from "./take-recipients.ts";
import type { Scratch } from "./scratch.ts";

/** Words that can follow "from" and are not names. */
const notNames =
  "(?:the|my|our|your|his|her|their|its|a|an|it|that|this|those|these|them|me|him|us|last|latest|today|yesterday|inbox|mail|mails|email|there|here|attachment|attachments|pdf|csv|invoice|document|file|now|scratch|which|all|any|each|" +
  "der|die|das|den|dem|des|einer?|einem|einen|meine[mrns]?|unsere[mrns]?|letzte[nrms]?|heute|gestern|dort|hier|mir|ihm|ihr|ihnen|allen|diese[nrms]?|rechnung|dokument|anhang|" +
  "le|la|les|l|des|du|un|une|mon|ma|mes|notre|nos|ce|cette|cet|ces|moi|lui|hier|aujourd|tous|tout|facture|commande|livraison|confirmation|reception|compte|derniers?|dernieres?|" +
  "january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|marz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre)";

const name = `(?<name>${quotation}|<?${addressPattern}>?|(?!${notNames}\\b)[\\p{L}\\d][\\p{L}\\d&.+-]*(?:'(?!s\\b)\\p{L}+)?)`;
const title =
  "(?:(?:the )?(?:company|firm|supplier|vendor|customer|client|team)\\s+|(?:der |die |das )?(?:firma|frau|herrn?|lieferanten?|kunden?|kundin|unternehmen)\\s+|(?:la societe|l'entreprise|le fournisseur|le client|m\\.|mme\\.?|monsieur|madame)\\s+)?";
const writes =
  "(?:write|writes|wrote|written|say|says|said|send|sent|want|wants|wanted|mean|ask|asked|answer|reply|replied|tell|mention)";

const patterns: readonly RegExp[] = [
  new RegExp(
    `\\b(?:sent by|written by|issued by|received from|from|de la part de|envoyee?s? par|emise? par|de chez)\\s+${title}${name}`,
    "u",
  ),
  new RegExp(
    `(?<![\\p{L}\\d])(?!(?:i|you|we|they|he|she|it|who|that)\\b)${name}\\s+(?:has |just )?(?:sent|e-?mailed|mailed|wrote)\\s+(?:to )?(?:me|us)\\b`,
    "u",
  ),
  new RegExp(
    `\\b(?:die|das|den|der)\\s+(?:mir\\s+|uns\\s+)?${title}${name}\\s+(?:mir |uns )?(?:geschickt|gesendet|geschrieben) hat\\b`,
    "u",
  ),
  new RegExp(`\\bque\\s+${title}${name}\\s+(?:m'|nous )a (?:envoye|ecrit)`, "u"),
  new RegExp(`\\bwhat (?:did|does|has|is)\\s+${name}(?:\\s+\\p{L}+)??\\s+${writes}`, "u"),
  new RegExp(`\\b(?:did|has|have)\\s+${name}\\s+${writes}`, "u"),
  new RegExp(
    `\\bwas\\s+(?:hat|haben|schreibt|schrieb|sagt|sagte|will|wollte|meinte?)\\s+${title}${name}`,
    "u",
  ),
  new RegExp(`\\bhat\\s+(?!die\\b|der\\b|das\\b)${title}${name}\\s+(?:mir|uns|etwas|was)\\b`, "u"),
  new RegExp(
    `\\bqu'(?:a|ont)\\s+(?:ecrit|dit|envoye|repondu|demande)\\s+${title}${name}|\\bque (?:dit|disent|veut|ecrit)\\s+${title}${name.replace("<name>", "<other>")}`,
    "u",
  ),
  new RegExp(`\\b(?:von|vom|durch)\\s+${title}${name}`, "u"),
  new RegExp(
    `\\b(?:reply|respond|answer)(?:\\s+to)?\\s+${name}(?=\\s|'|[.,;:!?]|$)|\\bantworte?n?\\s+(?:auf\\s+)?${name.replace("<name>", "<other>")}(?=\\s|$|[.,:])|\\brepond(?:s|re)\\s+a\\s+${name.replace("<name>", "<third>")}`,
    "u",
  ),
  new RegExp(
    `(?<![\\p{L}\\d])(?!(?:what|that|it|who|there|here|let|today|yesterday)')${name}'s\\b(?=\\s+(?:\\p{L}+\\s+){0,3}(?:e-?mails?|mails?|messages?|invoices?|orders?|order confirmation|quotes?|bills?|statements?|reports?|contracts?|receipts?))`,
    "u",
  ),
];
/**
 * French "de" and German "von" have other meanings too, so a name must start with a capital or be
 * an address.
 */
const frenchName = new RegExp(`\\b(?:de|d')\\s*${title}${name}`, "u");

/** Further words of a name after the first. */
const furtherWords = /^(?:\s+(?:&|\p{Lu}[\p{L}\d&.'’-]*))+/u;
const isCapital = /^["\p{Lu}\d\uE200]/u;

/** Takes the sender out of the text. */
export function takeSender(
  scratch: Scratch,
  restore: (text: string) => string,
): string | undefined {
  for (const pattern of patterns) {
    const found = takeName(scratch, pattern, restore);
    if (found !== undefined) return found;
  }
  const before = scratch.text();
  for (const { index, 0: matched } of before.matchAll(
    /(?:\b[dD]e\s+|\b[dD]['’])(?:(?:la soci[ée]t[ée]|l['’]entreprise|le fournisseur|le client|M\.|Mme)\s+)?(?=[\p{Lu}\uE200]|\S+@)/gu,
  )) {
    const here = new RegExp(`(?<=^.{${index}})${frenchName.source}`, "su");
    const found = takeName(scratch, here, restore);
    if (found !== undefined && matched !== "") return found;
  }
  return undefined;
}

function takeName(
  scratch: Scratch,
  pattern: RegExp,
  restore: (text: string) => string,
): string | undefined {
  const before = scratch.text();
  const taken = scratch.take(pattern);
  const first = taken?.groups["name"] ?? taken?.groups["other"] ?? taken?.groups["third"];
  if (taken === undefined || first === undefined) return undefined;
  const end = before.indexOf(taken.whole) + taken.whole.length;
  const isLast = taken.whole.endsWith(first);
  const further =
    isLast && isCapital.test(first) && !first.includes("@")
      ? (furtherWords.exec(before.slice(end))?.[0] ?? "")
      : "";
  if (further !== "") scratch.take(new RegExp(`(?<=^.{${end}}).{${further.length}}`, "s"));
  return restore(
    `${first}${further}`
      .replace(/^<|>$/g, "")
      .replace(/[.,;:!?]+$/, "")
      .trim(),
  ).replaceAll('"', "");
}
