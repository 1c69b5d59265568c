import type {
  Answer,
  ApprovalBackground,
  DraftView,
  ExpiryMeaning,
  FormReads,
  JsonObject,
  JsonValue,
  Label,
  NewQuestion,
  Place,
  Writer,
  WrittenThing,
} from "@bron/protocol";
import type { z } from "zod";
import type { EffectKind } from "../intent/effect-kinds.ts";
import type { FileQuery, FoundFile } from "../intent/found-file.ts";
import type { MentionQuery } from "../intent/find-mention.ts";
import type { EffectFacts, Target } from "../policy/effect-facts.ts";
import type { RunLabels } from "../policy/run-labels.ts";
import type { NewArtifact } from "../ports/runs/artifacts.ts";
import type { ReadableSkill } from "../ports/skills.ts";
import type { CardKind, CardPayload } from "@bron/protocol";

export interface ToolContext {
  readonly runId: string;
  readonly ownerId: string;
  readonly actionId: string;
  readonly bronId: string;
  /** Where the run must be advanced, and so where this call happens. Absent or null: anywhere. */
  readonly place?: Place | null;
  /** Where what the run has read came from, and who knows it. */
  labels(): Promise<RunLabels>;
  /** Maximum size of an attachment in this run. */
  readonly maxAttachmentBytes: number;
  /** Aborts at the tool's time limit, when the run is canceled, and when the lease is lost. */
  readonly signal: AbortSignal;
  /** Logs a progress line for the owner. It is written with the run's next append. */
  log(message: string, level?: "info" | "warn" | "error"): void;
  /**
   * Shows the owner how far this call is, for example "12 of 40 pages", in place of the last such
   * message. It is not written to the log, so it may be called often.
   */
  reportProgress(message: string): void;
  /** Throws invalid_arguments with the failing path when the payload does not match the card. */
  showCard<K extends CardKind>(kind: K, payload: CardPayload<K>): void;
  saveArtifact(
    artifact: Omit<NewArtifact, "ownerId" | "runId">,
  ): Promise<{ artifactId: string; digest: string }>;
  /** Reads bytes that a run of this owner saved. */
  readArtifact(digest: string): Promise<Uint8Array | undefined>;
  /** Reads a long output of this run. Undefined if the run has none with this id. */
  readOutput(outputId: string): Promise<string | undefined>;
  /** Reads a skill of this run, in the version that the run pinned. Undefined if it has none. */
  readSkill(name: string): Promise<ReadableSkill | undefined>;
  /** The runs that wrote a thing. Empty if Bron did not write it. */
  writersOf(thing: WrittenThing): Promise<readonly Writer[]>;
}

export interface EffectContext extends ToolContext {
  readonly effectId: string;
  /** 1 for the first attempt under this approval. */
  readonly attempt: number;
  /**
   * Call this right before anything leaves. Throws effect_not_done unless an approval of exactly
   * this effect has been used up for this attempt, or a rule allowed it. The check uses the
   * database and the instance's secret.
   */
  requireApproval(): Promise<void>;
  /**
   * Asks the owner something in the middle of the call, which goes on meanwhile. Resolves with the
   * answer, or with undefined if none came in time or the call ended. One question at a time.
   */
  ask(
    question: NewQuestion,
    options: { readonly expiresInMs: number },
  ): Promise<Answer | undefined>;
  /** Evidence that an earlier, interrupted reconcile call of this attempt saved. */
  readonly evidence: JsonValue | undefined;
  /**
   * Saves the text that this effect is about to replace, so that the owner can restore it. Resolves
   * once it is in the log. The tool then needs `restore`.
   */
  keepPrevious(artifact: Omit<NewArtifact, "ownerId" | "runId" | "kind">): Promise<void>;
  /**
   * For `reconcile`: saves evidence before the call destroys it. Resolves once it is in the log, so
   * that the next reconcile call has it even if this worker dies immediately afterwards.
   */
  keepEvidence(evidence: JsonValue): Promise<void>;
}

/** What `restore` of a tool gets. */
export interface RestoreContext {
  readonly ownerId: string;
  readonly signal: AbortSignal;
}

export interface Prepared {
  /** Exactly what will be done, as data. It is digested, approved and later executed unchanged. */
  readonly prepared: JsonValue;
  /** The same in readable form, for the owner. */
  readonly preview: string;
  /** What was read to prepare it. It is judged like a result, though the model does not see it. */
  readonly reads?: FormReads;
}

export type Reconciliation =
  | { readonly state: "done"; readonly output: JsonValue }
  /** It is proven that nothing happened, and that nothing of that attempt can still happen. */
  | { readonly state: "not_done" }
  | { readonly state: "unknown"; readonly check?: string };

/** How the owner may change a prepared form before deciding. */
export interface Editing {
  /** An object schema whose fields are all optional. */
  readonly fields: z.ZodType;
  /** Current values of the fields in a prepared form. */
  valuesOf(prepared: JsonValue): JsonObject;
  /**
   * Creates the complete form again, with the changes. Must only read. May throw: the original
   * version stays.
   */
  edit(prepared: JsonValue, changes: JsonObject, context: ToolContext): Promise<Prepared>;
}

/** The owner whose account is read outside of a run, and the signal that aborts the read. */
export interface AccountReader {
  readonly ownerId: string;
  readonly signal: AbortSignal;
}

/**
 * What becomes of a draft that a tool left in an account. The owner may edit, send and delete it
 * without Bron.
 */
export interface DraftAccess<P = JsonValue> {
  /** Must only read. May throw. */
  read(prepared: P, draftId: string, reader: AccountReader): Promise<Omit<DraftView, "effectId">>;
  /** Deletes it, because the owner asked for it. Repeating it changes nothing. May throw. */
  discard(prepared: P, draftId: string, reader: AccountReader): Promise<void>;
}

/** How another program carries out a tool. */
export interface ClientSide {
  /** One word for people: `page`, `editor`. */
  readonly program: string;
  /** How long the program has, from the start of the action. */
  readonly deadlineMs: number;
  /** What it means if a program took the action and sent no result in time. */
  readonly ifExpired: ExpiryMeaning;
  /** What the program sends. Another result is rejected. */
  readonly outputSchema: z.ZodType;
}

/** An MCP server, by the name that the owner's rules use. */
export interface ToolServer {
  readonly name: string;
  /** The name that the tool has at the server. */
  readonly tool: string;
}

type ParsedInput =
  | { readonly ok: true; readonly value: JsonValue }
  /** Each problem names its place: `attendees[2].email: Invalid email address`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** A tool as the loop sees it. Created by `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Validates the arguments of a call, and fills in defaults. Must not throw. */
  parseInput(input: JsonValue): ParsedInput;
  /** The input schema that the model sees. */
  readonly inputJsonSchema: JsonObject;
  /** The digest of what models and the policy know of the tool. Computed once. */
  digest(): Promise<string>;
  /**
   * Changes something outside Bron. Such calls are in the ledger, need an approval and happen at
   * most once.
   */
  readonly sideEffect: boolean;
  /**
   * Who can see the change. A change that only the owner sees, such as a draft in their own
   * mailbox, needs no approval.
   */
  readonly seenBy: "owner" | "others";
  /** Version of the prepared forms. */
  readonly formVersion: number;
  /** May run in parallel with other parallel-safe tools of the same run. */
  readonly parallelSafe: boolean;
  /** May run again after a crash. */
  readonly repeatable: boolean;
  /**
   * Whether a retry of the run reuses the result. False for results that go out of date, such as
   * the time.
   */
  readonly reuseOnRetry: boolean;
  readonly timeoutMs: number;
  /** Tools of one group count together against a cap, e.g. `gmail`. */
  readonly group?: string;
  /** The server that the tool came from. The policy asks about its calls unless a rule names it. */
  readonly server?: ToolServer;
  /** Where the output came from, and who already knows it. */
  labelOf(value: JsonValue): Label;
  /** What the effect is, in terms of the owner's words. Undefined for a tool they cannot ask for. */
  readonly effectKind?: EffectKind;
  /** Whom and what a prepared form reaches. */
  factsOf(prepared: JsonValue): EffectFacts;
  /** The things that the effect wrote, by its form and its output. */
  wroteOf(prepared: JsonValue, output: JsonValue): readonly WrittenThing[];
  /** Finds whom and what the owner's words mean. See `FindMention`. */
  findMention?(
    query: MentionQuery,
    prepared: JsonValue,
    context: ToolContext,
  ): Promise<readonly string[]>;
  /** Finds the files that the owner's words mean. See `FindFiles`. */
  findFiles?(
    query: FileQuery,
    prepared: JsonValue,
    context: ToolContext,
  ): Promise<readonly FoundFile[]>;
  /** For tools that only read: what a call reaches. Must not throw. */
  readonly targetsOf?: (input: unknown) => readonly Target[];
  /**
   * For side-effect tools only. Must only read. May throw: the action fails and nothing happened.
   */
  prepare(input: unknown, context: ToolContext): Promise<Prepared>;
  /** Set for side-effect tools whose prepared forms the owner may edit. */
  readonly editing?: Editing;
  /**
   * Reads what the owner may want to see beside the approval of a prepared form. Undefined if there
   * is nothing to see. Must only read. May throw.
   */
  background?(prepared: JsonValue, reader: AccountReader): Promise<ApprovalBackground | undefined>;
  /** For a tool whose `wroteOf` names the draft that it leaves. */
  readonly draft?: DraftAccess;
  /**
   * Gets the validated input, or the prepared form for a side-effect tool. Resolves only when it is
   * done.
   * A side-effect tool throws BronError `effect_not_done` when the response proves that nothing
   * happened. Any other error leaves the outcome unknown. With `retryable: true` it is attempted
   * again, after `details.retryAfterMs` if set.
   * Any tool throws `missing_credentials` with `details.provider` before it does anything. The run
   * then parks until that account is connected.
   */
  execute(input: unknown, context: EffectContext): Promise<JsonValue>;
  /**
   * For a repeatable read tool whose result depends on a child run: the id of that run while it is
   * unfinished. The run then parks, and the tool is called again once that run has finished.
   */
  readonly findRunToAwait?: (input: unknown, context: ToolContext) => Promise<string | undefined>;
  /**
   * For a tool that asks the owner: the question for a validated input. The loop asks it, and the
   * answer is the tool's result, so `execute` is never called.
   */
  readonly questionOf?: (input: unknown) => NewQuestion;
  /**
   * Set for a tool that another program carries out. `execute` is never called. The program gets
   * the validated input or the prepared form, and its result is the tool's.
   */
  readonly client?: ClientSide;
  /**
   * Finds out after a crash or an unclear response whether the effect happened. Without it, the
   * outcome stays unknown. May throw: it is called again. If it keeps failing, the owner sees the
   * message of a BronError as advice on what to check.
   */
  readonly reconcile?: (prepared: unknown, context: EffectContext) => Promise<Reconciliation>;
  /**
   * Writes what the effect replaced back, if what the effect wrote is still there unchanged. Must be
   * idempotent: if the previous text is there already, it is `restored`. The owner has asked for it.
   */
  readonly restore?: (
    prepared: JsonValue,
    previous: Uint8Array,
    context: RestoreContext,
  ) => Promise<"restored" | "changed">;
}
