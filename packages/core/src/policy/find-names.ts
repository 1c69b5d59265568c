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

/** Finds `//host.example/path` and `www.host.example`, which mail programs turn into links. */
export function findBareUrls(text: string): string[] {
  const opening = /(?<![\w/:@.-])(?:\/\/|www\.)/giu;
  const rest = /[^\s<>"'`)\]}]*/uy;
  const found: string[] = [];
  let run: NameRun = { end: 0, lastDot: -1 };
  for (let opened = opening.exec(text); opened; opened = opening.exec(text)) {
    const start = opening.lastIndex;
    // Matches inside one run of name characters share its end and its last dot.
    if (start >= run.end) run = readNameRun(text, start);
    opening.lastIndex = opened.index + 1;
    if (run.lastDot <= start || !/^[\p{L}\p{N}]/iu.test(text.slice(start, start + 2))) continue;
    rest.lastIndex = run.lastDot + 1;
    const end = run.lastDot + 1 + (rest.exec(text)?.[0].length ?? 0);
    found.push(text.slice(opened.index, end));
    opening.lastIndex = end;
  }
  return found;
}

interface NameRun {
  readonly end: number;
  /** Index of the last dot that is followed by two letters, or -1. */
  readonly lastDot: number;
}

function readNameRun(text: string, start: number): NameRun {
  const nameCharacters = /[\p{L}\p{N}.-]*/iuy;
  nameCharacters.lastIndex = start;
  const run = nameCharacters.exec(text)?.[0] ?? "";
  let lastDot = -1;
  for (const { index } of run.matchAll(/\.(?=\p{L}{2})/giu)) lastDot = start + index;
  return { end: start + run.length, lastDot };
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

/** Finds `host.example` without a scheme: labels between dots, the last one made of letters. */
export function findNamedHosts(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}.-]+/gu)].flatMap(({ index, 0: run }) =>
    run.includes(".") ? hostsInRun(text, index, run) : [],
  );
}

interface Label {
  readonly start: number;
  readonly end: number;
  /** End of the longest name that continues with this label, or -1. */
  readonly nameEnd: number;
}

function hostsInRun(text: string, runStart: number, run: string): string[] {
  const found: string[] = [];
  const labels = readLabels(text, runStart, run);
  let from = runStart;
  for (const [index, { start, end }] of labels.entries()) {
    const nameEnd = labels[index + 1]?.nameEnd ?? -1;
    if (
      nameEnd === -1 ||
      end <= from ||
      !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(start, end - 2), end))
    )
      continue;
    const opened = firstOfName(text, Math.max(start, from), end);
    if (opened === -1) continue;
    found.push(text.slice(opened, nameEnd));
    from = nameEnd;
  }
  return found;
}

/**
 * First position between the two where a name can start, or -1. The character before `start` counts
 * too.
 */
function firstOfName(text: string, start: number, end: number): number {
  const first = /(?<![\w@.-])[\p{L}\p{N}]/gu;
  const before = Math.max(0, start - 1);
  first.lastIndex = start - before;
  const opened = first.exec(text.slice(before, end));
  return opened ? before + opened.index : -1;
}

/** Works backwards, because where a name ends depends on the labels after it. */
function readLabels(text: string, runStart: number, run: string): Label[] {
  const labels: Label[] = [];
  let [end, nameEnd] = [runStart + run.length, -1];
  for (const label of run.split(".").toReversed()) {
    const start = end - label.length;
    const isCompleteLabel =
      end < runStart + run.length &&
      /^[\p{L}\p{N}]/u.test(label) &&
      /[\p{L}\p{N}]$/u.test(label.slice(-2));
    const continuedEnd = isCompleteLabel ? nameEnd : -1;
    nameEnd = continuedEnd === -1 ? endOfLastLabel(text, start) : continuedEnd;
    labels.push({ start, end, nameEnd });
    end = start - 1;
  }
  return labels.toReversed();
}

function endOfLastLabel(text: string, start: number): number {
  const letters = /\p{L}{2,63}(?![\w@-])/uy;
  letters.lastIndex = start;
  return letters.test(text) ? letters.lastIndex : -1;
}
