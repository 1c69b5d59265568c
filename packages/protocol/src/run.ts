import { z } from "zod";
import type { Settlement } from "./audit.ts";
import { capsSchema } from "./caps.ts";
import type { Caps } from "./caps.ts";
import type { ErrorCode } from "./errors.ts";
import type { Difference } from "./events.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ActionState, ApprovalState, EffectState, RunStatus } from "./states.ts";
import type { Risk } from "./trust.ts";

export const maxPromptBytes = 200_000;

export const attachedContextSchema = z.object({
  type: z.enum(["email", "calendar_event", "briefing"]),
  id: z.string().min(1).max(500),
  title: z.string().max(2_000).optional(),
  snippet: z.string().max(20_000).optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type AttachedContext = z.infer<typeof attachedContextSchema>;

/** What a door hands over to begin a run. The size of the task is checked by `createBron`, with a code of its own. */
export const createRunSchema = z.strictObject({
  prompt: z.string(),
  title: z.string().max(200).optional(),
  bronId: z.uuid().optional(),
  threadId: z.uuid().optional(),
  attachedContext: z.array(attachedContextSchema).max(12).optional(),
  caps: capsSchema.partial().optional(),
  /** Starts no earlier than so many milliseconds from now. */
  delayMs: z.number().int().nonnegative().max(366 * 86_400_000).optional(),
});
export type CreateRun = z.input<typeof createRunSchema>;

export interface RunView {
  readonly id: string;
  readonly ownerId: string;
  readonly bronId: string;
  readonly threadId: string;
  readonly parentRunId: string | null;
  /** The run that this one tries again. */
  readonly retryOf: string | null;
  readonly title: string;
  readonly prompt: string;
  readonly status: RunStatus;
  readonly cancelRequested: boolean;
  /** It wants to be advanced: false while it is parked or over, true again as soon as a decision has come. */
  readonly runnable: boolean;
  readonly summary: string | null;
  readonly error: { code: ErrorCode; message: string } | null;
  readonly caps: Caps;
  readonly lastSeq: number;
  readonly spentMicrousd: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export interface ActionView {
  readonly id: string;
  readonly runId: string;
  readonly step: number;
  readonly tool: string;
  readonly state: ActionState;
  readonly input: JsonValue;
  readonly output: JsonValue | null;
  readonly error: { code: ErrorCode; message: string } | null;
}

export interface EffectView {
  readonly id: string;
  readonly runId: string;
  readonly actionId: string;
  readonly tool: string;
  readonly state: EffectState;
  readonly digest: string;
  readonly attempts: number;
  readonly deadlineAt: string | null;
  readonly outcome: JsonValue | null;
  /** What the owner said of one that ended as unknown. */
  readonly settled: { readonly as: Settlement; readonly at: string; readonly note: string | null } | null;
}

export interface ApprovalView {
  readonly id: string;
  readonly runId: string;
  readonly actionId: string;
  readonly effectId: string;
  readonly tool: string;
  readonly state: ApprovalState;
  readonly digest: string;
  readonly reason: string;
  readonly preview: string;
  readonly prepared: JsonValue;
  /** Values that untrusted text may have chosen. */
  readonly risks: readonly Risk[];
  /** What the owner changed, if this took the place of one that they edited. */
  readonly difference: readonly Difference[];
  /** The fields that can be edited, as they stand; absent if it cannot be edited, or not any more. */
  readonly editable?: JsonObject;
  /** What the owner said instead of deciding. */
  readonly answer: string | null;
  /** Approved, it begins no earlier, and can be taken back until then. */
  readonly undoUntil: string | null;
  readonly decisionReason: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
}

/** What came of one of several decisions. */
export type ApprovalOutcome =
  | { readonly id: string; readonly ok: true; readonly approval: ApprovalView }
  | { readonly id: string; readonly ok: false; readonly error: { readonly code: ErrorCode; readonly message: string } };

export interface ArtifactView {
  readonly id: string;
  readonly runId: string;
  readonly kind: string;
  readonly name: string;
  readonly mediaType: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly data: JsonObject | null;
  readonly createdAt: string;
}

/** What a page must know of the Bron that it belongs to. */
export interface AboutView {
  readonly version: string;
  /** Accounts are simulated; `/api/demo` shows them. */
  readonly demoMail: boolean;
  readonly demoModel: boolean;
  readonly model: string;
  /** Tasks that work here. */
  readonly suggestions: readonly string[];
}

/** An outside service and the owner's account there, if one is connected. */
export interface ConnectionView {
  readonly provider: string;
  readonly account: string | null;
  readonly scopes: readonly { readonly scope: string; readonly why: string; readonly granted: boolean }[];
}
