import type { EffectContext } from "@bron/core";
import {
  omitUndefined,
  readAnswer,
  type Answer,
  type AnswerSchema,
  type NewQuestion,
} from "@bron/protocol";
import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/sdk/types.js";

/** Answers what a server asks the owner during a call. Never throws. */
export type Elicit = (request: ElicitRequestFormParams) => Promise<ElicitResult>;

const maxFields = 5;
const maxTextCharacters = 1_500;
const skipChoice = "Don't answer";

type Field = ElicitRequestFormParams["requestedSchema"]["properties"][string];
type Value = string | number | boolean | string[];

/**
 * Asks the owner one question for each field that the server needs. The wording is the server's, so
 * the question says who asks. Only the owner answers: neither a model nor a program does.
 */
export async function elicitFromOwner(
  server: string,
  { message, requestedSchema }: ElicitRequestFormParams,
  { ask }: Pick<EffectContext, "ask">,
  expiresInMs: number,
): Promise<ElicitResult> {
  const { properties, required = [] } = requestedSchema;
  const names = Object.keys(properties).filter((name) => required.includes(name));
  const fields = names.length > 0 ? names : Object.keys(properties).slice(0, 1);
  if (fields.length > maxFields) return { action: "decline" };
  const content: Record<string, Value> = {};
  for (const name of fields) {
    const field = properties[name];
    const question = field && questionOf(server, message, name, field);
    if (!question) return { action: "decline" };
    const answer = await ask(question.asked, { expiresInMs });
    if (!answer) return { action: "cancel" };
    const value = valueOf(answer, question);
    if (value === undefined) return { action: "decline" };
    content[name] = value;
  }
  return { action: "accept", content };
}

interface FieldQuestion {
  readonly asked: NewQuestion;
  /** What each choice means. Undefined for a typed answer. */
  readonly values: ReadonlyMap<string, Value> | undefined;
}

/** Undefined for a field of a kind that the owner cannot type. */
function questionOf(
  server: string,
  message: string,
  name: string,
  field: Field,
): FieldQuestion | undefined {
  const what = field.title ?? name;
  const more = field.description === undefined ? "" : `: ${field.description}`;
  const text = `The MCP server ${server} asks: ${message}\n${what}${more}`.slice(
    0,
    maxTextCharacters,
  );
  const values = valuesOf(field);
  if (values) return { asked: { text, choices: [...values.keys(), skipChoice] }, values };
  const schema = schemaOf(field);
  return schema && { asked: { text, choices: [skipChoice], schema }, values: undefined };
}

function valuesOf(field: Field): ReadonlyMap<string, Value> | undefined {
  if (field.type === "boolean")
    return new Map([
      ["Yes", true],
      ["No", false],
    ]);
  if (field.type !== "string") return undefined;
  if ("oneOf" in field && field.oneOf)
    return new Map(field.oneOf.map(({ const: value, title }) => [title, value]));
  if (!("enum" in field) || !field.enum) return undefined;
  const labels = "enumNames" in field ? (field.enumNames ?? []) : [];
  return new Map(field.enum.map((value, at) => [labels[at] ?? value, value]));
}

function schemaOf(field: Field): AnswerSchema | undefined {
  if (field.type === "number" || field.type === "integer")
    return {
      type: field.type,
      ...omitUndefined({ minimum: field.minimum, maximum: field.maximum }),
    };
  if (field.type !== "string") return undefined;
  const format = "format" in field ? field.format : undefined;
  return {
    type: "string",
    ...(format === "email" || format === "uri" || format === "date" ? { format } : {}),
  };
}

/** Undefined if the owner declined, or a program answered. */
function valueOf(answer: Answer, { asked, values }: FieldQuestion): Value | undefined {
  if ("choice" in answer) return values?.get(answer.choice);
  if (answer.program !== undefined) return undefined;
  if (values) return values.get(answer.typed.trim());
  const read = readAnswer(asked.schema, answer.typed);
  return typeof read === "string" || typeof read === "number" ? read : undefined;
}
