import { foreignLetters } from "./foreign-letters.ts";
import { domainOf } from "./names.ts";
import { normalizeText } from "./normalize-text.ts";

/** Other characters that look like a letter. */
const confusables: Readonly<Record<string, string>> = {
  ...foreignLetters,
  ı: "i",
  ł: "l",
  ø: "o",
  đ: "d",
  ß: "b",
  "0": "o",
  "1": "l",
  "3": "e",
  "5": "s",
  i: "l",
  "|": "l",
};

/** Reduces a name to what it looks like. */
function skeleton(name: string): string {
  const plain = normalizeText(name, "NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return Array.from(plain)
    .map((letter) => confusables[letter] ?? letter)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[-.]/g, "");
}

/**
 * Returns the known domain that this one could be mistaken for. Undefined if the domain is known
 * itself or resembles none.
 */
export function lookAlike(address: string, known: Iterable<string>): string | undefined {
  const domain = toUnicode(domainOf(address));
  const domains = [...new Set(known)].map(toUnicode);
  if (domains.includes(domain)) return undefined;
  const domainSkeleton = skeleton(domain);
  return domains.find((knownDomain) => {
    const knownSkeleton = skeleton(knownDomain);
    return (
      domainSkeleton === knownSkeleton ||
      (knownSkeleton.length >= 6 &&
        (isOneAway(domainSkeleton, knownSkeleton) || startsAs(domain, knownDomain)))
    );
  });
}

/**
 * Matches domains that start like a known one, such as `lindqvist.example.evil.com` and
 * `lindqvist-example.com`.
 */
function startsAs(domain: string, known: string): boolean {
  return domain.startsWith(`${known}.`) || domain.startsWith(`${known.replaceAll(".", "-")}`);
}

function isOneAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}

/** The limit of the domain name system. Decoding takes quadratic time in a label's length. */
const maxLabelCharacters = 63;

/** The host without punycode. */
export function toUnicode(domain: string): string {
  return domain
    .split(".")
    .map((label) =>
      label.startsWith("xn--") && label.length <= maxLabelCharacters
        ? decodePunycode(label.slice(4))
        : label,
    )
    .join(".");
}

/** Decodes punycode (RFC 3492). Returns invalid input unchanged. */
function decodePunycode(input: string): string {
  const base = 36;
  const output = Array.from(input.slice(0, Math.max(0, input.lastIndexOf("-"))));
  let [n, i, bias] = [128, 0, 72];
  for (let at = input.lastIndexOf("-") + 1; at < input.length;) {
    const before = i;
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(input.charCodeAt(at++));
      if (digit === undefined) return `xn--${input}`;
      i += digit * weight;
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10ffff) return `xn--${input}`;
    output.splice(i++, 0, String.fromCodePoint(n));
  }
  return output.join("");
}

function digitOf(code: number): number | undefined {
  if (code >= 48 && code <= 57) return code - 22;
  if (code >= 97 && code <= 122) return code - 97;
  return undefined;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
