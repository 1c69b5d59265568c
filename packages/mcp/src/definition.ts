import { cleanJson, cleanText, sha256 } from "@bron/core";
import { mcpDefinitionSchema, type JsonObject, type McpDefinition } from "@bron/protocol";

/** Limits for what a server says about its tools. */
export const maxTools = 100;
const maxDescriptionCharacters = 10_000;
const maxDefinitionCharacters = 60_000;
const maxAllCharacters = 1_000_000;
const maxDepth = 50;
/** The names that rules can contain. See `defineTool`. */
const toolNamePattern = /^[A-Za-z0-9_./-]{1,128}$/;

interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

interface ReadDefinitions {
  readonly definitions: readonly McpDefinition[];
  /** What the server offers and Bron does not use, in sentences. */
  readonly notes: readonly string[];
}

/** The definitions of a server as Bron uses them: bounded, each name once, in the order of names. */
export function readDefinitions(tools: readonly ListedTool[]): ReadDefinitions {
  const notes: string[] = [];
  const definitions = new Map<string, McpDefinition>();
  let characters = 0;
  for (const tool of tools.slice(0, maxTools)) {
    const shown = tool.name.slice(0, 60);
    const definition = toDefinition(tool);
    if (!definition) {
      notes.push(`The input of "${shown}" is nested too deeply.`);
      continue;
    }
    const size = JSON.stringify(definition).length;
    characters += size;
    if (!toolNamePattern.test(tool.name))
      notes.push(`The tool "${shown}" has a name that Bron cannot use.`);
    else if (definitions.has(tool.name))
      notes.push(`There are two tools named "${shown}". Only the first is used.`);
    else if (
      definition.description.length > maxDescriptionCharacters ||
      size > maxDefinitionCharacters
    )
      notes.push(`The description or the input of "${shown}" is too long.`);
    else if (characters > maxAllCharacters)
      notes.push(`The tool "${shown}" is left out, because all definitions together are too long.`);
    else definitions.set(tool.name, definition);
  }
  if (tools.length > maxTools)
    notes.push(`The server has more than ${maxTools} tools. The others are not used.`);
  return {
    definitions: [...definitions.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    notes,
  };
}

/** Undefined for a schema that is nested so deeply that it cannot be written as JSON. */
function toDefinition(tool: ListedTool): McpDefinition | undefined {
  try {
    return depthOf(tool.inputSchema) > maxDepth ? undefined : readDefinition(tool);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readDefinition({
  name,
  title,
  description = "",
  inputSchema,
  annotations = {},
}: ListedTool): McpDefinition {
  const { title: otherTitle, ...rest } = annotations;
  const hints = Object.entries(rest).flatMap(([hint, value]) =>
    typeof value === "boolean" ? [[hint.slice(0, 60), value] as const] : [],
  );
  const shownTitle = title ?? (typeof otherTitle === "string" ? otherTitle : undefined);
  return mcpDefinitionSchema.parse({
    name,
    title: shownTitle === undefined ? null : cleanText(shownTitle.slice(0, 200)),
    description: cleanText(description),
    inputSchema: cleanJson(inputSchema) as JsonObject,
    hints: Object.fromEntries(hints.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, 20)),
  });
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The digest of a list of definitions. The order of keys in a schema does not matter. */
export async function definitionsDigest(value: unknown): Promise<string> {
  return await sha256(new TextEncoder().encode(JSON.stringify(sortKeys(value))));
}

export function sameDefinition(a: McpDefinition, b: McpDefinition): boolean {
  return JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
