import { isObject, type FunctionDeclaration } from "../wire.ts";
import type { Step } from "./step.ts";

export type ToolKind = Exclude<Step["kind"], "unclear">;

/** The tools that the demo model knows. A declaration matches by name and parameters. */
const knownTools: Readonly<
  Record<
    ToolKind,
    {
      readonly names: readonly string[];
      readonly takes: readonly string[];
      readonly mayTake?: readonly string[];
    }
  >
> = {
  calculate: { names: ["calculator"], takes: ["expression"] },
  clock: { names: ["clock"], takes: [], mayTake: ["timezone"] },
  write: { names: ["notes_write", "note_write"], takes: ["title", "text"] },
  list: { names: ["notes_list", "note_list"], takes: [] },
  read: { names: ["notes_read", "note_read"], takes: ["title"] },
  post: { names: ["post_note"], takes: ["board", "text"] },
};

export interface OfferedTool {
  readonly name: string;
  readonly parameters: readonly string[];
}

export type OfferedTools = Partial<Readonly<Record<ToolKind, OfferedTool>>>;

export function findOfferedTools(declarations: readonly FunctionDeclaration[]): OfferedTools {
  const offered: Partial<Record<ToolKind, OfferedTool>> = {};
  for (const [kind, { names, takes, mayTake = [] }] of Object.entries(knownTools) as [
    ToolKind,
    (typeof knownTools)[ToolKind],
  ][]) {
    for (const declaration of declarations.filter(({ name }) => names.includes(name))) {
      const { parameters, required } = readParameters(declaration);
      const fits =
        takes.every((name) => parameters.includes(name)) &&
        required.every((name) => takes.includes(name) || mayTake.includes(name));
      if (fits) offered[kind] ??= { name: declaration.name, parameters };
    }
  }
  return offered;
}

function readParameters({ parameters, parametersJsonSchema }: FunctionDeclaration): {
  readonly parameters: readonly string[];
  readonly required: readonly string[];
} {
  const schema = parametersJsonSchema ?? parameters ?? {};
  return {
    parameters: isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [],
    required: Array.isArray(schema["required"]) ? schema["required"].map(String) : [],
  };
}
