import {
  omitUndefined,
  type JsonObject,
  type JsonValue,
  type Label,
  type Origin,
} from "@bron/protocol";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { canonicalJson } from "../policy/canonical-json.ts";
import { guessFacts, type EffectFacts } from "../policy/effect-facts.ts";
import { normaliseAddress } from "../policy/names.ts";
import type {
  Editing,
  EffectContext,
  Prepared,
  Reconciliation,
  Tool,
  ToolContext,
} from "./tool.ts";

interface CommonDefinition<Input extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly timeoutMs?: number;
  readonly group?: string;
  /** Of what it returns. Without it, it counts as written by others and private. */
  readonly label?: ToolLabel;
}

/** `trusted`: nobody but the owner and Bron itself had a hand in it. */
export type ToolLabel =
  | "trusted"
  | {
      readonly origin: Origin;
      readonly isPublic?: boolean;
      readonly readers?: (output: JsonValue) => readonly string[];
      readonly isTrusted?: (output: JsonValue) => boolean;
    };

export interface ReadToolDefinition<Input extends z.ZodType> extends CommonDefinition<Input> {
  readonly sideEffect?: false;
  readonly parallelSafe?: boolean;
  /** True only for the moment, such as the time: a run that is tried again asks anew. */
  readonly isMomentary?: boolean;
  /** May run again after a crash. Say so only if a second run changes nothing. */
  readonly repeatable?: boolean;
  execute(input: z.output<Input>, context: ToolContext): Promise<JsonValue> | JsonValue;
  /** For a tool that is not repeatable: finds out after a crash whether it had run. */
  reconcile?(input: z.output<Input>, context: EffectContext): Promise<Reconciliation>;
}

interface EditingDefinition<P extends JsonValue, Changes> {
  /** An object of which every field may be left out. */
  readonly fields: z.ZodType<Changes>;
  /** The fields as they stand in a prepared form. */
  valuesOf(prepared: P): JsonObject;
  edit(
    prepared: P,
    changes: Changes,
    context: ToolContext,
  ): Promise<{ prepared: P; preview: string }>;
}

export interface EffectToolDefinition<
  Input extends z.ZodType,
  P extends JsonValue,
  Changes = never,
> extends CommonDefinition<Input> {
  readonly sideEffect: true;
  readonly seenBy?: "owner" | "others";
  readonly parallelSafe?: boolean;
  /** Final form of the effect, e.g. the bytes of a mail. Without it the validated input is the final form. */
  prepare?(
    input: z.output<Input>,
    context: ToolContext,
  ): Promise<{ prepared: P; preview: string }> | { prepared: P; preview: string };
  /** Of the prepared form. Raise it when the shape of the form changes: what an older Bron prepared is then prepared again. */
  readonly formVersion?: number;
  /** Whom and what it reaches. Without it, every address and host in the prepared form counts. */
  facts?(prepared: NoInfer<P>): EffectFacts;
  /** What a person may change of it before they decide; without it nothing. */
  readonly editing?: EditingDefinition<NoInfer<P>, Changes>;
  execute(prepared: P, context: EffectContext): Promise<JsonValue> | JsonValue;
  reconcile?(prepared: P, context: EffectContext): Promise<Reconciliation>;
}

const namePattern = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 86_400_000;

export function defineTool<Input extends z.ZodType>(definition: ReadToolDefinition<Input>): Tool;
export function defineTool<Input extends z.ZodType, P extends JsonValue, Changes = never>(
  definition: EffectToolDefinition<Input, P, Changes>,
): Tool;
export function defineTool(
  definition: ReadToolDefinition<z.ZodType> | EffectToolDefinition<z.ZodType, JsonValue, unknown>,
): Tool {
  if (!namePattern.test(definition.name)) {
    throw new BronError(
      "invalid_input",
      `"${definition.name}" cannot be a tool's name: letters, digits, _ and -, at most 64, beginning with a letter.`,
    );
  }
  const timeoutMs = definition.timeoutMs ?? defaultTimeoutMs;
  if (!Number.isInteger(timeoutMs) || timeoutMs <= 0 || timeoutMs > maxTimeoutMs)
    throw new BronError(
      "invalid_input",
      `${definition.name}: timeoutMs must be whole milliseconds, at most a day.`,
    );
  const { reconcile } = definition;
  const editing = definition.sideEffect === true ? definition.editing : undefined;
  return {
    name: definition.name,
    description: definition.description,
    inputSchema: definition.input,
    inputJsonSchema: jsonSchemaOf(definition.input),
    sideEffect: definition.sideEffect ?? false,
    seenBy: definition.sideEffect === true ? (definition.seenBy ?? "others") : "owner",
    formVersion: definition.sideEffect === true ? (definition.formVersion ?? 1) : 1,
    parallelSafe: definition.parallelSafe ?? false,
    repeatable: definition.sideEffect === true ? false : (definition.repeatable ?? false),
    isMomentary: definition.sideEffect === true ? false : (definition.isMomentary ?? false),
    timeoutMs,
    ...omitUndefined({ group: definition.group }),
    labelOf: (value) => labelOf(definition.label, value),
    factsOf: (prepared) =>
      definition.sideEffect === true && definition.facts
        ? definition.facts(prepared)
        : guessFacts(prepared),
    prepare: async (input, context): Promise<Prepared> => {
      if (definition.sideEffect === true && definition.prepare)
        return await definition.prepare(input, context);
      return {
        prepared: input as JsonValue,
        preview: `${definition.name} ${canonicalJson(input)}`,
      };
    },
    execute: async (input, context) => await definition.execute(input as JsonValue, context),
    ...(editing ? { editing: toEditing(editing) } : {}),
    ...(reconcile
      ? {
          reconcile: async (prepared: unknown, context: EffectContext) =>
            await reconcile(prepared as JsonValue, context),
        }
      : {}),
  };
}

/** What was typed is checked where it is used, too. */
function toEditing({ fields, valuesOf, edit }: EditingDefinition<JsonValue, unknown>): Editing {
  return {
    fields,
    valuesOf,
    edit: async (prepared, changes, context) =>
      await edit(prepared, fields.parse(changes), context),
  };
}

function labelOf(label: ToolLabel | undefined, value: JsonValue): Label {
  if (label === "trusted") return { origin: "system", trusted: true, private: false, readers: [] };
  const { origin = "tool", isPublic = false, readers, isTrusted } = label ?? {};
  return {
    origin,
    trusted: isTrusted?.(value) === true,
    private: !isPublic,
    readers: readers ? [...new Set(readers(value).map(normaliseAddress))] : [],
  };
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return rest as JsonObject;
}
