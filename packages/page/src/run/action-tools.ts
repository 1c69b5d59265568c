import { BronError, defineTool, type Tool, type ToolContext } from "@bron/core";
import type { JsonObject, JsonValue } from "@bron/protocol";
import {
  describedActions,
  type ActionCaller,
  type DescribedAction,
  type SiteAction,
} from "../actions/action-registry.ts";

/** Long results would fill the model's context and the sealed state. */
const maxOutputCharacters = 20_000;
const timeoutMs = 30_000;

/** The action of each tool, by the tool's name. */
export type ActionNames = ReadonlyMap<string, string>;

/**
 * The names of tools for actions: `cart.add_item` becomes `action_cart_add_item`. Names that would be
 * equal get a number. A table keeps which action is meant, because the way back is not unique.
 */
export function nameActions(actions: readonly SiteAction[]): ActionNames {
  const names = new Map<string, string>();
  for (const { name } of describedActions(actions)) {
    const base = `action_${name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 50)}`;
    let unique = base;
    for (let count = 2; names.has(unique); count++) unique = `${base}_${count}`;
    names.set(unique, name);
  }
  return names;
}

/**
 * The actions of a site as tools. One that only reads runs at once. Every other one is an effect: it
 * waits for the visitor's approval on the handler's own origin.
 */
export function actionTools(
  actions: readonly SiteAction[],
  caller: Omit<ActionCaller, "signal">,
): readonly Tool[] {
  const described = new Map(describedActions(actions).map((action) => [action.name, action]));
  return [...nameActions(actions)].flatMap(([toolName, actionName]) => {
    const action = described.get(actionName);
    return action ? [actionTool(toolName, action, caller)] : [];
  });
}

function actionTool(
  name: string,
  { metadata, handler }: DescribedAction,
  caller: Omit<ActionCaller, "signal">,
): Tool {
  const execute = async (input: JsonValue, { signal }: Pick<ToolContext, "signal">) =>
    limitOutput(name, await handler(input, { ...caller, signal }));
  const shared = {
    name,
    description: metadata.description,
    input: metadata.inputSchema,
    timeoutMs,
    label: { origin: "page" as const },
  };
  if (metadata.risk === "read") return defineTool({ ...shared, execute });
  return defineTool<JsonObject, JsonObject>({
    ...shared,
    sideEffect: true,
    prepare: (input) => ({ prepared: input, preview: previewOf(metadata.name, input) }),
    async execute(input, context) {
      await context.requireApproval();
      return await execute(input, context);
    },
  });
}

/** What the visitor approves: the action and each of its values. */
function previewOf(name: string, input: JsonObject): string {
  const values = Object.entries(input).map(
    ([field, value]) => `${field}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [name, ...values].join("\n");
}

function limitOutput(tool: string, output: JsonValue): JsonValue {
  const text = JSON.stringify(output ?? null);
  if (text.length <= maxOutputCharacters) return output ?? null;
  throw new BronError(
    "tool_failed",
    `${tool} returned more than ${maxOutputCharacters} characters. Ask for less.`,
  );
}
