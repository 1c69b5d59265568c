import type { JsonObject } from "@bron/page/wire";
import type { PressKind } from "../act/press.ts";
import { isEditable, nameOf, roleOf } from "../page/roles.ts";
import type { Walk } from "../page/walk.ts";
import { prepareAct, type Act, type ElementCallDeps } from "./element-calls.ts";
import { kebab, type ToolNames } from "./tool-names.ts";
import { argText, idArg, schemaOf, ToolProblem, type Tool } from "./tool.ts";

const maxSemanticTools = 40;
const maxCandidates = 8;
const maxLabel = 60;
const pressKinds: readonly PressKind[] = ["click", "submit", "enter", "escape", "hover", "focus"];

const elementArg = {
  type: "string",
  description: "The id in square brackets, such as e12",
} as const;

/** The names of the tools that every page has. */
export const genericToolNames = ["page_read", "trigger-interaction", "fill-input"] as const;

export function genericTools(deps: ElementCallDeps): Tool[] {
  const { view } = deps;
  return [
    {
      name: "page_read",
      description:
        "Reads more of the page: one element, later items of a list, or lines with certain words.",
      inputSchema: schemaOf({
        element: elementArg,
        offset: { type: "integer", description: "The first item of a list, from 0" },
        query: { type: "string", description: "Only lines with these words" },
      }),
      prepare(args) {
        const element = args.element === undefined ? undefined : findElement(args.element, deps);
        const offset = typeof args.offset === "number" ? args.offset : undefined;
        const query = typeof args.query === "string" ? args.query : undefined;
        return {
          risk: "free",
          words: "Read the page",
          details: [],
          element: undefined,
          run: async () => view.read({ element, offset, query }),
        };
      },
    },
    {
      name: "trigger-interaction",
      description: "Acts on an element of the page, as a pointer or a key would.",
      inputSchema: schemaOf({ element: elementArg, event: { type: "string", enum: pressKinds } }, [
        "element",
      ]),
      prepare: (args) =>
        prepareAct(
          findElement(args.element, deps),
          { kind: (args.event ?? "click") as PressKind },
          deps,
        ),
    },
    {
      name: "fill-input",
      description:
        'Types into a field, chooses an option, or ticks a box ("true" or "false"). Replaces what the field has.',
      inputSchema: schemaOf({ element: elementArg, value: { type: "string" } }, [
        "element",
        "value",
      ]),
      prepare: (args) =>
        prepareAct(
          findElement(args.element, deps),
          { kind: "fill", value: argText(args.value) },
          deps,
        ),
    },
  ];
}

/** The element itself, or an error that names what is on the page now. Never another element. */
function findElement(id: JsonObject[string] | undefined, deps: ElementCallDeps): Element {
  const wanted = idArg(id);
  const element = deps.view.ids.find(wanted);
  if (element) return element;
  const { interactive } = deps.view.look();
  throw new ToolProblem(
    `There is no element ${wanted} on the page now. Choose one of those that are.`,
    interactive.slice(0, maxCandidates).map((one) => deps.view.line(one)),
  );
}

interface Alike {
  readonly prefix: "click" | "fill" | "toggle";
  readonly label: string;
  readonly elements: Element[];
}

/** One tool for each thing that people can do: `click-add-to-cart`, `fill-search`, `toggle-gift`. */
export function semanticTools(
  seen: Walk,
  names: ToolNames,
  deps: ElementCallDeps,
  isTaken: (element: Element) => boolean,
): Tool[] {
  const groups = new Map<string, Alike>();
  for (const element of seen.interactive) {
    if (isTaken(element) || deps.view.secrets.isSecretField(element)) continue;
    const label = labelOf(element, deps);
    if (label === "") continue;
    const prefix = prefixFor(element);
    const group = groups.get(`${prefix}:${label}`);
    if (group) group.elements.push(element);
    else groups.set(`${prefix}:${label}`, { prefix, label, elements: [element] });
  }
  return [...groups].slice(0, maxSemanticTools).map(([key, group]) => {
    const { secrets } = deps.view;
    const safe = { ...group, words: secrets.scrub(group.label) };
    return semanticTool(names.nameFor(`dom:${key}`, nameFor(safe)), safe, deps);
  });
}

function labelOf(element: Element, { view }: ElementCallDeps): string {
  return nameOf(element, view.leaveOut).slice(0, maxLabel);
}

/** `words` is the label without secrets. */
type SafeGroup = Alike & { readonly words: string };

export function prefixFor(element: Element): Alike["prefix"] {
  const role = roleOf(element);
  if (/^(?:checkbox|radio|switch)$/.test(role) || element.hasAttribute("aria-pressed"))
    return "toggle";
  const isFilled =
    isEditable(element) ||
    element.localName === "textarea" ||
    element.localName === "select" ||
    (element.localName === "input" &&
      !/^(?:button|submit|reset|image)$/.test((element as HTMLInputElement).type));
  return isFilled ? "fill" : "click";
}

function nameFor({ prefix, words: label, elements }: SafeGroup): string {
  const words = kebab(label) || kebab(roleOf(elements[0] as Element)) || "element";
  return `${prefix}-${words}`;
}

function semanticTool(name: string, group: SafeGroup, deps: ElementCallDeps): Tool {
  const { prefix, label, words, elements } = group;
  const isList = elements.length > 1;
  const coordinate = {
    type: "string",
    description: `Which one: the id in square brackets before "${words}"`,
  };
  const value = { type: "string", description: valueHint(elements[0] as Element) };
  const properties: Record<string, JsonObject> = {};
  if (isList) properties.coordinate = coordinate;
  if (prefix === "fill") properties.value = value;
  const role = roleOf(elements[0] as Element) || "element";
  const verb = { click: "Clicks", fill: "Fills in", toggle: "Switches" }[prefix];
  return {
    name,
    description: `${verb} the ${role} "${words}"${isList ? `, of which there are ${elements.length}` : ""}.`,
    inputSchema: schemaOf(properties, Object.keys(properties)),
    prepare(args) {
      const element = isList
        ? elements.find((one) => deps.view.ids.idOf(one) === idArg(args.coordinate))
        : elements[0];
      if (!element?.isConnected || labelOf(element, deps) !== label)
        throw new ToolProblem(
          isList && !element
            ? `No "${words}" has the coordinate ${argText(args.coordinate)}.`
            : `The ${role} "${words}" is not on the page any more, or has another name now.`,
          candidatesFor(group, deps),
        );
      const act: Act =
        prefix === "fill" ? { kind: "fill", value: argText(args.value) } : { kind: "click" };
      return prepareAct(element, act, deps);
    },
  };
}

function valueHint(element: Element): string {
  if (element.localName === "select") return "The label of an option";
  const { type } = element as HTMLInputElement;
  return type === "date" ? "A date such as 2026-11-30" : "The text";
}

/** Elements with the same words first, then others that people act on in the same way. */
function candidatesFor({ prefix, label }: Alike, deps: ElementCallDeps): string[] {
  const { view } = deps;
  const alike = view.look().interactive.filter((one) => prefixFor(one) === prefix);
  const same = alike.filter((one) => labelOf(one, deps) === label);
  return [...new Set([...same, ...alike])].slice(0, maxCandidates).map((one) => view.line(one));
}
