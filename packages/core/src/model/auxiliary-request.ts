import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject, JsonValue, NewEvent } from "@bron/protocol";
import { z } from "zod";
import { cleanJson, cleanText } from "../context/clean-text.ts";
import { userMessage } from "../context/model-messages.ts";

/** What Bron asks a model about a run, outside of its steps. */
export interface AuxiliaryRequest {
  /** Names the question. A run asks it once, and keeps the result under this name. */
  readonly purpose: string;
  readonly instruction: string;
  readonly prompt: string;
  /** The form of the output. */
  readonly schema: z.ZodType<JsonValue>;
  /** The model that is asked. By default the light one. */
  readonly role?: "light" | "main";
  /**
   * The most that all attempts may take together, with every model. Time without a worker does not
   * count. By default each attempt has the limit of every model call.
   */
  readonly timeoutMs?: number;
  /** Attempts with each model. By default as many as a step has. */
  readonly maxAttempts?: number;
  /** Events for the owner about the output, or about a call without one. */
  readonly describe?: (output: JsonValue | undefined, callId: string) => readonly NewEvent[];
}

interface InvalidText {
  readonly text: string;
  readonly problem: string;
}

/** An auxiliary call has a short output, so that its reservation stays small. */
export const maxAuxiliaryTokens = 8_192;

/**
 * The schema is also part of the instruction, because some servers ignore the response format. The
 * first line says to any reader of the request, such as the demo model, what it is for.
 */
export function auxiliaryOptions(
  { purpose, instruction, prompt, schema }: AuxiliaryRequest,
  invalid: InvalidText | undefined,
): Pick<LanguageModelV4CallOptions, "prompt" | "responseFormat"> {
  const jsonSchema = jsonSchemaOf(schema);
  return {
    prompt: [
      {
        role: "system",
        content: `[AUXILIARY CALL ${purpose}]\n${instruction}\nWrite only JSON that matches this JSON Schema:\n${JSON.stringify(jsonSchema)}`,
      },
      userMessage(prompt),
      ...(invalid ? repair(invalid) : []),
    ],
    responseFormat: { type: "json", schema: jsonSchema, name: purpose.replaceAll(/\W/g, "_") },
  };
}

function repair({ text, problem }: InvalidText): LanguageModelV4CallOptions["prompt"] {
  return [
    { role: "assistant", content: [{ type: "text", text: text.trim() === "" ? "{}" : text }] },
    userMessage(`This does not match the schema: ${problem}\nWrite the corrected JSON only.`),
  ];
}

type ParsedOutput =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly problem: string };

const maxProblemCharacters = 1_000;

export function parseOutput({ schema }: AuxiliaryRequest, text: string): ParsedOutput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: "It is not JSON." };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, output: cleanJson(parsed.data) };
  const problem = z.prettifyError(parsed.error).slice(0, maxProblemCharacters);
  return { ok: false, problem: cleanText(problem) };
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return rest as JsonObject;
}
