import { api, problemSchema, type Endpoint, type JsonObject } from "@bron/protocol";
import { z } from "zod";
import { split } from "../door.ts";
import { namedSchemas } from "./named-schemas.ts";

type Schema = JsonObject;

/** The table of endpoints as OpenAPI 3.1. */
export function describeApi(version: string): JsonObject {
  const schemas: Record<string, Schema> = {};
  const schemaOf = (schema: z.ZodType, io: "input" | "output"): Schema => hoist(z.toJSONSchema(schema, { metadata: namedSchemas, io, unrepresentable: "any", override: ({ jsonSchema }) => void delete jsonSchema.readOnly }) as Schema, schemas);
  const problem = schemaOf(problemSchema, "output");
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [key, endpoint] of Object.entries(api) as [string, Endpoint][]) {
    const [method, path] = split(key);
    const address = path.replace(/:(\w+)/g, "{$1}");
    paths[address] = { ...paths[address], [method.toLowerCase()]: operationOf(key, endpoint, schemaOf) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Bron", version, description: "A personal agent that works in the background. Nothing leaves without a rule or a human that allowed exactly that." },
    servers: [{ url: "/" }],
    tags: [...new Set(Object.values(api).map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ session: [] }, { token: [] }],
    paths,
    components: {
      schemas,
      responses: { Problem: { description: "What went wrong, by code and in words, and what to do next.", content: { "application/problem+json": { schema: problem } } } },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "bron_session_4310", description: "The name ends with the port. Firebase's session cookie, where that is configured." },
        token: { type: "http", scheme: "bearer", description: "A personal token: POST /api/tokens." },
      },
    },
  };
}

type SchemaOf = (schema: z.ZodType, io: "input" | "output") => Schema;

function operationOf(key: string, endpoint: Endpoint, schemaOf: SchemaOf): Schema {
  const { summary, tag, scope, status = 200, body, also = {}, takesBytes, rate } = endpoint;
  const content: JsonObject | undefined = takesBytes ? { "application/octet-stream": {} } : body && { "application/json": { schema: schemaOf(body, "input") } };
  return {
    operationId: idOf(key),
    summary,
    tags: [tag],
    ...(scope === "open" ? { security: [] } : { description: `A token needs the scope \`${scope}\`.` }),
    parameters: parametersOf(key, endpoint, schemaOf),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [status]: answerOf(endpoint, schemaOf),
      ...Object.fromEntries(Object.entries(also).map(([other, description]) => [other, { ...(Number(other) === 204 ? {} : answerOf(endpoint, schemaOf)), description }])),
      ...(rate === undefined ? {} : { 429: { description: "Too many at once.", headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } }, content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } } }),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function answerOf({ answer, summary }: Endpoint, schemaOf: SchemaOf): JsonObject {
  if (answer === "nothing") return { description: "Done." };
  const content: JsonObject = typeof answer === "string" ? { [answer]: {} } : { "application/json": { schema: schemaOf(answer, "output") } };
  return { description: summary, content };
}

function parametersOf(key: string, { query, idempotent }: Endpoint, schemaOf: SchemaOf): JsonObject[] {
  const [, path] = split(key);
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({ name, in: "query", required: !(schema as z.ZodType).safeParse(undefined).success, schema: schemaOf(schema as z.ZodType, "output") }));
  const headers = idempotent === true ? [{ name: "Idempotency-Key", in: "header", required: false, schema: { type: "string", maxLength: 255 }, description: "The same key gives the same run." }] : [];
  return [...inPath, ...inQuery, ...headers];
}

/** `POST /api/runs/:id/cancel` is `postRunsIdCancel`. */
function idOf(key: string): string {
  const words = key.replace("/api/", "/").split(/[^A-Za-z0-9]+/).filter(Boolean);
  return words.map((word, at) => (at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1))).join("");
}

/** Named schemas stand once, among the components. */
function hoist(schema: Schema, into: Record<string, Schema>): Schema {
  const { $defs = {}, $schema: _, id, ...rest } = schema;
  const moved = (value: Schema) => JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema;
  for (const [name, definition] of Object.entries($defs as Record<string, Schema>)) into[name] = moved(withoutId(definition));
  if (typeof id !== "string") return moved(rest);
  into[id] = moved(rest);
  return { $ref: `#/components/schemas/${id}` };
}

function withoutId({ id: _, ...schema }: Schema): Schema {
  return schema;
}
