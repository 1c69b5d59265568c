import type { PageState } from "@bron/page/wire";
import { publicUrl, type Secrets } from "./secrets.ts";
import { createReadability } from "./visible.ts";
import type { Entry, Walk } from "./walk.ts";

const encoder = new TextEncoder();
const fullShare = 0.7;
const diffsInARow = 10;
const maxCuts = 30;
const maxUrl = 1_000;

export interface SnapshotOptions {
  readonly maxBytes: number;
  /** Lines that were sent before, by their keys. */
  readonly before: ReadonlyMap<string, string>;
}

export interface Chosen {
  readonly entries: readonly Entry[];
  readonly cuts: readonly string[];
}

/** Chooses lines within the budget: changes and focus first, then what is on the screen or near. */
export function chooseEntries({ entries, cuts }: Walk, options: SnapshotOptions): Chosen {
  const active = deepActive();
  const modal = entries.find(({ element }) => isModal(element))?.element;
  const isReadable = createReadability();
  const rankOf = (entry: Entry) => {
    if (entry.element === active) return -3;
    if (modal) return modal.contains(entry.element) ? -2 : 1 + entry.place.distance;
    const isChanged = options.before.size > 0 && options.before.get(entry.key) !== entry.text;
    if (isChanged && entry.place.distance < innerHeight) return -1;
    return entry.place.isInView ? 0 : 1 + entry.place.distance;
  };
  const ranked = entries
    .map((entry, index) => ({ entry, index, rank: rankOf(entry) }))
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index);
  const chosen = new Set<Entry>();
  let left = options.maxBytes;
  let omitted = 0;
  const take = (entry: Entry): void => {
    if (chosen.has(entry)) return;
    if (entry.group) take(entry.group);
    chosen.add(entry);
    left -= costOf(entry);
  };
  for (const { entry } of ranked) {
    // Bytes are counted only for what may be shown.
    if (left <= 0 || left < costOf(entry)) omitted += 1;
    // The style of text is looked at last, because that takes the longest.
    else if (chosen.has(entry) || !/^[th]/.test(entry.key) || isReadable(entry.element))
      take(entry);
  }
  const said = [...cuts];
  if (omitted > 0)
    said.push(
      `Leaves out ${omitted} lines that are further from the screen. page_read with a query finds others.`,
    );
  return { entries: entries.filter((entry) => chosen.has(entry)), cuts: said };
}

function costOf({ text, depth }: Entry): number {
  const isPlain = /^[ -~]*$/.test(text);
  return (isPlain ? text.length : encoder.encode(text).length) + depth + 1;
}

function isModal(element: Element): boolean {
  return element.localName === "dialog" && element.matches(":modal");
}

function deepActive(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

/** Remembers what the model was shown, so that later requests send only what changed. */
export interface SnapshotHistory {
  next(choose: (before: ReadonlyMap<string, string>) => Chosen, isKnown: boolean): PageState;
  /** The next one is full: the model may not have got the last one. */
  forget(): void;
}

export function createSnapshotHistory(secrets: Pick<Secrets, "scrub">): SnapshotHistory {
  let before: ReadonlyMap<string, string> = new Map();
  let beforeUrl = "";
  let diffs = 0;
  return {
    next(choose, isKnown) {
      const { entries, cuts } = choose(before);
      const url = publicUrl(location.href).slice(0, maxUrl);
      const after = new Map(entries.map(({ key, text }) => [key, text]));
      const full = linesOf(entries);
      const diff = diffLines(entries, before, after);
      const isDiff =
        isKnown &&
        before.size > 0 &&
        beforeUrl === url &&
        diffs < diffsInARow &&
        diff.length < full.length * fullShare;
      [before, beforeUrl, diffs] = [after, url, isDiff ? diffs + 1 : 0];
      const state: PageState = {
        url,
        title: document.title.slice(0, 200),
        kind: isDiff ? "diff" : "full",
        content: isDiff ? diff || "Nothing changed." : full,
        cuts: cuts.slice(0, maxCuts),
      };
      return secrets.scrub(state);
    },
    forget() {
      before = new Map();
    },
  };
}

export function linesOf(entries: readonly Entry[]): string {
  return entries.map(({ depth, text }) => `${" ".repeat(depth)}${text.trimEnd()}`).join("\n");
}

/** Lines that are new or different, below the line of their group, and lines that are gone. */
export function diffLines(
  entries: readonly Entry[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  const lines: string[] = [];
  let group: Entry | undefined;
  for (const entry of entries) {
    const old = before.get(entry.key);
    if (old === entry.text) continue;
    if (entry.group !== group) {
      group = entry.group;
      if (group) lines.push(`in ${group.text.trimEnd()}:`);
    }
    lines.push(`${old === undefined ? "+" : "~"} ${entry.text.trimEnd()}`);
  }
  const gone = [...before]
    .filter(([key]) => !after.has(key))
    .map(([, text]) => `- ${text.trimEnd()}`);
  const shown = gone.slice(0, 30);
  if (gone.length > shown.length) shown.push(`- ${gone.length - shown.length} more lines`);
  return [...lines, ...shown].join("\n");
}
