import { defaultTexts, type Texts } from "./texts.ts";

/** What the attributes of `<bron-chat>` say. They are read each time, so a site may change them. */
export interface Settings {
  /** The address of the handler, with the site, without a slash at the end. */
  readonly endpoint: string | undefined;
  readonly site: string | undefined;
  readonly isInline: boolean;
  readonly isHeadless: boolean;
  readonly startsCompact: boolean;
  readonly startsOpen: boolean;
  readonly heading: string;
  readonly greeting: string;
  readonly suggestions: readonly string[];
  readonly direction: string | undefined;
  /** Ask once per visit before typing and clicking. */
  readonly asksPerVisit: boolean;
  readonly usesWebMcp: boolean;
  readonly texts: Texts;
}

export function readSettings(host: HTMLElement, ownTexts: Partial<Texts>): Settings {
  const value = (name: string) => host.getAttribute(name) ?? "";
  return {
    endpoint: endpointOf(value("endpoint"), value("site")),
    site: value("site") || undefined,
    isInline: value("placement") === "inline",
    isHeadless: host.hasAttribute("headless"),
    startsCompact: value("mode") === "compact",
    startsOpen: host.hasAttribute("open"),
    heading: value("heading"),
    greeting: value("greeting"),
    suggestions: value("suggestions")
      .split("|")
      .map((text) => text.trim())
      .filter((text) => text !== ""),
    direction: directionOf(host),
    asksPerVisit: value("reversible") === "once",
    usesWebMcp: value("webmcp") !== "off",
    texts: { ...defaultTexts, ...textsIn(value("texts")), ...ownTexts },
  };
}

function endpointOf(address: string, site: string): string | undefined {
  if (address === "" || !URL.canParse(address, location.href)) return undefined;
  const { href } = new URL(address, location.href);
  return `${href.replace(/\/+$/, "")}${site === "" ? "" : `/${encodeURIComponent(site)}`}`;
}

function directionOf(host: HTMLElement): string | undefined {
  const own = host.closest("[dir]")?.getAttribute("dir") ?? document.documentElement.dir;
  return own === "rtl" || own === "ltr" ? own : undefined;
}

const checked = new Map<string, boolean>();

/** The selector in an attribute. "" if it is none, for that would make every look at the page fail. */
export function selectorIn(host: HTMLElement, name: "free" | "private"): string {
  const text = host.getAttribute(name) ?? "";
  const known = checked.get(text);
  const isValid = known ?? isSelector(text);
  if (known === undefined) checked.set(text, isValid);
  return isValid ? text : "";
}

function isSelector(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text);
    return true;
  } catch {
    return false;
  }
}

function textsIn(json: string): Partial<Texts> {
  try {
    return json === "" ? {} : (JSON.parse(json) as Partial<Texts>);
  } catch {
    return {};
  }
}
