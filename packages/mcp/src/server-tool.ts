import { BronError, defineTool, type EffectContext, type Tool } from "@bron/core";
import type { JsonObject, JsonValue, McpDefinition } from "@bron/protocol";

/** Longest time for a call with everything around it, such as a question to the owner. */
export const toolTimeoutMs = 360_000;

interface ServerToolInput {
  readonly server: string;
  readonly definition: McpDefinition;
  readonly call: (
    definition: McpDefinition,
    input: JsonObject,
    context: EffectContext,
  ) => Promise<JsonValue>;
}

/** The name of a tool inside Bron. No tool of Bron has a slash in its name. */
function toolNameOf(server: string, tool: string): string {
  return `mcp/${server}/${tool}`;
}

/** The tool of an accepted definition, or why it cannot be one. */
export function toServerTool({ server, definition, call }: ServerToolInput): Tool | string {
  const { name, description, inputSchema, title } = definition;
  try {
    return defineTool({
      name: toolNameOf(server, name),
      description: description === "" ? (title ?? name) : description,
      input: inputSchema,
      sideEffect: true,
      server: { name: server, tool: name },
      timeoutMs: toolTimeoutMs,
      group: `mcp/${server}`,
      prepare: (input) => ({
        prepared: input,
        preview: previewOf(server, definition, input),
      }),
      execute: (prepared, context) => call(definition, prepared, context),
    });
  } catch (error) {
    if (BronError.is(error, "invalid_input")) return error.message;
    throw error;
  }
}

function previewOf(server: string, { name }: McpDefinition, input: JsonObject): string {
  const values = Object.entries(input).map(
    ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [`Call ${name} of the MCP server ${server}`, ...values].join("\n");
}
