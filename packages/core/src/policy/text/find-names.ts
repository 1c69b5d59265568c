/**
 * Finds addresses and hosts in untrusted text. Every function runs in linear time, whatever the
 * text contains: a pattern is tried only where it can start, and no stretch of text is scanned
 * again for each position before it.
 */

const maxLocalCharacters = 64;
/** Lookup table for ASCII characters. A pattern would take ten times as long. */
const isInLocalPart: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]/.test(String.fromCharCode(code)),
);

/** Finds every `name@host.example`, without overlaps. */
export function findAddresses(text: string): string[] {
  const host = /@[\p{L}\p{N}.-]{1,253}\.[\p{L}\p{N}-]{2,63}/uy;
  const found: string[] = [];
  let from = 0;
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", Math.max(at + 1, from))) {
    const start = startOfLocalPart(text, at, from);
    host.lastIndex = at;
    if (start === at || !host.test(text)) continue;
    from = host.lastIndex;
    found.push(text.slice(start, from));
  }
  return found;
}

/** Whether an @ has the name of a mailbox before it, which is not the host of another one. */
export function hasMailbox(text: string, at: number): boolean {
  const start = startOfLocalPart(text, at, 0);
  return start < at && text[start - 1] !== "@";
}

function startOfLocalPart(text: string, at: number, from: number): number {
  let start = at;
  for (let count = 0; count < maxLocalCharacters && start > from; count++) {
    const isAllowed = isInLocalPart[text.charCodeAt(start - 1)];
    const character = isAllowed === undefined ? characterBefore(text, start) : "";
    if (isAllowed === false || (isAllowed === undefined && !/[\p{L}\p{N}]/u.test(character))) break;
    start -= character.length || 1;
  }
  return start;
}

function characterBefore(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end);
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.slice(end - 1, end);
}

/** Finds the first host or IPv6 address in the authority of a link. */
export function findHost(authority: string): string | undefined {
  const name = findDottedName(authority);
  const address = findColonAddress(authority);
  if (!name || !address) return (name ?? address)?.text;
  return name.start <= address.start ? name.text : address.text;
}

interface Found {
  readonly start: number;
  readonly text: string;
}

function findDottedName(text: string): Found | undefined {
  for (const { index, 0: name } of text.matchAll(/[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/giu))
    if (name.includes(".")) return { start: index, text: name };
  return undefined;
}

function findColonAddress(text: string): Found | undefined {
  const colon = text.search(/:(?=[0-9a-f:.])/i);
  if (colon === -1) return undefined;
  let start = colon;
  while (start > 0 && /[0-9a-f]/i.test(text.slice(start - 1, start))) start--;
  const rest = /[0-9a-f:.]+/iy;
  rest.lastIndex = colon;
  return { start, text: `${text.slice(start, colon)}${rest.exec(text)?.[0] ?? ""}` };
}
