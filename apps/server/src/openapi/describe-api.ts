import { api, problemSchema, type Endpoint, type JsonObject } from "@bron/protocol";
import { z } from "zod";
import { split } from "../register-endpoint.ts";
import { namedSchemas } from "./named-schemas.ts";

type Schema = JsonObject;

/** Describes the table of endpoints as OpenAPI 3.1. */
export function describeApi(
  version: string,
  { port, pages }: { readonly port: number; readonly pages: readonly string[] },
): JsonObject {
  const schemas: Record<string, Schema> = {};
  const schemaOf = (schema: z.ZodType, io: "input" | "output"): Schema =>
    hoist(
      z.toJSONSchema(schema, {
        metadata: namedSchemas,
        io,
        unrepresentable: "any",
        override: ({ jsonSchema }) => void delete jsonSchema.readOnly,
      }) as Schema,
      schemas,
    );
  const problem = schemaOf(problemSchema, "output");
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [key, endpoint] of Object.entries(api) as [string, Endpoint][]) {
    const [method, path] = split(key);
    const address = path.replace(/:(\w+)/g, "{$1}");
    paths[address] = {
      ...paths[address],
      [method.toLowerCase()]: operationOf(key, endpoint, schemaOf),
    };
  }
  for (const path of pages) paths[path.replace(/:(\w+)/g, "{$1}")] = { get: pageAt(path) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Bron",
      version,
      description: "A personal agent that works in the background and asks before it acts.",
    },
    servers: [{ url: "/" }],
    tags: [...new Set(Object.values(api).map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ session: [] }, { token: [] }],
    paths,
    components: {
      schemas,
      responses: {
        Problem: {
          description: "The error's code, what happened, and what to do next.",
          content: { "application/problem+json": { schema: problem } },
        },
      },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: `bron_session_${port}`,
          description: "Firebase's session cookie, where that is configured.",
        },
        token: {
          type: "http",
          scheme: "bearer",
          description: "An API token: POST /api/tokens.",
        },
      },
    },
  };
}

type SchemaOf = (schema: z.ZodType, io: "input" | "output") => Schema;

function operationOf(key: string, endpoint: Endpoint, schemaOf: SchemaOf): Schema {
  const {
    summary,
    tag,
    scope,
    alsoScope,
    status = 200,
    body,
    also = {},
    takesBytes,
    rate,
  } = endpoint;
  const content: JsonObject | undefined = takesBytes
    ? { "application/octet-stream": {} }
    : body && { "application/json": { schema: schemaOf(body, "input") } };
  return {
    operationId: idOf(key),
    summary,
    tags: [tag],
    ...(scope === "open"
      ? { security: [] }
      : {
          description: `A token needs the scope \`${scope}\`${alsoScope === undefined ? "" : ` and \`${alsoScope}\``}.`,
        }),
    parameters: parametersOf(key, endpoint, schemaOf),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [status]: responseOf(endpoint, schemaOf),
      ...Object.fromEntries(
        Object.entries(also).map(([other, { summary: meaning, response = endpoint.response }]) => [
          other,
          { ...responseOf({ ...endpoint, response }, schemaOf), description: meaning },
        ]),
      ),
      ...(rate === undefined && endpoint.response !== "text/event-stream"
        ? {}
        : {
            429: {
              description: "Too many requests.",
              headers: {
                "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
              },
              content: {
                "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
              },
            },
          }),
      default:
        endpoint.response === "text/html"
          ? {
              description: "An error page for people, or a problem.",
              content: {
                "text/html": {},
                "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
              },
            }
          : { $ref: "#/components/responses/Problem" },
    },
  };
}

function responseOf({ response, summary }: Endpoint, schemaOf: SchemaOf): JsonObject {
  if (response === "nothing") return { description: "Done." };
  const content: JsonObject =
    typeof response === "string"
      ? { [response]: {} }
      : { "application/json": { schema: schemaOf(response, "output") } };
  return { description: summary, content };
}

function parametersOf(
  route: string,
  { query, idempotent, headers = {} }: Endpoint,
  schemaOf: SchemaOf,
): JsonObject[] {
  const [, path] = split(route);
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(schema as z.ZodType, "output"),
  }));
  const understood = Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    schema: { type: "string" },
    description,
  }));
  const key =
    idempotent === true
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            required: false,
            schema: { type: "string", maxLength: 255 },
            description: "Repeating a request with the same key returns the same run.",
          },
        ]
      : [];
  return [...inPath, ...inQuery, ...understood, ...key];
}

function pageAt(path: string): JsonObject {
  const isFile = path.startsWith("/assets/");
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return {
    operationId: idOf(`GET ${path === "/" ? "/home" : path} page`),
    summary: isFile ? "An asset of the web app." : "A page of the web app.",
    tags: ["Page"],
    parameters,
    responses: {
      200: {
        description: isFile ? "The asset." : "The page.",
        content: { [isFile ? "application/octet-stream" : "text/html"]: {} },
      },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

/** `POST /api/runs/:id/cancel` is `postRunsIdCancel`. */
function idOf(key: string): string {
  const words = key
    .replace("/api/", "/")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return words
    .map((word, at) =>
      at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join("");
}

/** Moves named schemas to the components, so that each appears once. */
function hoist(schema: Schema, into: Record<string, Schema>): Schema {
  const { $defs = {}, $schema: _, id, ...rest } = schema;
  const moved = (value: Schema) =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema;
  for (const [name, definition] of Object.entries($defs as Record<string, Schema>))
    into[name] = moved(withoutId(definition));
  if (typeof id !== "string") return moved(rest);
  into[id] = moved(rest);
  return { $ref: `#/components/schemas/${id}` };
}

function withoutId({ id: _, ...schema }: Schema): Schema {
  return schema;
}
