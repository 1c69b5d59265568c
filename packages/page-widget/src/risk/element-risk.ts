import { isEditable, isInteractive, nameOf, roleOf } from "../page/roles.ts";
import { isField, type Secrets } from "../page/secrets.ts";
import type { Risk } from "../tools/tool.ts";
import { isConsequential, isHarmless } from "./words.ts";

export interface RiskOptions {
  readonly secrets: Secrets;
  readonly isOwn: (element: Element) => boolean;
  /** The site's own selector of controls that need no approval. */
  readonly freeSelector: () => string;
}

type Kind = "click" | "fill" | "submit" | "hover" | "focus" | "enter" | "escape";

/** Judges an act on an element by what the element is. Nothing that a model says counts. */
export function riskOfElement(element: Element, kind: Kind, options: RiskOptions): Risk {
  const { secrets, isOwn } = options;
  if (isOwn(element) || secrets.isPrivate(element) || secrets.isSecretField(element))
    return "never";
  if (element.closest("[data-bron-risk=never]")) return "never";
  if (element.closest("[data-bron-risk=ask]") && kind !== "hover") return "ask";
  if (kind === "hover" || kind === "focus" || kind === "escape") return "reversible";
  if (kind === "submit") return riskOfForm(formOf(element));
  if (kind === "enter") return formOf(element) ? riskOfForm(formOf(element)) : "ask";
  if (isChosenFree(element, options.freeSelector())) return "reversible";
  return kind === "fill" ? riskOfFilling(element) : riskOfClick(element);
}

function isChosenFree(element: Element, selector: string): boolean {
  return selector.trim() !== "" && element.matches(selector);
}

/** Typing can be undone. A box that accepts terms cannot be told from a filter by its type alone. */
function riskOfFilling(element: Element): Risk {
  if (!isField(element)) return isEditable(element) ? "reversible" : "ask";
  const isTick = element.type === "checkbox" || element.type === "radio";
  return isTick ? riskOfTick(element) : "reversible";
}

function riskOfTick(element: Element): Risk {
  return /\b(?:agree|accept|consent|terms|zustimm|akzeptier|accepte|acepto)/i.test(labelOf(element))
    ? "ask"
    : "reversible";
}

function riskOfClick(element: Element): Risk {
  const link = element.closest("a[href]");
  // A link to nowhere is a button.
  if (link && link.getAttribute("href") !== "#") return riskOfLink(link as HTMLAnchorElement);
  const submitter = submitterFor(element);
  if (submitter) return riskOfForm(submitter.form, submitter);
  const label = labelOf(element);
  if (isField(element)) {
    if (/^(?:checkbox|radio)$/.test(element.type)) return riskOfTick(element);
    if (element.type === "reset") return "reversible";
    if (element.type !== "button") return "reversible";
  }
  if (isConsequential(label)) return "ask";
  if (isToggle(element) || isHarmless(label)) return "reversible";
  return "ask";
}

function isToggle(element: Element): boolean {
  if (element.localName === "summary") return true;
  if (
    /^(?:tab|switch|checkbox|radio|option|treeitem|slider|textbox|combobox|searchbox)$/.test(
      roleOf(element),
    )
  )
    return true;
  return ["aria-expanded", "aria-pressed", "aria-haspopup"].some((name) =>
    element.hasAttribute(name),
  );
}

function riskOfLink(link: HTMLAnchorElement): Risk {
  const isElsewhere = link.origin !== location.origin || !/^https?:$/.test(link.protocol);
  const opensWindow = link.target !== "" && link.target !== "_self";
  if (isElsewhere || opensWindow || link.hasAttribute("download")) return "ask";
  const path = link.pathname.replaceAll(/[/_.-]+/g, " ");
  if (path !== location.pathname.replaceAll(/[/_.-]+/g, " ") && isActionPath(link)) return "ask";
  const label = labelOf(link);
  // Going to a page called "Checkout" or "Orders" changes nothing. "Delete" and "Sign out" do.
  return isConsequential(label) && !isPlaceName(label) ? "ask" : "reversible";
}

function isPlaceName(label: string): boolean {
  return /^(?:(?:go to|proceed to|continue to|back to|view|see|my|your|show) )?(?:checkout|orders?|order history|bookings?|posts?|comments?|downloads?|updates?|sign in|log in)(?: \(?\d+\)?)?$/i.test(
    label.trim(),
  );
}

/** Some sites delete, or sign people out, by a plain link. */
function isActionPath({ pathname, search }: HTMLAnchorElement): boolean {
  return /(?:^|[/?&=_-])(?:log-?out|sign-?out|delete|remove|destroy|unsubscribe|cancel|confirm|buy|pay|approve|vote|send)(?:$|[/?&=_-])/i.test(
    `${pathname}${search}`,
  );
}

function submitterFor(element: Element): HTMLButtonElement | undefined {
  const button = element.closest("button, input[type=submit], input[type=image]");
  if (!button) return undefined;
  const control = button as HTMLButtonElement;
  const submits = control.localName === "input" || control.type === "submit";
  return submits && control.form ? control : undefined;
}

function riskOfForm(form: HTMLFormElement | null, submitter?: HTMLButtonElement): Risk {
  if (!form) return "ask";
  const action = submitter?.hasAttribute("formaction") ? submitter.formAction : form.action;
  const isHere =
    typeof action !== "string" || new URL(action, location.href).origin === location.origin;
  const words = `${submitter ? labelOf(submitter) : ""}`;
  return isHere && isSearch(form) && !isConsequential(words) ? "reversible" : "ask";
}

/** Asking a page for results is like going to a link. */
function isSearch(form: HTMLFormElement): boolean {
  const isMarked = form.closest("search, [role=search]") !== null;
  const fields = Array.from(form.elements).filter((field) => isField(field));
  const typed = fields.filter(({ type }) => /^(?:text|search|textarea|email|tel|url)$/.test(type));
  const isOnlySearch = typed.length === 1 && typed[0]?.type === "search";
  const isHarmlessMethod = form.method === "get" || form.method === "dialog";
  return isHarmlessMethod && (isMarked ? typed.length <= 2 : isOnlySearch);
}

function formOf(element: Element): HTMLFormElement | null {
  if (element.localName === "form") return element as HTMLFormElement;
  return (element as HTMLInputElement).form ?? element.closest("form");
}

function labelOf(element: Element): string {
  const own = isInteractive(element) ? element : (element.closest("button, a") ?? element);
  return nameOf(own, () => false);
}
