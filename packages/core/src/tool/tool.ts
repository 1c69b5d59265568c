import type { JsonObject, JsonValue, Label } from "@bron/protocol";
import type { z } from "zod";
import type { EffectFacts } from "../policy/effect-facts.ts";
import type { NewArtifact } from "../ports.ts";
import type { CardKind, CardPayload } from "@bron/protocol";

export interface ToolContext {
  readonly runId: string;
  readonly ownerId: string;
  readonly actionId: string;
  /** The most that an attachment of this run may have. */
  readonly maxAttachmentBytes: number;
  /** Aborts at the tool's time limit, when the run is stopped, and when the lease is lost. */
  readonly signal: AbortSignal;
  /** A progress line for people; written with the run's next append. */
  log(message: string, level?: "info" | "warn" | "error"): void;
  /** Throws invalid_arguments with the failing path when the payload does not fit the card. */
  showCard<K extends CardKind>(kind: K, payload: CardPayload<K>): void;
  saveArtifact(
    artifact: Omit<NewArtifact, "ownerId" | "runId">,
  ): Promise<{ artifactId: string; digest: string }>;
  /** Bytes that a run of this owner saved. */
  readArtifact(digest: string): Promise<Uint8Array | undefined>;
}

export interface EffectContext extends ToolContext {
  readonly effectId: string;
  /** 1 for the first try under this approval. */
  readonly attempt: number;
  /**
   * To be called right before something leaves. Throws effect_not_done unless a person's approval of exactly this effect has been
   * used up for this attempt, or a rule allowed it; proved anew from the database and the instance's secret.
   */
  requireApproval(): Promise<void>;
  /** What an earlier, interrupted look into this attempt kept. */
  readonly evidence: JsonValue | undefined;
  /**
   * For `reconcile`: keeps what this look has found, before the look destroys the evidence for it. Resolves once it is in the log, so that
   * the next look knows it even if this worker dies right after.
   */
  keepEvidence(evidence: JsonValue): Promise<void>;
}

export interface Prepared {
  /** Exactly what would be done, as data: it is digested, approved and later executed as it stands. */
  readonly prepared: JsonValue;
  /** The same for a person. */
  readonly preview: string;
}

export type Reconciliation =
  | { readonly state: "done"; readonly output: JsonValue }
  /** Proved: nothing happened, and nothing of that attempt can still happen. */
  | { readonly state: "not_done" }
  | { readonly state: "unknown"; readonly check?: string };

/** How a person may change what a tool prepared, before they decide on it. */
export interface Editing {
  /** An object of which every field may be left out. */
  readonly fields: z.ZodType;
  /** The fields as they stand in a prepared form. */
  valuesOf(prepared: JsonValue): JsonObject;
  /** The whole form anew, with the changes. Reads, never changes. May throw: what was shown before stays. */
  edit(prepared: JsonValue, changes: JsonObject, context: ToolContext): Promise<Prepared>;
}

/** A tool as the loop sees it. Made by `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodType;
  /** What the model is shown. */
  readonly inputJsonSchema: JsonObject;
  /** Changes something outside Bron: ledger, approval, at most once. */
  readonly sideEffect: boolean;
  /** Who can see what it does outside. What only the owner sees, such as a draft in their own mailbox, needs no approval. */
  readonly seenBy: "owner" | "others";
  /** Of the forms that it prepares and carries out. */
  readonly formVersion: number;
  /** May run while other parallel-safe tools of the same run do. */
  readonly parallelSafe: boolean;
  /** May simply run again after a crash. */
  readonly repeatable: boolean;
  /** What it returns is true only for the moment: a run that is tried again asks anew. */
  readonly isMomentary: boolean;
  readonly timeoutMs: number;
  /** Counted together against a cap, e.g. `gmail`. */
  readonly group?: string;
  /** Where what it returned came from, and who knows it already. */
  labelOf(value: JsonValue): Label;
  /** Whom and what a prepared form reaches. */
  factsOf(prepared: JsonValue): EffectFacts;
  /** Side-effect tools only. Reads, never changes. May throw: the action fails and nothing happened. */
  prepare(input: unknown, context: ToolContext): Promise<Prepared>;
  /** Side-effect tools whose prepared forms a person may change. */
  readonly editing?: Editing;
  /**
   * Gets the validated input, or the prepared form for a side-effect tool. Resolves only when it is done.
   * A side-effect tool throws BronError `effect_not_done` when the answer proves that nothing happened; any other throw is doubt.
   * With `retryable: true` it is attempted again, after `details.retryAfterMs` if that is given.
   * Any tool throws `missing_credentials` with `details.provider` before it did anything: the run parks until that account is connected.
   */
  execute(input: unknown, context: EffectContext): Promise<JsonValue>;
  /** Finds out after a crash or an unclear answer. Without it, doubt stays doubt. May throw: it is asked again. */
  readonly reconcile?: (prepared: unknown, context: EffectContext) => Promise<Reconciliation>;
}
