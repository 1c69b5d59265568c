/** What a style says, by property, in lower case. Only the last word on each property counts. */
export type Declarations = ReadonlyMap<string, string>;

const maxStyleCharacters = 10_000;
const maxSheetCharacters = 256_000;
const maxRules = 2_000;

export interface Rule {
  /** A tag, .class, #id or tag.class: all that is understood. */
  readonly selector: string;
  readonly declarations: Declarations;
  /** Only what is marked as important; it outranks the element's own style. */
  readonly important: Declarations;
}

export interface Sheet {
  readonly rules: readonly Rule[];
  /** Whether backgrounds are set by selectors that are not understood. */
  readonly hasUnknownBackgrounds: boolean;
}

export function parseDeclarations(style: string): { readonly all: Declarations; readonly important: Declarations } {
  const all = new Map<string, string>();
  const important = new Map<string, string>();
  for (const declaration of style.slice(0, maxStyleCharacters).toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    if (colon === -1) continue;
    const [property, value] = [declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim()];
    const plain = value.replace(/\s*!\s*important$/, "");
    all.set(property, plain);
    if (plain !== value) important.set(property, plain);
  }
  return { all, important };
}

/** The plain rules of a sheet. Those that depend on the screen (@media and the like) are left out: they do not hold everywhere. */
export function parseSheet(css: string): Sheet {
  const rules: Rule[] = [];
  let hasUnknownBackgrounds = false;
  for (const { head, body } of topLevelBlocks(css.slice(0, maxSheetCharacters).replace(/\/\*[^]*?\*\//g, ""))) {
    if (head.startsWith("@") || rules.length >= maxRules) {
      hasUnknownBackgrounds ||= /background/i.test(body);
      continue;
    }
    const { all, important } = parseDeclarations(body);
    for (const selector of head.split(",").map((one) => one.trim().toLowerCase())) {
      if (/^(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?$/.test(selector) && selector !== "") rules.push({ selector, declarations: all, important });
      else hasUnknownBackgrounds ||= all.has("background") || all.has("background-color");
    }
  }
  return { rules, hasUnknownBackgrounds };
}

function* topLevelBlocks(css: string): Generator<{ readonly head: string; readonly body: string }> {
  let depth = 0;
  let headAt = 0;
  let bodyAt = 0;
  for (let at = 0; at < css.length; at++) {
    const sign = css[at];
    if (sign === ";" && depth === 0) headAt = at + 1;
    if (sign === "{" && depth++ === 0) bodyAt = at + 1;
    if (sign === "}" && depth > 0 && --depth === 0) {
      yield { head: css.slice(headAt, bodyAt - 1).trim(), body: css.slice(bodyAt, at) };
      headAt = at + 1;
    }
  }
}
