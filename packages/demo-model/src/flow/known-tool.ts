import { isObject, type FunctionDeclaration, type JsonObject } from "../wire.ts";

/**
 * A tool that the demo model knows, with its possible names. A declaration matches when it accepts
 * the arguments that the model would send.
 */
export interface KnownTool {
  readonly names: readonly string[];
  readonly takes: readonly string[];
}

export interface OfferedTool {
  readonly name: string;
  /** Keeps only arguments that the tool declares, and adds its defaults for other required ones. */
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
