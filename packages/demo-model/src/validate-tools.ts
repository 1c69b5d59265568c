import { invalidArgument, type GoogleError } from "./google-error.ts";
import { isObject } from "./wire.ts";

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
/** Without `parameters`, the older field for schemas, which no client of ours sends. */
const declarationFields = new Set([
  "name",
  "description",
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
  const { name, parametersJsonSchema } = declaration;
  if (typeof name !== "string" || !functionName.test(name)) {
    return invalidArgument(
      `* GenerateContentRequest.${path}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric ` +
        "(a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.",
    );
  }
  if (names.has(name)) return invalidArgument(`Duplicate function declaration found: ${name}`);
  names.add(name);
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

function unknownName(name: string, path: string): GoogleError {
  return invalidArgument(
    `Invalid JSON payload received. Unknown name "${name}" at '${path}': Cannot find field.`,
  );
}
