import { isObject, type FunctionDeclaration, type JsonObject } from "../wire.ts";

/** A tool that this model knows how to use, under any of its names; a declaration counts when it takes what this model would give it. */
export interface KnownTool {
  readonly names: readonly string[];
  readonly takes: readonly string[];
}

export interface OfferedTool {
  readonly name: string;
  /** Only arguments that the tool declares, and its defaults for what it requires beyond them. */
  fit(args: JsonObject): JsonObject;
}

export type OfferedTools<Role extends string> = Partial<Readonly<Record<Role, OfferedTool>>>;

export function findTools<Role extends string>(
  known: Readonly<Record<Role, KnownTool>>,
  declarations: readonly FunctionDeclaration[],
): OfferedTools<Role> {
  const offered: Partial<Record<Role, OfferedTool>> = {};
  for (const [role, { names, takes }] of Object.entries(known) as [Role, KnownTool][]) {
    for (const declaration of declarations.filter(({ name }) => names.includes(name))) {
      const schema = declaration.parametersJsonSchema ?? declaration.parameters ?? {};
      const properties = isObject(schema["properties"]) ? schema["properties"] : {};
      if (takes.every((name) => Object.hasOwn(properties, name)))
        offered[role] ??= {
          name: declaration.name,
          fit: (args) => fitArguments(args, properties, requiredOf(schema)),
        };
    }
  }
  return offered;
}

function requiredOf(schema: JsonObject): readonly string[] {
  return Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
}

function fitArguments(
  args: JsonObject,
  properties: JsonObject,
  required: readonly string[],
): JsonObject {
  const given = Object.entries(args).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(properties, name),
  );
  const missing = required
    .filter((name) => !given.some(([known]) => known === name))
    .flatMap((name): [string, unknown][] => {
      const property = properties[name];
      return isObject(property) && property["default"] !== undefined
        ? [[name, property["default"]]]
        : [];
    });
  return Object.fromEntries([...given, ...missing]);
}
