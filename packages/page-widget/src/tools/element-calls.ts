import type { JsonObject } from "@bron/page/wire";
import { fill } from "../act/fill.ts";
import { observePage, type PageEvents } from "../act/page-events.ts";
import { press, type PressKind } from "../act/press.ts";
import { untilQuiet } from "../act/settle.ts";
import type { PageView } from "../page/page-view.ts";
import { clean, isDisabled, isInteractive, nameOf, roleOf } from "../page/roles.ts";
import { isField } from "../page/secrets.ts";
import { isRendered } from "../page/visible.ts";
import { riskOfElement, type RiskOptions } from "../risk/element-risk.ts";
import { ToolProblem, type PreparedCall } from "./tool.ts";

export interface ElementCallDeps {
  readonly view: PageView;
  readonly risk: RiskOptions;
}

export type Act = { readonly kind: PressKind } | { readonly kind: "fill"; readonly value: string };

const verbs: Readonly<Record<Act["kind"], string>> = {
  click: "Click",
  hover: "Point at",
  focus: "Go to",
  submit: "Submit",
  enter: "Press Enter in",
  escape: "Press Escape in",
  fill: "Fill in",
};
const maxDetails = 12;

/** Checks that an act on an element is possible now, and judges it. */
export function prepareAct(element: Element, act: Act, deps: ElementCallDeps): PreparedCall {
  const { view } = deps;
  checkUsable(element, view);
  const risk = riskOfElement(element, act.kind, deps.risk);
  const role = roleOf(element);
  const name = nameOf(element, view.leaveOut) || role || element.localName;
  const words = view.secrets.scrub(
    act.kind === "fill" ? `Fill in “${name}”` : `${verbs[act.kind]} “${name}”`,
  );
  return {
    risk,
    words,
    details: detailsOf(element, act, view),
    element,
    async run(signal) {
      checkUsable(element, view);
      return await withReport(risk === "ask", signal, () => {
        if (act.kind !== "fill") press(element, act.kind);
        return { did: words, ...(act.kind === "fill" ? { value: fill(element, act.value) } : {}) };
      });
    },
  };
}

/** Runs an act, waits for the page, and adds what the page did meanwhile. */
export async function withReport(
  isApproved: boolean,
  signal: AbortSignal,
  act: () => JsonObject | Promise<JsonObject>,
): Promise<JsonObject> {
  const events: PageEvents = observePage(isApproved);
  try {
    const did = await act();
    await untilQuiet(signal);
    return { ok: true, ...did, ...events.report() };
  } catch (error) {
    if (error instanceof ToolProblem) throw error;
    throw new ToolProblem(`The page failed: ${clean(String(error)).slice(0, 300)}`);
  } finally {
    events.stop();
  }
}

function checkUsable(element: Element, view: PageView): void {
  if (!element.isConnected) throw new ToolProblem("This element is gone.");
  if (!isShown(element)) throw new ToolProblem(`This element is hidden now: ${view.line(element)}`);
  if (isDisabled(element))
    throw new ToolProblem(`This element is disabled now: ${view.line(element)}`);
}

/** A styled checkbox is often invisible itself, and its label is what people see. */
function isShown(element: Element): boolean {
  if (isRendered(element)) return true;
  const labels = isField(element) ? (element.labels ?? []) : [];
  return [...labels].some((label) => isRendered(label));
}

/** The fields that an approval shows: those of the form, without secrets. */
function detailsOf(element: Element, act: Act, view: PageView): [string, string][] {
  const details: [string, string][] = [];
  if (act.kind === "fill") details.push(["Text", act.value.slice(0, 300)]);
  const link = element.closest("a[href]");
  if (link) details.push(["Address", (link as HTMLAnchorElement).href.slice(0, 300)]);
  const form = (element as HTMLInputElement).form ?? element.closest("form");
  if (act.kind === "fill" || !form) return details;
  for (const field of form.elements) {
    if (details.length >= maxDetails) break;
    if (!isField(field) || !isInteractive(field) || !isRendered(field)) continue;
    if (/^(?:submit|button|reset|image)$/.test(field.type)) continue;
    const name = nameOf(field, view.leaveOut) || field.name;
    const isHidden = view.secrets.isSecretField(field) || view.secrets.isPrivate(field);
    const text = valueOf(field);
    const value = isHidden && text !== "" ? "••••" : text;
    if (value !== "") details.push([name, value.slice(0, 200)]);
  }
  return details;
}

function valueOf(field: HTMLInputElement): string {
  if (field.type === "checkbox" || field.type === "radio") return field.checked ? "✓" : "";
  if (field.localName === "select")
    return clean((field as unknown as HTMLSelectElement).selectedOptions[0]?.label ?? "");
  return field.value;
}
