import type { JsonObject, PageState } from "@bron/page/wire";
import type { ElementIds } from "./elements.ts";
import { clean } from "./roles.ts";
import type { Secrets } from "./secrets.ts";
import { chooseEntries, createSnapshotHistory, linesOf } from "./snapshot.ts";
import { lineOf, walk, type Walk, type WalkOptions } from "./walk.ts";

const readBytes = 8_000;
const farthestPx = 1_000_000;

/** The page as the chat sees it. */
export interface PageView {
  readonly ids: ElementIds;
  readonly secrets: Secrets;
  readonly isOwn: (element: Element) => boolean;
  /** Whether the text of an element must not be read: the chat itself, and what is private. */
  readonly leaveOut: (element: Element) => boolean;
  /** Reads the page now. */
  look(): Walk;
  /** The page state of the next request. `isKnown`: the handler has what was sent before. */
  state(seen: Walk, isKnown: boolean): PageState;
  /** A line about one element, or undefined if it cannot be seen. */
  line(element: Element): string;
  /** What surrounds an element, in words: its form, row, dialog or section. */
  surroundings(element: Element): string;
  read(options: ReadOptions): JsonObject;
  /** The next page state is sent in full. */
  forget(): void;
}

interface ReadOptions {
  readonly element: Element | undefined;
  readonly offset: number | undefined;
  readonly query: string | undefined;
}

export interface PageViewOptions {
  readonly ids: ElementIds;
  readonly secrets: Secrets;
  readonly isOwn: (element: Element) => boolean;
  readonly maxBytes: number;
}

const regions =
  "form, dialog, [role=dialog], [role=alertdialog], li, tr, article, fieldset, section, aside, main";

export function createPageView({ ids, secrets, isOwn, maxBytes }: PageViewOptions): PageView {
  const options: WalkOptions = { ids, secrets, isOwn };
  const history = createSnapshotHistory(secrets);
  const leaveOut = (element: Element) => isOwn(element) || secrets.isMarked(element);
  return {
    ids,
    secrets,
    isOwn,
    leaveOut,
    look: () => lookAround(options, maxBytes),
    state: (seen, isKnown) =>
      history.next((before) => chooseEntries(seen, { maxBytes, before }), isKnown),
    line: (element) => secrets.scrub(lineOf(element, ids.idOf(element), { secrets, leaveOut })),
    surroundings(element) {
      const region = element.closest(regions) ?? element;
      return linesOf(walk(region, options).entries);
    },
    read: (what) => secrets.scrub(read(what, options)),
    forget: () => history.forget(),
  };
}

/** Looks near the screen first, and further away as long as there is room for more. */
function lookAround(options: WalkOptions, maxBytes: number): Walk {
  let near = innerHeight;
  for (;;) {
    const seen = walk(document.body, { ...options, near });
    const length = seen.entries.reduce((sum, { text, depth }) => sum + text.length + depth, 0);
    if (seen.farBoxes === 0) return seen;
    if (length < maxBytes && near < farthestPx) {
      near *= Math.min(16, Math.max(1.5, (1.2 * maxBytes) / (length + 1)));
      continue;
    }
    seen.cuts.push(
      `Leaves out ${seen.farBoxes} boxes that are far from the screen. page_read with a query finds others.`,
    );
    return seen;
  }
}

function read({ element, offset, query }: ReadOptions, options: WalkOptions): JsonObject {
  const from = element && offset !== undefined ? { list: element, offset } : undefined;
  const { entries, cuts } = walk(element ?? document.body, from ? { ...options, from } : options);
  const wanted = clean(query ?? "").toLowerCase();
  const found =
    wanted === "" ? entries : entries.filter(({ text }) => text.toLowerCase().includes(wanted));
  const fromLists = wanted === "" ? [] : findInLists(element ?? document.body, wanted, options);
  const lines = [...linesOf(found).split("\n"), ...fromLists].filter((line) => line !== "");
  const shown: string[] = [];
  let left = readBytes;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const said = wanted === "" ? [...cuts] : [];
  if (shown.length < lines.length)
    said.push(`Leaves out ${lines.length - shown.length} of ${lines.length} lines.`);
  return { text: shown.join("\n") || "Nothing was found.", cuts: said };
}

/** Items of long lists are not in the lines of a page, so a search looks at their text. */
function findInLists(root: Element, wanted: string, options: WalkOptions): string[] {
  const lines: string[] = [];
  for (const item of root.querySelectorAll("li, tr, [role=listitem], [role=row]")) {
    if (lines.length >= 20) break;
    if (!item.textContent?.toLowerCase().includes(wanted)) continue;
    if (item.querySelector("li, tr, [role=listitem], [role=row]")) continue;
    if (options.isOwn(item) || options.secrets.isPrivate(item)) continue;
    const { entries } = walk(item, options);
    if (linesOf(entries).toLowerCase().includes(wanted)) lines.push("item:", linesOf(entries));
  }
  return lines;
}
