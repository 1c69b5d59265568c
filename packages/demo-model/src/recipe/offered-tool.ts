import { isObject, type FunctionDeclaration, type JsonObject } from "../wire.ts";

/** Returns the first declared tool of "name|other name" that takes the arguments. */
export function findTool(
  names: string,
  args: JsonObject,
  declarations: readonly FunctionDeclaration[],
): FunctionDeclaration | undefined {
  return names
    .split("|")
    .flatMap((name) => declarations.filter((declaration) => declaration.name === name))
    .find((declaration) => {
      const { properties, required } = schemaOf(declaration);
      const given = Object.keys(args);
      return (
        (given.length === 0 || given.some((name) => Object.hasOwn(properties, name))) &&
        required.every(
          (name) => Object.hasOwn(args, name) || defaultOf(properties[name]) !== undefined,
        )
      );
    });
}

/** Keeps the arguments that the tool declares, and adds its defaults for other required ones. */
export function fitArguments(declaration: FunctionDeclaration, args: JsonObject): JsonObject {
  const { properties, required } = schemaOf(declaration);
  const missing = required.filter((name) => !Object.hasOwn(args, name));
  return Object.fromEntries([
    ...Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)),
    ...missing.map((name) => [name, defaultOf(properties[name])]),
  ]);
}

function schemaOf({ parametersJsonSchema: schema = {} }: FunctionDeclaration) {
  return {
    properties: isObject(schema["properties"]) ? schema["properties"] : {},
    required: Array.isArray(schema["required"]) ? schema["required"].map(String) : [],
  };
}

function defaultOf(property: unknown): unknown {
  return isObject(property) ? property["default"] : undefined;
}
