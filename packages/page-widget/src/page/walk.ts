import type { ElementIds } from "./elements.ts";
import { itemsToShow, listItems } from "./lists.ts";
import { clean, isInline, isInteractive, nameOf, roleOf, textOf } from "./roles.ts";
import { documentOf, type Secrets } from "./secrets.ts";
import { stateOf } from "./states.ts";
import {
  isClipped,
  isRendered,
  measureScreen,
  placeOf,
  type Place,
  type Screen,
} from "./visible.ts";

/** One line of what the model is shown. */
export interface Entry {
  /** Stays the same while the line is about the same thing. */
  readonly key: string;
  readonly depth: number;
  readonly text: string;
  readonly element: Element;
  readonly place: Place;
  /** The line of the group that contains it. */
  readonly group: Entry | undefined;
}

export interface Walk {
  readonly entries: Entry[];
  /** What was left out, in words. */
  readonly cuts: string[];
  /** How many boxes were left out because they are far away. */
  farBoxes: number;
  /** Elements that people act on, in the order of the page. */
  readonly interactive: Element[];
}

export interface WalkOptions {
  readonly ids: ElementIds;
  readonly secrets: Secrets;
  /** The chat itself, which is no part of the page. */
  readonly isOwn: (element: Element) => boolean;
  /** Leaves out boxes that are more pixels away from the screen. Undefined for none. */
  readonly near?: number;
  /** For one list: the first item to show. The others show the start of every list. */
  readonly from?: { readonly list: Element; readonly offset: number };
}

const skipped = /^(?:script|style|template|noscript|head|link|meta|br|hr|source|track|base|title)$/;
const opaque = /^(?:canvas|video|audio|object|embed)$/;
const landmarks =
  /^(?:navigation|main|header|footer|aside|form|search|dialog|alertdialog|group|article|region|list|listbox|table|grid|tree|feed|menu|menubar|tablist|radiogroup|toolbar|tabpanel|alert|status|banner|contentinfo|complementary)$/;
const maxText = 400;
const maxEntries = 6_000;
/** After so many boxes that are far away, in a box of so many, the others are not measured. */
const farInARow = 12;
const manyChildren = 40;

interface At {
  readonly depth: number;
  readonly group: Entry | undefined;
  readonly screen: Screen;
}

/** Reads what a person sees, from the top. Takes a few milliseconds for thousands of elements. */
export function walk(root: Element, options: WalkOptions): Walk {
  const found: Walk = { entries: [], cuts: [], interactive: [], farBoxes: 0 };
  const walker = new Walker(found, options);
  walker.visit(root, { depth: 0, group: undefined, screen: measureScreen(root.ownerDocument) });
  walker.flush();
  return found;
}

/** Visits a tree once. Text is collected until the next line begins. */
class Walker {
  readonly #found: Walk;
  readonly #options: WalkOptions;
  #words = "";
  #holder: Element | undefined;
  #wordsAt: At | undefined;

  constructor(found: Walk, options: WalkOptions) {
    this.#found = found;
    this.#options = options;
  }

  visit(element: Element, at: At): void {
    const box = this.#skips(element) ? undefined : element.getBoundingClientRect();
    if (!box || isClipped(element, box)) return;
    if (isInteractive(element)) {
      if (this.#addControl(element, at)) return;
    } else if (isInline(element) && !element.shadowRoot) return this.#visitInline(element, at);
    this.flush();
    if (this.#isFar(element, box, at)) {
      this.#found.farBoxes += 1;
      return;
    }
    if (this.#addSpecial(element, at)) return;
    const role = roleOf(element);
    if (role === "heading") return this.#addHeading(element, at);
    const items = listItems(element, role);
    if (items) return this.#visitList(element, items, at);
    if (!landmarks.test(role)) {
      this.#children(element, at);
      return this.flush();
    }
    const id = this.#options.ids.idOf(element);
    const text = `[${id}] ${role} ${quote(nameOf(element, this.#leaveOut))}`.trim();
    const entry = this.#add(element, text, at, id);
    this.#children(element, { ...at, depth: at.depth + 1, group: entry ?? at.group });
    this.flush();
  }

  /** Ends the line of the text so far. */
  flush(): void {
    const text = clean(this.#words);
    const holder = this.#holder;
    this.#words = "";
    this.#holder = undefined;
    if (!holder || !this.#wordsAt || text === "") return;
    const key = `t${this.#options.ids.idOf(holder)}:${text.slice(0, 12)}`;
    this.#add(holder, text.slice(0, maxText), this.#wordsAt, key);
  }

  readonly #leaveOut = (element: Element): boolean =>
    this.#options.isOwn(element) || this.#options.secrets.isMarked(element);

  #skips(element: Element): boolean {
    return skipped.test(element.localName) || this.#leaveOut(element) || !isRendered(element);
  }

  #add(element: Element, text: string, at: At, key: string): Entry | undefined {
    const { entries } = this.#found;
    const place = placeOf(element.getBoundingClientRect(), at.screen);
    if (!place || entries.length >= maxEntries) return undefined;
    const entry = { key, depth: at.depth, text, element, place, group: at.group };
    entries.push(entry);
    return entry;
  }

  #say(text: string, element: Element, at: At): void {
    if (text.trim() !== "" && !this.#holder) [this.#holder, this.#wordsAt] = [element, at];
    this.#words += text;
  }

  #children(element: Element, at: At): void {
    const nodes =
      element.localName === "slot"
        ? (element as HTMLSlotElement).assignedNodes({ flatten: true })
        : (element.shadowRoot ?? element).childNodes;
    const { farBoxes: before } = this.#found;
    let far = 0;
    for (const node of nodes) {
      if (node.nodeType === 3) this.#say(node.nodeValue ?? "", element, at);
      if (node.nodeType !== 1) continue;
      const { farBoxes } = this.#found;
      this.visit(node as Element, at);
      far = this.#found.farBoxes > farBoxes ? far + 1 : 0;
      if (far < farInARow || element.childElementCount < manyChildren || element === document.body)
        continue;
      // Boxes follow each other, so the rest is far away as well.
      this.#found.farBoxes = before + element.childElementCount;
      break;
    }
  }

  #isFar(element: Element, box: DOMRect, { screen }: At): boolean {
    const { near } = this.#options;
    if (near === undefined || element.childElementCount === 0 || element === document.body)
      return false;
    const { top, bottom, width, height } = box;
    const isBox = width > 0 && height > 0;
    return isBox && (top + screen.top > innerHeight + near || bottom + screen.top < -near);
  }

  /** Returns whether there is nothing more to see inside. */
  #addControl(element: Element, at: At): boolean {
    this.flush();
    const { ids, secrets } = this.#options;
    this.#found.interactive.push(element);
    const id = ids.idOf(element);
    this.#add(element, lineOf(element, id, { secrets, leaveOut: this.#leaveOut }), at, id);
    return element.localName === "summary" || !hasInner(element);
  }

  #visitInline(element: Element, at: At): void {
    // The label of a field is the name of the field.
    if (element.localName !== "label" || !(element as HTMLLabelElement).control)
      return this.#children(element, at);
    for (const child of element.children) this.visit(child, at);
  }

  /** Frames, images, and what cannot be read. Returns whether the element is one of these. */
  #addSpecial(element: Element, at: At): boolean {
    const { localName: tag } = element;
    const id = this.#options.ids.idOf(element);
    if (tag === "iframe" || tag === "frame") this.#visitFrame(element, at);
    else if (opaque.test(tag)) this.#add(element, `${tag} that cannot be read`, at, id);
    else if (tag === "img" || tag === "svg" || element.getAttribute("role") === "img") {
      const isDrawing = tag === "svg";
      const name = isDrawing
        ? clean(element.getAttribute("aria-label") ?? "")
        : nameOf(element, this.#leaveOut);
      if (name !== "") this.#add(element, `image ${quote(name)}`, at, `i${id}`);
    } else return false;
    return true;
  }

  #visitFrame(frame: Element, at: At): void {
    const body = documentOf(frame)?.body;
    const name = quote(nameOf(frame, this.#leaveOut));
    const text = `frame ${name}${body ? "" : "of another site, which cannot be read"}`;
    const entry = this.#add(frame, text, at, this.#options.ids.idOf(frame));
    if (!body || !entry) return;
    this.visit(body, {
      depth: at.depth + 1,
      group: entry,
      screen: measureScreen(body.ownerDocument, frame.getBoundingClientRect()),
    });
    this.flush();
  }

  #visitList(list: Element, items: readonly Element[], at: At): void {
    const { ids, from } = this.#options;
    const offset = from?.list === list ? from.offset : undefined;
    const shown = itemsToShow(items, offset, at.screen.top);
    const name = quote(nameOf(list, this.#leaveOut));
    const kind = roleOf(list) || "list";
    const id = ids.idOf(list);
    const entry = this.#add(list, `[${id}] ${kind} ${name}(${items.length} items)`, at, id);
    if (shown.size < items.length && entry)
      this.#found.cuts.push(
        `Shows ${shown.size} of ${items.length} items of ${`${kind} ${name}`.trim()}. page_read with element ${id} and an offset reads others.`,
      );
    const inside = { ...at, depth: at.depth + 1, group: entry ?? at.group };
    for (const [index, item] of items.entries())
      if (shown.has(index)) this.#visitItem(item, inside);
  }

  #visitItem(item: Element, at: At): void {
    if (this.#skips(item) || isInteractive(item)) return this.visit(item, at);
    this.flush();
    if (item.localName === "tr" && !item.querySelector("a, button, input, select, textarea"))
      return this.#say(cellsOf(item, this.#leaveOut), item, at);
    const { entries } = this.#found;
    const before = entries.length;
    this.#children(item, { ...at, depth: at.depth + 1 });
    this.flush();
    const first = entries[before];
    if (first && entries.length - before > 1) entries[before] = { ...first, depth: at.depth };
  }

  #addHeading(element: Element, at: At): void {
    const level = element.getAttribute("aria-level") ?? element.localName.slice(1);
    const name = nameOf(element, this.#leaveOut) || clean(textOf(element, this.#leaveOut));
    const text = `heading ${level} ${quote(name.slice(0, maxText))}`;
    if (name !== "") this.#add(element, text, at, `h${this.#options.ids.idOf(element)}`);
    // A heading may be a link or hold a button.
    for (const inner of element.querySelectorAll("a[href], button, [role=button]"))
      this.visit(inner, at);
  }
}

/** A box that looks like a button and contains other buttons. */
function hasInner(element: Element): boolean {
  return (
    !/^(?:a|button|input|select|textarea)$/.test(element.localName) &&
    element.querySelector("a[href], button, input, select, textarea") !== null
  );
}

function cellsOf(row: Element, leaveOut: (element: Element) => boolean): string {
  return Array.from(row.children, (cell) => clean(textOf(cell, leaveOut)))
    .filter((text) => text !== "")
    .join(" | ");
}

function quote(text: string): string {
  return text === "" ? "" : `"${text.replaceAll('"', "'")}" `;
}

/** One line about something that people act on: `[e7] checkbox "Gift wrap", checked`. */
export function lineOf(
  element: Element,
  id: string,
  {
    secrets,
    leaveOut,
  }: { readonly secrets: Secrets; readonly leaveOut: (element: Element) => boolean },
): string {
  const role = roleOf(element) || "clickable";
  const name = quote(nameOf(element, leaveOut)).trim();
  const state = secrets.isSecretField(element) ? "private" : stateOf(element);
  return `[${id}] ${role}${name ? ` ${name}` : ""}${state ? `, ${state}` : ""}`;
}
