import { foldText } from "./fold-text.ts";

export type ValueType =
  | "money"
  | "date"
  | "identifier"
  | "longIdentifier"
  | "iban"
  | "bic"
  | "vatId"
  | "rate"
  | "text";

const currency =
  "(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|CAD|AUD|NZD|HUF|RON|INR|CNY|SGD|HKD|ZAR|BRL|MXN|US\\$|[€$£¥₹]|Fr\\.|kr\\.?(?![a-z])|z[łl](?![a-z]))";
const grouped = "\\d{1,3}(?:[.,'’\\s]\\d{3})+(?:[.,]\\d{2})?";
const decimal = "\\d+[.,]\\d{2}";
const number = `(?:${grouped}|${decimal}|\\d+)(?:[.,][-–])?`;
const before = "(?<![\\d\\p{L}]|\\d[.,/-])";
const after = "(?![\\d%]|\\s%|[.,/-]\\d|\\p{L})";

/** An amount is recognized by a currency, by cents or by thousands separators. */
const money = new RegExp(
  `${before}(?:[-−]\\s?)?(?:${currency}\\s*[-−]?${number}(?!\\d|[.,/]\\d)|${number}\\s?${currency}|(?:${grouped}|${decimal})${after})`,
  "gu",
);
/** Otherwise only a number that is alone in its cell counts. */
const bareNumber = new RegExp(`^(?:${grouped}|\\d+(?:[.,]\\d{1,2})?)$`, "u");
export const currencyMark = new RegExp(currency, "u");

const month =
  "(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|" +
  "januar|janner|februar|marz|mai|juni|juli|oktober|dezember|okt|dez|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|janv|fevr|avr|juil|" +
  "stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|wrzesnia|pazdziernika|listopada|grudnia|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|" +
  "gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre|januari|februari|maart|mei|augustus)\\.?";
const date = new RegExp(
  `(?<![\\d./-])(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}\\s?[./-]\\s?\\d{1,2}\\s?[./-]\\s?(?:\\d{4}|\\d{2})|\\d{1,2}(?:st|nd|rd|th|er|\\.)?[\\s-]+(?:of |de )?${month},?[\\s-]+(?:de )?\\d{4}|${month}\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+\\d{4})(?![\\d/-])`,
  "g",
);
const fullDate = new RegExp(`^${date.source}$`);

const identifier =
  /^(?:[A-Z]{1,4}[ -]?\d{2,}(?:[ /-]\d{2,})+|(?=[A-Za-z0-9/._-]*\d)[A-Za-z0-9][A-Za-z0-9/._-]{0,29})/;
const iban = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;
const bic = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])/;
const vatId =
  /^(?:(?:ATU|CHE-?|[A-Z]{2}) ?[0-9A-Z]{0,3}(?:[ .]?\d{2,}){1,4}(?:B\d{2})?)(?: (?:MWST|TVA|IVA))?(?![A-Za-z0-9])/;
const rate = /\d{1,2}(?:[.,]\d{1,2})? ?%/;

export function findMoney(text: string): readonly string[] {
  return Array.from(text.matchAll(money), ([matched]) => matched.trim());
}

export function findDates(text: string): readonly string[] {
  return Array.from(foldText(text).matchAll(date), ({ 0: matched, index }) =>
    text.slice(index, index + matched.length),
  );
}

export function findIbans(text: string): readonly string[] {
  return Array.from(text.matchAll(iban), ([matched]) => matched).filter(isIban);
}

/** Validates the check digits of an IBAN (ISO 13616). */
function isIban(text: string): boolean {
  const compact = text.replaceAll(" ", "");
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const sign of compact.slice(4) + compact.slice(0, 4))
    for (const digit of Number.parseInt(sign, 36).toString())
      rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

/**
 * Reads a value of a type at the start of a text. For money and rates it reads the last value
 * anywhere in the text.
 */
export function readValue(type: ValueType, words: string): string | undefined {
  switch (type) {
    case "money":
      return findMoney(words).at(-1) ?? bareNumber.exec(words.trim())?.[0];
    case "date": {
      const [first] = findDates(words);
      return first !== undefined && words.startsWith(first) ? first : undefined;
    }
    case "identifier":
    case "longIdentifier":
      return readIdentifier(words, type === "longIdentifier" ? 4 : 1);
    case "iban":
      return words.match(iban)?.[0];
    case "bic":
      return bic.exec(words)?.[0];
    case "vatId":
      return vatId.exec(words)?.[0];
    case "rate":
      return rate.exec(words)?.[0];
    case "text":
      return readWords(words);
  }
}

function readIdentifier(words: string, shortest: number): string | undefined {
  if (findDates(words).some((found) => words.startsWith(found))) return undefined;
  const found = identifier.exec(words)?.[0].replace(/[._/-]+$/, "");
  return found === undefined || found.length < shortest || fullDate.test(foldText(found))
    ? undefined
    : found;
}

function readWords(words: string): string | undefined {
  const text = words.trim().replace(/[,;:]+$/, "");
  return text.length >= 2 && text.length <= 80 && /\p{L}{2}/u.test(text) ? text : undefined;
}
