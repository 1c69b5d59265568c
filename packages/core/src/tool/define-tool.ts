import {
  omitUndefined,
  type ApprovalBackground,
  type JsonObject,
  type JsonValue,
  type FormReads,
  type WrittenThing,
  type Label,
  type LabelPart,
  type NewQuestion,
  type Origin,
} from "@bron/protocol";
import type { z } from "zod";
import { cleanText } from "../context/clean-text.ts";
import { BronError } from "../errors.ts";
import type { EffectKind } from "../intent/effect-kinds.ts";
import type { FileQuery, FoundFile } from "../intent/found-file.ts";
import type { MentionQuery } from "../intent/find-mention.ts";
import { canonicalJson } from "../policy/canonical-json.ts";
import { guessFacts, type EffectFacts, type Target } from "../policy/effect-facts.ts";
import { normalizeAddress } from "../policy/text/names.ts";
import { serverReader } from "../policy/server-reader.ts";
import { toolDigest } from "./tool-digest.ts";
import { toolInput, type InputOf, type InputSchema } from "./tool-input.ts";
import type {
  AccountReader,
  DraftAccess,
  Editing,
  EffectContext,
  Prepared,
  Reconciliation,
  RestoreContext,
  Tool,
  ToolContext,
  ToolServer,
} from "./tool.ts";

interface CommonDefinition<Input extends InputSchema> {
  readonly name: string;
  readonly description: string;
  /** A zod schema, or a JSON Schema (2020-12 or draft-07) whose type is "object". */
  readonly input: Input;
  readonly timeoutMs?: number;
  readonly group?: string;
  /** Label of the output. By default the output counts as untrusted and private. */
  readonly label?: ToolLabel;
  /**
   * The MCP server that the tool came from, and its name there. Such a tool must be an effect. Its
   * output is untrusted and private, and it asks unless a rule or grant names the server, whatever
   * the server says about it.
   */
  readonly server?: ToolServer;
}

/** `trusted`: only the owner and Bron itself contributed to the output. */
export type ToolLabel =
  | "trusted"
  | {
      readonly origin: Origin | ((output: JsonValue) => Origin);
      readonly isPublic?: boolean;
      readonly readers?: (output: JsonValue) => readonly string[];
      readonly isTrusted?: (output: JsonValue) => boolean;
      /**
       * What the output consists of, so that the owner recognizes it: each email of a search, with
       * its place in the output. Must not throw.
       */
      readonly parts?: (output: JsonValue) => readonly LabelPart[];
    };

interface ReadToolDefinition<Input extends InputSchema> extends CommonDefinition<Input> {
  readonly sideEffect?: false;
  readonly parallelSafe?: boolean;
  /**
   * Whether a retry of the run reuses this tool's result. Set it to false for results that go out
   * of date, such as the time. Default: true.
   */
  readonly reuseOnRetry?: boolean;
  /** May run again after a crash. Set it only if a second run changes nothing. */
  readonly repeatable?: boolean;
  /** What a call reaches, for rules that deny it. By default nothing is known. */
  targets?(input: InputOf<Input>): readonly Target[];
  execute(input: InputOf<Input>, context: ToolContext): Promise<JsonValue> | JsonValue;
  /** The id of an unfinished child run. The tool is called once that run has finished. */
  findRunToAwait?(input: InputOf<Input>, context: ToolContext): Promise<string | undefined>;
  /** The question that this tool asks the owner. See `Tool`. */
  questionOf?(input: InputOf<Input>): NewQuestion;
  /** For a tool that is not repeatable: finds out after a crash whether it ran. */
  reconcile?(input: InputOf<Input>, context: EffectContext): Promise<Reconciliation>;
}

interface EditingDefinition<P extends JsonValue, Changes> {
  /** An object schema whose fields are all optional. */
  readonly fields: z.ZodType<Changes>;
  /** Current values of the fields in a prepared form. */
  valuesOf(prepared: P): JsonObject;
  edit(prepared: P, changes: Changes, context: ToolContext): Promise<PreparedForm<P>>;
}

/** See `Prepared`. */
interface PreparedForm<P extends JsonValue> {
  readonly prepared: P;
  readonly preview: string;
  readonly reads?: FormReads;
}

interface EffectToolDefinition<
  Input extends InputSchema,
  P extends JsonValue,
  Changes = never,
> extends CommonDefinition<Input> {
  readonly sideEffect: true;
  readonly seenBy?: "owner" | "others";
  readonly parallelSafe?: boolean;
  /**
   * Creates the final form of the effect, e.g. the bytes of an email. By default the validated
   * input is the final form.
   */
  prepare?(input: InputOf<Input>, context: ToolContext): Promise<PreparedForm<P>> | PreparedForm<P>;
  /**
   * Version of the prepared form. Increase it when the shape of the form changes. Forms of an older
   * version are then prepared again.
   */
  readonly formVersion?: number;
  /**
   * Reports whom and what the effect reaches. By default every address and host in the prepared
   * form counts.
   */
  facts?(prepared: NoInfer<P>): EffectFacts;
  /**
   * What the effect is, in terms of the owner's words. Without it, the owner is asked about every
   * call once the run has read text of others.
   */
  readonly effectKind?: EffectKind;
  /** Finds whom and what the owner's words mean, in the accounts of this effect. */
  findMention?(
    query: MentionQuery,
    prepared: NoInfer<P>,
    context: ToolContext,
  ): Promise<readonly string[]>;
  /**
   * The things that the effect wrote and that stay in the owner's accounts. What is read of them
   * later carries the labels of this run.
   */
  wrote?(prepared: NoInfer<P>, output: JsonValue): readonly WrittenThing[];
  /** Finds the files that the owner's words mean, in the accounts of this effect. */
  findFiles?(
    query: FileQuery,
    prepared: NoInfer<P>,
    context: ToolContext,
  ): Promise<readonly FoundFile[]>;
  /** What the owner may want to see beside an approval. By default nothing. */
  background?(prepared: NoInfer<P>, reader: AccountReader): Promise<ApprovalBackground | undefined>;
  /** Set for a tool that leaves a draft. */
  readonly draft?: DraftAccess<NoInfer<P>>;
  /** What the owner may change before deciding. By default nothing. */
  readonly editing?: EditingDefinition<NoInfer<P>, Changes>;
  execute(prepared: P, context: EffectContext): Promise<JsonValue> | JsonValue;
  reconcile?(prepared: P, context: EffectContext): Promise<Reconciliation>;
  /** Writes back what the effect replaced. See `Tool`. */
  restore?(
    prepared: NoInfer<P>,
    previous: Uint8Array,
    context: RestoreContext,
  ): Promise<"restored" | "changed">;
}

/** Names that a provider does not accept get an alias. See `extendModelNames`. */
const namePattern = /^[a-zA-Z_][a-zA-Z0-9_.:/@-]{0,199}$/;
const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 86_400_000;

export function defineTool<Input extends InputSchema>(definition: ReadToolDefinition<Input>): Tool;
export function defineTool<Input extends InputSchema, P extends JsonValue, Changes = never>(
  definition: EffectToolDefinition<Input, P, Changes>,
): Tool;
export function defineTool(
  definition:
    | ReadToolDefinition<InputSchema>
    | EffectToolDefinition<InputSchema, JsonValue, unknown>,
): Tool {
  checkName(definition.name);
  checkServer(definition.sideEffect === true ? definition : { ...definition, sideEffect: false });
  const timeoutMs = timeoutOf(definition);
  const { reconcile } = definition;
  const findRunToAwait =
    definition.sideEffect === true ? undefined : definition.findRunToAwait?.bind(definition);
  const questionOf =
    definition.sideEffect === true ? undefined : definition.questionOf?.bind(definition);
  const effectKind = definition.sideEffect === true ? definition.effectKind : undefined;
  const findMention =
    definition.sideEffect === true ? definition.findMention?.bind(definition) : undefined;
  const findFiles =
    definition.sideEffect === true ? definition.findFiles?.bind(definition) : undefined;
  const background =
    definition.sideEffect === true ? definition.background?.bind(definition) : undefined;
  const restore = definition.sideEffect === true ? definition.restore?.bind(definition) : undefined;
  const draft = definition.sideEffect === true ? definition.draft : undefined;
  const targetsOf =
    definition.sideEffect === true ? undefined : definition.targets?.bind(definition);
  const editing = definition.sideEffect === true ? definition.editing : undefined;
  const { server } = definition;
  const input = toolInput(definition.input, definition.name);
  const declared = {
    name: definition.name,
    description: definition.description,
    inputJsonSchema: input.inputJsonSchema,
    sideEffect: definition.sideEffect ?? false,
    seenBy: seenByOf(definition),
    repeatable: definition.sideEffect === true ? false : (definition.repeatable ?? false),
    ...omitUndefined({ server }),
  } as const;
  let digest: Promise<string> | undefined;
  return {
    ...declared,
    parseInput: input.parseInput,
    digest: () => (digest ??= toolDigest(declared)),
    formVersion: definition.sideEffect === true ? (definition.formVersion ?? 1) : 1,
    parallelSafe: definition.parallelSafe ?? false,
    reuseOnRetry: definition.sideEffect === true ? true : (definition.reuseOnRetry ?? true),
    timeoutMs,
    ...omitUndefined({ group: definition.group }),
    labelOf: (value) =>
      server
        ? { ...labelOf(undefined, value), readers: [serverReader(server.name)] }
        : labelOf(definition.label, value),
    factsOf: (prepared) =>
      definition.sideEffect === true && definition.facts
        ? definition.facts(prepared)
        : guessFacts(prepared),
    wroteOf: (prepared, output) =>
      definition.sideEffect === true ? (definition.wrote?.(prepared, output) ?? []) : [],
    prepare: async (input, context): Promise<Prepared> => {
      if (definition.sideEffect === true && definition.prepare)
        return await definition.prepare(input, context);
      return {
        prepared: input as JsonValue,
        preview: `${definition.name} ${canonicalJson(input)}`,
      };
    },
    execute: async (input, context) => await definition.execute(input as JsonValue, context),
    ...omitUndefined({ findRunToAwait, questionOf, effectKind, findMention, findFiles, targetsOf }),
    ...omitUndefined({ background, draft, restore }),
    ...(editing ? { editing: toEditing(editing) } : {}),
    ...(reconcile
      ? {
          reconcile: async (prepared: unknown, context: EffectContext) =>
            await reconcile(prepared as JsonValue, context),
        }
      : {}),
  };
}

/** Throws invalid_input. */
function timeoutOf({
  name,
  timeoutMs = defaultTimeoutMs,
}: {
  readonly name: string;
  readonly timeoutMs?: number;
}): number {
  if (Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= maxTimeoutMs) return timeoutMs;
  throw new BronError(
    "invalid_input",
    `${name}: timeoutMs must be an integer from 1 to ${maxTimeoutMs} (one day).`,
  );
}

/** A server sees what its tools get, whatever it says. */
function seenByOf({
  sideEffect,
  seenBy = "others",
  server,
}: {
  readonly sideEffect?: boolean;
  readonly seenBy?: "owner" | "others";
  readonly server?: ToolServer;
}): "owner" | "others" {
  if (sideEffect !== true) return "owner";
  return server ? "others" : seenBy;
}

function checkName(name: string): void {
  if (!namePattern.test(name) || name === "__proto__")
    throw new BronError(
      "invalid_input",
      `"${name}" is not a valid tool name. Use at most 200 letters, digits and _ - . : / @, and start with a letter or _.`,
    );
}

const serverPattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;
const serverToolPattern = /^[a-zA-Z0-9_./-]{1,128}$/;

function checkServer({
  name,
  server,
  sideEffect,
  effectKind,
}: Pick<CommonDefinition<InputSchema>, "name" | "server"> & {
  readonly sideEffect?: boolean;
  readonly effectKind?: EffectKind;
}): void {
  if (server === undefined) return;
  if (!serverPattern.test(server.name) || !serverToolPattern.test(server.tool))
    throw new BronError(
      "invalid_input",
      `${name}: server.name may have 64 letters, digits and _ . -, and server.tool 128 letters, digits and _ . / -.`,
    );
  if (effectKind !== undefined)
    throw new BronError(
      "invalid_input",
      `${name}: a tool of a server cannot have an effectKind. Only rules and grants allow it.`,
    );
  if (sideEffect !== true)
    throw new BronError(
      "invalid_input",
      `${name}: a tool of a server must have sideEffect: true. Bron cannot check that it only reads.`,
    );
}

/** Validates the owner's changes again at the point of use. */
function toEditing({ fields, valuesOf, edit }: EditingDefinition<JsonValue, unknown>): Editing {
  return {
    fields,
    valuesOf,
    async edit(prepared, changes, context) {
      const parsed = fields.safeParse(changes);
      if (parsed.success) return await edit(prepared, parsed.data, context);
      const problems = parsed.error.issues.map(
        ({ path, message }) => `${path.join(".") || "changes"}: ${message}`,
      );
      throw new BronError("invalid_arguments", problems.join("; "));
    },
  };
}

function labelOf(label: ToolLabel | undefined, value: JsonValue): Label {
  if (label === "trusted") return { origin: "system", trusted: true, private: false, readers: [] };
  const { origin = "tool", isPublic = false, readers, isTrusted, parts } = label ?? {};
  const shownParts = parts?.(value).map(shortPart) ?? [];
  return {
    origin: typeof origin === "function" ? origin(value) : origin,
    trusted: isTrusted?.(value) === true,
    private: !isPublic,
    readers: readers
      ? [...new Set(readers(value).map(normalizeAddress))].filter((reader) => reader.includes("@"))
      : [],
    ...(shownParts.length === 0 ? {} : { parts: shownParts }),
  };
}

const maxItemCharacters = 200;

/** Others choose titles and names, so they are shortened. */
function shortPart({ item, ...part }: LabelPart): LabelPart {
  const short = (text: string | undefined) =>
    text === undefined ? undefined : cleanText(text.slice(0, maxItemCharacters));
  const { title, author, date } = item;
  const rest = omitUndefined({ author: short(author), date: short(date) });
  return { ...part, item: { kind: item.kind, title: short(title) ?? "", ...rest } };
}
