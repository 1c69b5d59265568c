import { invalidArgument, type GoogleError } from "./google-error.ts";
import { isObject, type JsonObject } from "./wire.ts";

const functionName = /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/;
const toolKinds = new Set([
  "functionDeclarations",
  "googleSearch",
  "urlContext",
  "codeExecution",
  "fileSearch",
  "googleMaps",
  "enterpriseWebSearch",
]);
const declarationFields = new Set([
  "name",
  "description",
  "parameters",
  "parametersJsonSchema",
  "response",
  "responseJsonSchema",
  "behavior",
]);

/** Checks the tools of a request as the Gemini API does, and returns the API's error. */
export function validateTools(tools: unknown): GoogleError | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return invalidArgument("Invalid value at 'tools' (repeated field)");
  const names = new Set<string>();
  for (const [toolIndex, tool] of tools.entries()) {
    if (!isObject(tool)) return invalidArgument(`Invalid value at 'tools[${toolIndex}]'`);
    const unknown = Object.keys(tool).find((kind) => !toolKinds.has(kind));
    if (unknown !== undefined) return unknownName(unknown, `tools[${toolIndex}]`);
    const declarations = tool["functionDeclarations"] ?? [];
    if (!Array.isArray(declarations))
      return invalidArgument(
        `Invalid value at 'tools[${toolIndex}].function_declarations' (repeated field)`,
      );
    for (const [index, declaration] of declarations.entries()) {
      const error = validateDeclaration(
        declaration,
        `tools[${toolIndex}].function_declarations[${index}]`,
        names,
      );
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function validateDeclaration(
  declaration: unknown,
  path: string,
  names: Set<string>,
): GoogleError | undefined {
  if (!isObject(declaration)) return invalidArgument(`Invalid value at '${path}'`);
  const unknown = Object.keys(declaration).find((field) => !declarationFields.has(field));
  if (unknown !== undefined) return unknownName(unknown, path);
  const { name, parameters, parametersJsonSchema } = declaration;
  if (typeof name !== "string" || !functionName.test(name)) {
    return invalidArgument(
      `* GenerateContentRequest.${path}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric ` +
        "(a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.",
    );
  }
  if (names.has(name)) return invalidArgument(`Duplicate function declaration found: ${name}`);
  names.add(name);
  if (parameters !== undefined && parametersJsonSchema !== undefined) {
    return invalidArgument(
      `* GenerateContentRequest.${path}: parameters and parameters_json_schema must not both be set.`,
    );
  }
  if (parameters !== undefined) return validateParameters(parameters, `${path}.parameters`);
  if (
    parametersJsonSchema !== undefined &&
    (!isObject(parametersJsonSchema) || (parametersJsonSchema["type"] ?? "object") !== "object")
  ) {
    return invalidArgument(
      `* GenerateContentRequest.${path}.parameters_json_schema: schema should be of type object.`,
    );
  }
  return undefined;
}

function validateParameters(schema: unknown, path: string): GoogleError | undefined {
  const error = validateSchema(schema, path);
  if (error !== undefined) return error;
  return typeOf(schema as JsonObject) === "OBJECT"
    ? undefined
    : invalidArgument(
        `* GenerateContentRequest.${path}.type: parameters schema should be of type OBJECT.`,
      );
}

/** https://ai.google.dev/api/caching#Schema */
const schemaFields = new Set(
  "type format title description nullable enum items maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default minimum maximum".split(
    " ",
  ),
);
const schemaTypes = new Set(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"]);

function validateSchema(schema: unknown, path: string): GoogleError | undefined {
  if (!isObject(schema))
    return invalidArgument(
      `Invalid value at '${path}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Schema)`,
    );
  const unknown = Object.keys(schema).find((field) => !schemaFields.has(field));
  if (unknown !== undefined) return unknownName(unknown, path);
  if (Array.isArray(schema["type"]))
    return invalidArgument(
      `Invalid JSON payload received. Unknown name "type" at '${path}': Proto field is not repeating, cannot start list.`,
    );
  const type = typeOf(schema);
  if (type === undefined ? schema["anyOf"] === undefined : !schemaTypes.has(type))
    return invalidArgument(
      `Invalid value at '${path}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${String(schema["type"])}"`,
    );
  if (schema["enum"] !== undefined && type !== "STRING")
    return invalidArgument(`* GenerateContentRequest.${path}.enum: only allowed for STRING type`);
  if (type === "ARRAY" && schema["items"] === undefined)
    return invalidArgument(`* GenerateContentRequest.${path}.items: missing field.`);
  return validateChildren(schema, path);
}

function validateChildren(schema: JsonObject, path: string): GoogleError | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const undefinedAt = required.findIndex((name) => !Object.hasOwn(properties, String(name)));
  if (undefinedAt >= 0)
    return invalidArgument(
      `* GenerateContentRequest.${path}.required[${undefinedAt}]: property is not defined`,
    );
  const children: (readonly [string, unknown])[] = Object.entries(properties).map(
    ([name, child]) => [`${path}.properties[${name}]`, child],
  );
  if (schema["items"] !== undefined) children.push([`${path}.items`, schema["items"]]);
  if (Array.isArray(schema["anyOf"]))
    for (const [index, child] of schema["anyOf"].entries())
      children.push([`${path}.any_of[${index}]`, child]);
  for (const [childPath, child] of children) {
    const error = validateSchema(child, childPath);
    if (error !== undefined) return error;
  }
  return undefined;
}

function typeOf(schema: JsonObject): string | undefined {
  return typeof schema["type"] === "string" ? schema["type"].toUpperCase() : undefined;
}

function unknownName(name: string, path: string): GoogleError {
  return invalidArgument(
    `Invalid JSON payload received. Unknown name "${name}" at '${path}': Cannot find field.`,
  );
}
