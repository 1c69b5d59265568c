import type { JsonObject } from "@bron/page/wire";
import { prepareAct, type Act, type ElementCallDeps } from "./element-calls.ts";
import { prefixFor } from "./dom-tools.ts";
import { kebab, type ToolNames } from "./tool-names.ts";
import { argText, schemaOf, ToolProblem, type Tool } from "./tool.ts";

interface JayInstance {
  readonly coordinate: readonly string[];
  readonly element: unknown;
}

/** What the page agent uses of Jay's AutomationAPI. Production builds of Jay have none. */
interface JayAutomation {
  getPageState(): {
    readonly viewState: JsonObject;
    readonly interactions: readonly {
      readonly refName: string;
      readonly items: readonly JayInstance[];
      readonly description?: string;
    }[];
  };
}

interface Ref {
  readonly refName: string;
  readonly description: string | undefined;
  readonly items: readonly { readonly coordinate: string; readonly element: Element }[];
}

export interface JayPage {
  readonly tools: readonly Tool[];
  /** Elements that these tools act on, which need no second tool. */
  readonly elements: ReadonlySet<Element>;
  /** Short, without the state of a chat. */
  readonly viewState: JsonObject;
}

/** Undefined on pages without Jay, and until `jay:automation-ready`. */
export function readJayPage(names: ToolNames, deps: ElementCallDeps): JayPage | undefined {
  const automation = findAutomation();
  if (!automation) return undefined;
  try {
    const { viewState } = automation.getPageState();
    const refs = readRefs(automation, deps);
    const elements = new Set(refs.flatMap(({ items }) => items.map(({ element }) => element)));
    const tools = refs.map((ref) => jayTool(ref, names, deps));
    return { tools, elements, viewState: compact(viewState) as JsonObject };
  } catch {
    return undefined;
  }
}

function findAutomation(): JayAutomation | undefined {
  return (window as { __jay?: { automation?: JayAutomation } }).__jay?.automation;
}

/** A component inside a page is listed as an interaction too, with something that is no element. */
function readRefs(automation: JayAutomation, { view }: ElementCallDeps): Ref[] {
  return automation
    .getPageState()
    .interactions.map(({ refName, items, description }) => ({
      refName,
      description,
      items: items
        .filter(
          (item): item is JayInstance & { element: Element } =>
            item.element instanceof Element &&
            !view.isOwn(item.element) &&
            !view.secrets.isPrivate(item.element) &&
            !view.secrets.isSecretField(item.element),
        )
        .map(({ coordinate, element }) => ({ coordinate: coordinate.join("/"), element })),
    }))
    .filter(({ items }) => items.length > 0);
}

function jayTool(ref: Ref, names: ToolNames, deps: ElementCallDeps): Tool {
  const { refName, items, description } = ref;
  const [first] = items;
  const prefix = prefixFor(first?.element as Element);
  const isList = items.length > 1 || (first?.coordinate ?? "").includes("/");
  const properties: Record<string, JsonObject> = {};
  if (isList)
    properties.coordinate = {
      type: "string",
      description: `Which one, such as ${first?.coordinate}. The page state has the others.`,
    };
  if (prefix === "fill") properties.value = { type: "string" };
  const verb = { click: "Clicks", fill: "Fills in", toggle: "Switches" }[prefix];
  return {
    name: names.nameFor(`jay:${prefix}:${refName}`, `${prefix}-${kebab(refName) || "element"}`),
    description: description ?? `${verb} ${refName}.`,
    inputSchema: schemaOf(properties, Object.keys(properties)),
    prepare(args) {
      const current = readCurrent(refName, deps);
      const wanted = isList ? argText(args.coordinate) : first?.coordinate;
      const found = current.filter(({ coordinate }) => coordinate === wanted);
      const [only] = found;
      if (!only || found.length > 1)
        throw new ToolProblem(
          `${refName} has no coordinate ${wanted}.`,
          current
            .slice(0, 12)
            .map(({ coordinate, element }) => `${coordinate}: ${deps.view.line(element)}`),
        );
      const act: Act =
        prefix === "fill" ? { kind: "fill", value: argText(args.value) } : { kind: "click" };
      return prepareAct(only.element, act, deps);
    },
  };
}

function readCurrent(refName: string, deps: ElementCallDeps): Ref["items"] {
  const automation = findAutomation();
  const refs = automation ? readRefs(automation, deps) : [];
  return refs.find((ref) => ref.refName === refName)?.items ?? [];
}

/** Lists to their first items, text to its start. The conversation would be sent twice. */
function compact(value: JsonObject[string], depth = 0): JsonObject[string] {
  if (typeof value === "string") return value.slice(0, 200);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 6) return "…";
  if (Array.isArray(value)) {
    const shown = value.slice(0, 3).map((item: JsonObject[string]) => compact(item, depth + 1));
    return value.length > 3 ? [...shown, `and ${value.length - 3} more`] : shown;
  }
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([, item]) => !isConversation(item))
      .map(([key, item]) => [key, compact(item, depth + 1)]),
  );
}

function isConversation(value: JsonObject[string]): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    ("lastAssistantMessage" in value || ("messages" in value && "isExpanded" in value))
  );
}
