import { isRendered } from "./visible.ts";

const maxName = 120;
const roleOfTag: Readonly<Record<string, string>> = {
  button: "button",
  summary: "button",
  textarea: "textbox",
  nav: "navigation",
  main: "main",
  header: "header",
  footer: "footer",
  aside: "aside",
  form: "form",
  search: "search",
  dialog: "dialog",
  fieldset: "group",
  article: "article",
  ul: "list",
  ol: "list",
  menu: "list",
  dl: "list",
  table: "table",
  tbody: "rows",
  thead: "rows",
  tr: "row",
  li: "item",
  img: "image",
  option: "option",
  iframe: "frame",
  details: "group",
};
const roleOfInput: Readonly<Record<string, string>> = {
  checkbox: "checkbox",
  radio: "radio",
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  range: "slider",
  number: "number field",
  search: "search field",
  file: "file field",
  date: "date field",
  time: "time field",
  color: "color field",
};
const interactiveRoles =
  /^(?:button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|textbox|searchbox|combobox|slider|spinbutton|treeitem)$/;

export function roleOf(element: Element): string {
  const own = element.getAttribute("role")?.trim().split(/\s+/)[0];
  if (own !== undefined && own !== "" && own !== "presentation" && own !== "none") return own;
  const tag = element.localName;
  if (tag === "a") return element.hasAttribute("href") ? "link" : "";
  if (tag === "input") return roleOfInput[(element as HTMLInputElement).type] ?? "textbox";
  if (tag === "select") return (element as HTMLSelectElement).multiple ? "listbox" : "combobox";
  if (/^h[1-6]$/.test(tag)) return "heading";
  if (isEditable(element)) return "textbox";
  return roleOfTag[tag] ?? "";
}

/** Whether people act on the element itself: press it, tick it, type into it. */
export function isInteractive(element: Element): boolean {
  const tag = element.localName;
  if (tag === "input") return (element as HTMLInputElement).type !== "hidden";
  if (/^(?:button|select|textarea|summary)$/.test(tag)) return true;
  if (tag === "a") return element.hasAttribute("href") || element.hasAttribute("onclick");
  const role = element.getAttribute("role");
  if (role !== null && interactiveRoles.test(role)) return true;
  if (isEditable(element)) return true;
  return element.hasAttribute("onclick");
}

export function isEditable(element: Element): boolean {
  const value = element.getAttribute("contenteditable");
  return value !== null && value !== "false";
}

export function isDisabled(element: Element): boolean {
  return (
    element.matches(":disabled") ||
    element.getAttribute("aria-disabled") === "true" ||
    element.closest("[inert]") !== null
  );
}

/** The words by which people know an element. `leaveOut` names what must not be read. */
export function nameOf(element: Element, leaveOut: (element: Element) => boolean): string {
  return clean(rawName(element, leaveOut)).slice(0, maxName);
}

function rawName(element: Element, leaveOut: (element: Element) => boolean): string {
  const references = element.getAttribute("aria-labelledby");
  if (references !== null) {
    const root = element.getRootNode() as Document | ShadowRoot;
    const words = references
      .split(/\s+/)
      .map((id) => (id === "" ? null : root.getElementById(id)))
      .map((found) => (found && !isWithin(found, leaveOut) ? textOf(found, leaveOut) : ""));
    if (words.some((text) => text.trim() !== "")) return words.join(" ");
  }
  const label = element.getAttribute("aria-label");
  if (label?.trim()) return label;
  const { localName: tag } = element;
  if (tag === "input" || tag === "select" || tag === "textarea")
    return fieldName(element as HTMLInputElement, leaveOut);
  if (tag === "img") return element.getAttribute("alt") ?? "";
  const caption = captionOf(element);
  if (caption) return textOf(caption, leaveOut);
  if (!takesNameFromText(element)) return element.getAttribute("title") ?? "";
  const text = textOf(element, leaveOut);
  if (clean(text) !== "") return text;
  const image = element.querySelector("img[alt], svg[aria-label], svg title");
  const words = image?.getAttribute("alt") ?? image?.getAttribute("aria-label");
  return words ?? image?.textContent ?? element.getAttribute("title") ?? "";
}

/** An element may be named by one that is elsewhere, in something that must not be read. */
function isWithin(element: Element, leaveOut: (element: Element) => boolean): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) if (leaveOut(at)) return true;
  return false;
}

function takesNameFromText(element: Element): boolean {
  return isInteractive(element) || /^(?:heading|option|cell|row)$/.test(roleOf(element));
}

function captionOf(element: Element): Element | null {
  if (element.localName === "fieldset") return element.querySelector(":scope > legend");
  if (element.localName === "table") return element.querySelector(":scope > caption");
  if (element.localName === "details") return element.querySelector(":scope > summary");
  return null;
}

function fieldName(field: HTMLInputElement, leaveOut: (element: Element) => boolean): string {
  const labels = Array.from(field.labels ?? [], (label) =>
    isWithin(label, leaveOut) ? "" : textOf(label, leaveOut),
  );
  if (labels.some((text) => text.trim() !== "")) return labels.join(" ");
  if (/^(?:submit|button|reset)$/.test(field.type) && field.localName === "input")
    return field.value || field.type;
  return (
    field.getAttribute("alt") ??
    field.getAttribute("title") ??
    field.getAttribute("placeholder") ??
    field.getAttribute("name") ??
    ""
  );
}

/** The visible text of an element, without fields and without what is left out. */
export function textOf(element: Element, leaveOut: (element: Element) => boolean): string {
  if (leaveOut(element)) return "";
  if (element.childElementCount === 0 && !element.shadowRoot) return element.textContent ?? "";
  let text = "";
  for (const node of (element.shadowRoot ?? element).childNodes) {
    if (node.nodeType === 3) text += node.nodeValue ?? "";
    else if (node.nodeType === 1 && text.length < 1_000)
      text += childText(node as Element, leaveOut);
  }
  return text;
}

const silent = /^(?:script|style|template|noscript|input|select|textarea|iframe|svg)$/;

function childText(child: Element, leaveOut: (element: Element) => boolean): string {
  if (silent.test(child.localName) || !isRendered(child)) return "";
  return `${isInline(child) ? "" : " "}${textOf(child, leaveOut)}${isInline(child) ? "" : " "}`;
}

const inlineTags =
  /^(?:span|b|i|em|strong|small|code|abbr|time|mark|sub|sup|u|s|q|cite|kbd|samp|var|data|bdi|bdo|del|ins|font|wbr|label|output|dfn)$/;

export function isInline(element: Element): boolean {
  return inlineTags.test(element.localName);
}

// Format characters are invisible, or change the direction of what follows. Persian words and some
// emoji need the two joiners.
const invisible = /(?![\u200c\u200d])\p{Cf}/gu;

const plain = /^[!-~]+(?: [!-~]+)*$/;

export function clean(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replaceAll(invisible, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
