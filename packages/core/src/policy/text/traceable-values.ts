import { addressesIn, withoutUnseen } from "./names.ts";
import { normalizeText } from "./normalize-text.ts";

/**
 * Values in a text by which money or an answer can be led to someone: email addresses, links that
 * call or write to a number, bank accounts, cards and wallets, each in one form. `readings` are those
 * of the text.
 */
export function traceableValues(text: string, readings: readonly string[]): string[] {
  const values = new Set<string>();
  for (const reading of readings.map(withAsciiDigits)) {
    for (const address of addressesIn(reading)) values.add(address);
    for (const iban of ibansIn(reading)) values.add(iban);
    for (const card of cardsIn(reading)) values.add(card);
    for (const [link] of reading.matchAll(
      /(?:tel|sms|smsto|mms|facetime|facetime-audio|callto|skype):[+\d().*#-]{3,40}/g,
    ))
      values.add(link.replaceAll(/[().-]/g, ""));
    for (const [link] of reading.matchAll(/(?:callto|skype):[a-z][\w.,:-]{2,80}/g))
      values.add(link.replace(/[.,:]+$/, ""));
    for (const [wallet] of reading.matchAll(walletOfOneCase)) values.add(wallet);
  }
  for (const wallet of walletsIn(text)) values.add(wallet);
  return [...values];
}

/** Ethereum and what has its form, Bech32 (Bitcoin, Cardano, Cosmos), Lightning, Bitcoin Cash and Nano. */
const walletOfOneCase =
  /0x(?:[a-f0-9]{40}|[a-f0-9]{64})(?![a-f0-9])|(?<![a-z0-9])[a-z]{1,20}1[02-9ac-hj-np-z]{38,400}|(?:bc1|tb1|ltc1|addr1|lnbc)[a-z0-9]{25,400}|(?<![a-z0-9])[qp][02-9ac-hj-np-z]{41}(?![a-z0-9])|(?:nano|xrb)_[13][13-9a-km-uw-z]{59}/g;

/**
 * Wallets of Bitcoin, Litecoin, Dogecoin, Tron, Ripple, Monero, Stellar, and those in Base58 such as
 * Solana, Tezos and Polkadot. Their letter case is part of them.
 */
const caseSensitiveWallet =
  /(?<![\dA-Za-z])(?:[13LMD][1-9A-HJ-NP-Za-km-z]{25,34}|T[1-9A-HJ-NP-Za-km-z]{33}|r[1-9A-HJ-NP-Za-km-z]{24,34}|[48][1-9A-HJ-NP-Za-km-z]{94}|[1-9A-HJ-NP-Za-km-z]{32,48}|G[A-Z2-7]{55})(?![\dA-Za-z])/g;

const stellarCharacters = 56;

function walletsIn(text: string): string[] {
  // Without a long run of letters and numbers there is none.
  if (!/[\dA-Za-z\uff10-\uff5a]{10}|[^\0-\x7f]/.test(text)) return [];
  const visible = /[^\0-\x7f]/.test(text) ? normalizeText(withoutUnseen(text), "NFKC") : text;
  return Array.from(visible.matchAll(caseSensitiveWallet), ([wallet]) => wallet).filter(
    (wallet) =>
      /[A-Z]/.test(wallet) &&
      /\d/.test(wallet) &&
      (/[a-z]/.test(wallet) || wallet.length === stellarCharacters),
  );
}

/** The lengths of international bank account numbers, by country. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    "NO15 BE16 DK18 FI18 FO18 GL18 NL18 FK18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 MN20 " +
    "CH21 HR21 LI21 LV21 BG22 BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 " +
    "AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 BI27 DJ27 FR27 GR27 IT27 MC27 MR27 SM27 " +
    "AL28 AZ28 BY28 CY28 DO28 GT28 HU28 LB28 NI28 PL28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC31 LC32 RU33"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const maxIbanCharacters = 300;
const ibanStart = /[a-z][^a-z\d]{0,3}[a-z][^a-z\d]{0,8}\d[^a-z\d]{0,8}\d/g;
/** Words such as "at 20 euros" start like an account number, which has more digits. */
const minIbanDigits = 10;

/** Account numbers with valid check digits, however they are grouped and whatever touches them. */
function ibansIn(text: string): string[] {
  return Array.from(text.matchAll(ibanStart)).flatMap(({ index }) => {
    const written = text.slice(index, index + maxIbanCharacters).toUpperCase();
    const [run = ""] = /^(?:[A-Z0-9][^A-Z0-9]{0,8})+/.exec(written) ?? [];
    const iban = run.replaceAll(/[^A-Z0-9]/g, "");
    const length = ibanLengths[iban.slice(0, 2)] ?? 0;
    const own = iban.slice(0, length);
    const digits = own.replaceAll(/\D/g, "").length;
    return length > 0 && own.length === length && digits >= minIbanDigits && hasCheckDigits(own)
      ? [own]
      : [];
  });
}

/** Digits of every script as ASCII ones. Their code points follow each other, from 0 to 9. */
function withAsciiDigits(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text.replaceAll(/(?!\d)\p{Nd}/gu, valueOfDigit) : text;
}

function isDigit(sign: string): boolean {
  return /^\p{Nd}$/u.test(sign);
}

function valueOfDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

function hasCheckDigits(iban: string): boolean {
  const digits = Array.from(`${iban.slice(4)}${iban.slice(0, 4)}`, (character) =>
    Number.parseInt(character, 36).toString(),
  ).join("");
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

const minCardDigits = 13;
const maxCardDigits = 19;
/** The first digits of cards, and how many they have. Any other number ends as well by chance. */
const cardForms =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0|[689])\d{12}|35\d{14}|6\d{15,18}|5[06-9]\d{10,17})$/;

/**
 * Card numbers with a valid last digit. Other numbers, such as a date, may stand around one. Digests
 * and wallets have digits in a row by chance.
 */
function cardsIn(text: string): string[] {
  const runs = text
    .replaceAll(/[a-f0-9]{32,}/g, (run) => (/[a-f]/.test(run) ? " " : run))
    .matchAll(/\d(?:[^\p{L}\d\n]{0,5}\d){12,}/gu);
  return Array.from(runs).flatMap(([run]) => cardsInGroups(run.split(/\D+/)));
}

/** A card begins and ends with a group of digits. */
function cardsInGroups(groups: readonly string[]): string[] {
  return groups.flatMap((_, first) => {
    const found: string[] = [];
    let digits = "";
    for (let at = first; at < groups.length && digits.length < maxCardDigits; at++) {
      digits += groups[at] ?? "";
      const isLongEnough = digits.length >= minCardDigits;
      if (isLongEnough && cardForms.test(digits) && isLuhn(digits)) found.push(digits);
    }
    return found;
  });
}

function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
