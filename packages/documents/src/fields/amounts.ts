import { omitUndefined } from "@bron/protocol";
/**
 * A number with all its possible readings. 1.234 can mean 1,234 or 1.234, depending on the country.
 */
export interface Amount {
  /** Plain decimals without trailing zeros, such as "-1234.5". */
  readonly readings: readonly string[];
  readonly currency?: string;
  readonly isPercent: boolean;
}

const currencies =
  "eur|usd|gbp|chf|jpy|cny|cad|aud|nzd|sgd|hkd|sek|nok|dkk|pln|czk|huf|inr|brl|mxn|zar|try|€|\\$|£|¥|₹";
const source = (number: string) =>
  `(?<![\\p{L}\\p{N}]|\\d[.,'])([-(]? ?)(?:(${currencies}) ?)?(-?)(${number})(?: ?(%|(?:${currencies})(?!\\p{L})))?(?![\\p{L}\\p{N}])`;
// One pattern for single numbers, one with spaces between thousands, because "100 200" can mean
// both.
const patterns = ["\\d(?:[\\d.,']{0,30}\\d)?", "\\d{1,3}(?: \\d{3}){1,8}(?:[.,]\\d{1,9})?"].map(
  (number) => new RegExp(source(number), "gu"),
);
const symbols: Readonly<Partial<Record<string, readonly string[]>>> = {
  "€": ["eur"],
  $: ["usd", "cad", "aud", "nzd", "sgd", "hkd", "mxn"],
  "£": ["gbp"],
  "¥": ["jpy", "cny"],
  "₹": ["inr"],
};

/** All amounts in a text that `foldSigns` has normalized. */
export function amountsIn(text: string): Amount[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => amountOf(match) ?? []),
  );
}

/** The amount, if the value consists of nothing else. */
export function asAmount(value: string): Amount | undefined {
  for (const pattern of patterns) {
    const match = [...value.matchAll(pattern)][0];
    const rest = match
      ? value
          .replace(match[0], "")
          .replace(/^\+|[()]/g, "")
          .trim()
      : value;
    if (match && rest === "") return amountOf(match);
  }
  return undefined;
}

export function isSameAmount(one: Amount, other: Amount): boolean {
  if (one.isPercent !== other.isPercent || !areCurrenciesCompatible(one.currency, other.currency))
    return false;
  return one.readings.some((reading) => other.readings.includes(reading));
}

function amountOf([, lead = "", before, minus, number = "", after]:
  | RegExpExecArray
  | RegExpMatchArray): Amount | undefined {
  const isNegative = lead.startsWith("-") || minus === "-";
  const isBracketed = lead.startsWith("(");
  const plain = readingsOf(number.replace(/[ ']/g, ""));
  if (plain.length === 0) return undefined;
  const negative = plain.map((reading) => (reading === "0" ? "0" : `-${reading}`));
  const currency = before ?? (after === "%" ? undefined : after);
  return {
    readings: isNegative ? negative : isBracketed ? [...plain, ...negative] : plain,
    isPercent: after === "%",
    ...omitUndefined({ currency }),
  };
}

function readingsOf(number: string): string[] {
  const separators = number.replace(/\d/g, "");
  if (separators === "") return /^0\d/.test(number) ? [] : [plainDecimal(number, "")];
  const decimal = separators.at(-1) ?? "";
  const thousands = decimal === "." ? "," : ".";
  const at = number.lastIndexOf(decimal);
  const [whole, fraction] = [number.slice(0, at), number.slice(at + 1)];
  const found = [];
  if (separators.indexOf(decimal) === separators.length - 1 && isGrouped(whole, thousands))
    found.push(plainDecimal(whole.replaceAll(thousands, ""), fraction));
  if (!separators.includes(thousands) && isGrouped(number, decimal))
    found.push(plainDecimal(number.replaceAll(decimal, ""), ""));
  return found;
}

function isGrouped(whole: string, separator: string): boolean {
  const [first = "", ...rest] = whole.split(separator);
  if (rest.length === 0) return first === "0" || !first.startsWith("0");
  return /^[1-9]\d{0,2}$/.test(first) && rest.every((group) => /^\d{3}$/.test(group));
}

function plainDecimal(whole: string, fraction: string): string {
  const cut = fraction.replace(/0+$/, "");
  return `${whole.replace(/^0+(?=\d)/, "")}${cut === "" ? "" : `.${cut}`}`;
}

/** An amount without a currency may have it in its column's header. */
function areCurrenciesCompatible(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return true;
  return (symbols[one]?.includes(other) ?? false) || (symbols[other]?.includes(one) ?? false);
}
