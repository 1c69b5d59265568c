import { attribute, isElement, type HtmlElement } from "./parse-html.ts";

interface Compound {
  /** Undefined matches any tag. */
  readonly tag: string | undefined;
  /** Classes and id, as .class and #id. */
  readonly marks: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly value: string | undefined }[];
}

export interface Selector {
  /** Key that an element must have to be considered: #id, .class, its tag, or * for all. */
  readonly key: string;
  /** From the outermost to the innermost, each with its relation to the previous one. */
  readonly steps: readonly { readonly compound: Compound; readonly isChild: boolean }[];
  /** Specificity, which decides between two rules. */
  readonly weight: number;
}

const part = /\*|[a-z][\w-]*|[.#][\w-]+|\[[\w-]+(?:=(?:"[^"]*"|'[^']*'|[\w-]+))?\]/y;

/**
 * Supports tags, classes, ids, plain attributes, and descendant and child combinators. Undefined
 * for everything else.
 */
export function parseSelector(written: string): Selector | undefined {
  const words = written
    .trim()
    .toLowerCase()
    .replace(/\s*>\s*/g, " > ")
    .split(/\s+/);
  const steps: { compound: Compound; isChild: boolean }[] = [];
  for (const [index, word] of words.entries()) {
    if (word === ">") continue;
    const compound = parseCompound(word);
    if (!compound) return undefined;
    steps.push({ compound, isChild: words[index - 1] === ">" });
  }
  const last = steps.at(-1)?.compound;
  if (!last || words.at(-1) === ">" || words[0] === ">") return undefined;
  const weight = steps.reduce(
    (sum, { compound: { tag, marks, attributes } }) =>
      sum +
      (tag === undefined ? 0 : 1) +
      1_000 * attributes.length +
      marks.reduce((all, mark) => all + (mark.startsWith("#") ? 1_000_000 : 1_000), 0),
    0,
  );
  return { key: last.marks[0] ?? last.tag ?? "*", steps, weight };
}

function parseCompound(word: string): Compound | undefined {
  let tag: string | undefined;
  const marks: string[] = [];
  const attributes: { name: string; value: string | undefined }[] = [];
  for (part.lastIndex = 0; part.lastIndex < word.length;) {
    const isFirst = part.lastIndex === 0;
    const [found] = part.exec(word) ?? [];
    if (found === undefined) return undefined;
    if (found.startsWith(".") || found.startsWith("#")) marks.push(found);
    else if (found.startsWith("[")) {
      const [name = "", value] = found.slice(1, -1).split("=", 2);
      attributes.push({ name, value: value?.replace(/^["']|["']$/g, "") });
    } else if (!isFirst) return undefined;
    else if (found !== "*") tag = found;
  }
  return word === "" ? undefined : { tag, marks, attributes };
}

export interface SelectorMatcher {
  matches(element: HtmlElement, selector: Selector): boolean;
  /** Classes and id of an element, as .class and #id. */
  marksOf(element: HtmlElement): ReadonlySet<string>;
  /** Whether it gave up on a page that was built to keep it busy. */
  isExhausted(): boolean;
}

const maxSteps = 5_000_000;

export function createMatcher(): SelectorMatcher {
  const marksByElement = new WeakMap<HtmlElement, ReadonlySet<string>>();
  let stepsLeft = maxSteps;

  const marksOf = (element: HtmlElement): ReadonlySet<string> => {
    const found = marksByElement.get(element);
    if (found) return found;
    const id = attribute(element, "id")?.toLowerCase();
    const classes = (attribute(element, "class") ?? "")
      .toLowerCase()
      .split(/\s+/, 50)
      .filter(Boolean)
      .map((name) => `.${name}`);
    const marks = new Set(id === undefined ? classes : [...classes, `#${id}`]);
    marksByElement.set(element, marks);
    return marks;
  };
  const matchesCompound = (element: HtmlElement, { tag, marks, attributes }: Compound) => {
    if (tag !== undefined && element.tagName !== tag) return false;
    if (!marks.every((mark) => marksOf(element).has(mark))) return false;
    return attributes.every(({ name, value }) =>
      value === undefined
        ? attribute(element, name) !== undefined
        : attribute(element, name)?.toLowerCase() === value,
    );
  };
  const matchesUpTo = (element: HtmlElement, steps: Selector["steps"], last: number): boolean => {
    const step = steps[last];
    stepsLeft -= 1;
    if (!step || stepsLeft < 0 || !matchesCompound(element, step.compound)) return false;
    if (last === 0) return true;
    for (let above = parentOf(element); above; above = parentOf(above)) {
      if (matchesUpTo(above, steps, last - 1)) return true;
      if (step.isChild || stepsLeft < 0) return false;
    }
    return false;
  };
  return {
    matches: (element, { steps }) => matchesUpTo(element, steps, steps.length - 1),
    marksOf,
    isExhausted: () => stepsLeft < 0,
  };
}

function parentOf({ parentNode }: HtmlElement): HtmlElement | undefined {
  return parentNode && isElement(parentNode) ? parentNode : undefined;
}
