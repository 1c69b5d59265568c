import type { JsonObject, JsonValue } from "@bron/protocol";
import { z } from "zod";
import { requireUsableSchema } from "./json-schema/json-schema.ts";
import { validateValue } from "./json-schema/validate-value.ts";
import { valuePath } from "./json-schema/value-path.ts";
import type { Tool } from "./tool.ts";

/** How a tool describes its arguments: by zod, or by a JSON Schema whose type is "object". */
export type InputSchema = z.ZodType | JsonObject;

/** What a tool gets. A JSON Schema says nothing to the compiler. */
export type InputOf<Input extends InputSchema> = Input extends z.ZodType
  ? z.output<Input>
  : JsonObject;

type ToolInput = Pick<Tool, "parseInput" | "inputJsonSchema">;

/** Throws invalid_input for a JSON Schema that cannot be used. */
export function toolInput(schema: InputSchema, tool: string): ToolInput {
  return isZod(schema) ? zodInput(schema) : jsonSchemaInput(schema, tool);
}

function isZod(schema: InputSchema): schema is z.ZodType {
  return typeof schema["safeParse"] === "function";
}

function zodInput(schema: z.ZodType): ToolInput {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return {
    inputJsonSchema: rest as JsonObject,
    parseInput(input) {
      const parsed = schema.safeParse(input);
      if (parsed.success) return { ok: true, value: parsed.data as JsonValue };
      const problems = parsed.error.issues.map(
        ({ path, message }) => `${valuePath(path)}: ${message}`,
      );
      return { ok: false, problems };
    },
  };
}

function jsonSchemaInput(schema: JsonObject, tool: string): ToolInput {
  requireUsableSchema(schema, tool);
  // A later change by its owner must not count.
  const { $schema: _, ...own } = structuredClone(schema);
  return {
    inputJsonSchema: own,
    parseInput(input) {
      const problems = validateValue(own, input);
      return problems.length === 0 ? { ok: true, value: input } : { ok: false, problems };
    },
  };
}
