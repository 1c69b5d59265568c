// Turns zod schemas into TypeScript-like text for the generated pages of docs/.
import { readFileSync } from "node:fs";
import { z } from "zod";

/** The members of a JSON schema that the generated pages use. */
interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly default?: unknown;
}

type Registry = ReturnType<typeof z.registry<{ id: string }>>;

/** `input` is what callers send, before defaults are filled in. `output` is what they receive. */
export type Direction = "input" | "output";

/** Comments by path, such as `runViewSchema.notDone`. */
type Notes = ReadonlyMap<string, string>;

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly note: string;
}

/** Names of long enumerations, by their values as JSON. */
type EnumNames = ReadonlyMap<string, string>;

interface Described {
  readonly registry: Registry;
  readonly enums: EnumNames;
  readonly direction?: Direction;
  readonly notes?: Notes;
  /** The path at which the notes of this schema start, such as `runViewSchema`. */
  readonly path?: string;
}

/** The type as text. A schema in the registry is written as its name, also at the top level. */
export function typeText(schema: z.ZodType, described: Described): string {
  const id = described.registry.get(schema)?.id;
  return id ?? bodyText(schema, described);
}

/** The type as text, written out even if the registry has a name for it. */
export function bodyText(schema: z.ZodType, described: Described): string {
  const json = toJsonSchema(schema, described);
  const place = {
    enums: described.enums,
    notes: described.notes ?? new Map<string, string>(),
    path: described.path ?? "",
    indent: "",
  };
  const options = json.anyOf ?? json.oneOf;
  return options
    ? options.map((option) => `| ${write(option, { ...place, isInline: true })}`).join("\n")
    : write(json, place);
}

/** The variants of a union of objects, or the object itself, each as a list of fields. */
export function fieldsOf(schema: z.ZodType, described: Described): Field[][] {
  const json = toJsonSchema(schema, described);
  const paths = (described.path ?? "").split(" | ");
  return (json.oneOf ?? json.anyOf ?? [json]).map((variant, index) => {
    const path = paths[index] ?? "";
    return Object.entries(variant.properties ?? {}).map(([name, value]) => ({
      name,
      type: write(value, {
        enums: described.enums,
        notes: new Map(),
        path: "",
        indent: "",
        isInline: true,
      }),
      isRequired: variant.required?.includes(name) === true,
      note: described.notes?.get(`${path}.${name}`) ?? "",
    }));
  });
}

/** A named schema arrives as a reference to a definition, which is resolved here. */
function toJsonSchema(
  schema: z.ZodType,
  { registry, direction = "output" }: Described,
): JsonSchema {
  const json = z.toJSONSchema(schema, {
    metadata: registry,
    io: direction,
    unrepresentable: "any",
  }) as JsonSchema;
  return (json.$ref === undefined ? json : json.$defs?.[nameOf(json.$ref)]) ?? json;
}

/** The comments on the result of a run, for a schema or interface that has its members. */
export function resultNotes(path: string): Notes {
  const notes = readNotes(new URL("../packages/protocol/src/run-result.ts", import.meta.url));
  return new Map([...notes].map(([key, note]) => [key.replace(/^runResultSchema/, path), note]));
}

function nameOf(reference: string): string {
  return reference.replace(/^#\/\$defs\//, "");
}

interface Place {
  readonly enums: EnumNames;
  readonly notes: Notes;
  readonly path: string;
  readonly indent: string;
  /** Writes the type on one line, as a table cell needs it. */
  readonly isInline?: boolean;
}

function write(schema: JsonSchema, place: Place): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return place.enums.get(JSON.stringify(schema.enum)) ?? enumText(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((option) => write(option, place)).join(" | ");
  if (typeof schema.type === "object")
    return schema.type.map((type) => write({ ...schema, type }, place)).join(" | ");
  switch (schema.type) {
    case "array":
      return writeArray(write(schema.items ?? {}, place), schema.items);
    case "object":
      return writeObject(schema, place);
    case "string":
      return formats.get(schema.format ?? "") ?? "string";
    case undefined:
      return "unknown";
    default:
      return schema.type;
  }
}

export function enumText(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

const formats: ReadonlyMap<string, string> = new Map([
  ["uuid", "uuid"],
  ["date-time", "datetime"],
  ["date", "date"],
]);

function writeArray(item: string, schema: JsonSchema = {}): string {
  const isUnion = schema.anyOf !== undefined || schema.oneOf !== undefined;
  return /^\w+$/.test(item) || (item.startsWith("{") && !isUnion) ? `${item}[]` : `(${item})[]`;
}

const maxInlineLength = 72;

function writeObject(schema: JsonSchema, place: Place): string {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0)
    return typeof schema.additionalProperties === "object" ? "object" : "{}";
  const written = entries.map(([name, value]) => {
    const path = `${place.path}.${name}`;
    const key = `${name}${schema.required?.includes(name) === true ? "" : "?"}`;
    const initial = value.default === undefined ? "" : ` = ${JSON.stringify(value.default)}`;
    return {
      note: place.notes.get(path),
      inline: `${key}: ${write(value, { ...place, path, isInline: true })}${initial}`,
      long: `${key}: ${write(value, { ...place, path, indent: `${place.indent}  ` })}${initial}`,
    };
  });
  const inline = `{ ${written.map((entry) => entry.inline).join("; ")} }`;
  const hasNote = written.some(({ note }) => note !== undefined);
  if (place.isInline === true || (inline.length <= maxInlineLength && !hasNote)) return inline;
  const lines = written.map(({ long, note }) =>
    note === undefined
      ? `${place.indent}  ${long};`
      : `${place.indent}  // ${note}\n${place.indent}  ${long};`,
  );
  return `{\n${lines.join("\n")}\n${place.indent}}`;
}

/**
 * The doc comments of a source file, by the path of the member that they precede. Relies on the
 * formatter: a brace opens at the end of a line and closes at the start of one.
 */
export function readNotes(file: URL): Notes {
  const notes = new Map<string, string>();
  const stack: string[] = [];
  let comment: string[] | undefined;
  let isOpen = false;
  let owner = "";
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const text = line.trim();
    if (isOpen || text.startsWith("/**")) {
      comment = [...(isOpen ? (comment ?? []) : []), text.replace(/^\/?\*+\/?|\*+\/$/g, "").trim()];
      isOpen = !text.endsWith("*/");
      continue;
    }
    if (/^[})\]]/.test(text) && text.includes("}")) stack.pop();
    const name = /^(?:export )?(?:interface|const|type) (\w+)|^(?:readonly )?(\w+)\??:/.exec(text);
    owner = name?.[1] ?? name?.[2] ?? owner;
    if (name && comment)
      notes.set([...stack, owner].join("."), comment.join(" ").replace(/\s+/g, " ").trim());
    if (text !== "") comment = undefined;
    if (text.endsWith("{")) stack.push(owner);
  }
  return notes;
}
