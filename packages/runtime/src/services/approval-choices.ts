import {
  BronError,
  cleanContext,
  cleanJsonText,
  cleanText,
  type Approvals,
  type Permissions,
  type Rates,
  type Tool,
} from "@bron/core";
import {
  closingReasonOf,
  omitUndefined,
  type ApprovalOutcome,
  type ApprovalView,
  type EffectSetting,
  type JsonObject,
  type Sign,
} from "@bron/protocol";
import { createHash } from "node:crypto";
import { checkChanges } from "./editable.ts";

/** What a person decides on: the approval, and the digest of the content they saw. */
interface SeenApproval {
  readonly id: string;
  readonly digest: string;
}

/**
 * The decisions on approvals. `digest` is the digest of the content that the person saw. All throw
 * digest_mismatch, approval_closed or not_found.
 */
interface ApprovalChoices {
  approve(ownerId: string, seen: SeenApproval): Promise<ApprovalView>;
  deny(ownerId: string, seen: SeenApproval, reason: string | undefined): Promise<ApprovalView>;
  /**
   * The run prepares a new version with these fields and asks for approval again. Throws
   * invalid_input, with an explanation, if the fields cannot be edited like this.
   */
  edit(
    ownerId: string,
    seen: SeenApproval,
    edit: { readonly changes: JsonObject; readonly program?: string | undefined },
  ): Promise<ApprovalView>;
  /**
   * Requests changes in words. The effect is not carried out, and the run continues with the reply.
   */
  reply(
    ownerId: string,
    seen: SeenApproval,
    said: {
      readonly words: string;
      readonly context?: readonly string[] | undefined;
      /** See `UserMessage`. */
      readonly program?: string | undefined;
    },
  ): Promise<ApprovalView>;
}

export interface ApprovalChoicesDeps {
  readonly approvals: Approvals;
  readonly sign: Sign;
  readonly tools: ReadonlyMap<string, Tool>;
  /** How long a decision can be undone before the run acts on it, for kinds without a setting. */
  readonly undoMs: number;
  readonly permissions: Pick<Permissions, "effectSettingOf">;
  readonly rates: Rates;
}

/**
 * The hash of the one-time token of an approval. The executor derives the token again. Only the
 * hash is stored.
 */
export function approvalTokenHash(sign: Sign, approvalId: string, digest: string): string {
  return createHash("sha256")
    .update(sign("approval-token", `${approvalId}\n${digest}`))
    .digest("hex");
}

const maxReplyCharacters = 20_000;

export function approvalChoices({
  approvals,
  sign,
  tools,
  undoMs,
  permissions,
  rates,
}: ApprovalChoicesDeps): ApprovalChoices {
  const undoMsOf = ({ undoSeconds }: EffectSetting) =>
    undoSeconds === null ? undoMs : undoSeconds * 1_000;
  return {
    async approve(ownerId, { id: approvalId, digest }) {
      const setting = await permissions.effectSettingOf(ownerId, approvalId);
      return await withinRate(rates, ownerId, setting, () =>
        approvals.decide({
          ownerId,
          approvalId,
          digest,
          approved: true,
          tokenHash: approvalTokenHash(sign, approvalId, digest),
          undoMs: undoMsOf(setting),
        }),
      );
    },
    async deny(ownerId, { id: approvalId, digest }, reason) {
      const setting = await permissions.effectSettingOf(ownerId, approvalId);
      return await approvals.decide({
        ownerId,
        approvalId,
        digest,
        approved: false,
        undoMs: undoMsOf(setting),
        ...omitUndefined({ reason: reason === undefined ? undefined : cleanText(reason) }),
      });
    },
    async edit(ownerId, { id: approvalId, digest }, { changes, program }) {
      const checked = checkChanges(
        tools,
        await findApproval(approvals, ownerId, approvalId),
        JSON.parse(cleanJsonText(JSON.stringify(changes))) as JsonObject,
      );
      return await approvals.edit({
        ownerId,
        approvalId,
        digest,
        changes: checked,
        ...omitUndefined({ program }),
      });
    },
    async reply(ownerId, { id: approvalId, digest }, { words, context = [], program }) {
      const reply = cleanText(words).trim();
      if (reply === "")
        throw new BronError("invalid_input", "Your reply is empty. Describe what should change.");
      const characters = [reply, ...context].reduce((sum, text) => sum + text.length, 0);
      if (characters > maxReplyCharacters)
        throw new BronError(
          "too_large",
          `Your reply is too long: ${characters} characters (the limit is ${maxReplyCharacters}).`,
        );
      return await approvals.decide({
        ownerId,
        approvalId,
        digest,
        approved: false,
        reply,
        ...omitUndefined({ context: cleanContext(context), program }),
      });
    },
  };
}

const rateWindowMs = 60_000;

/**
 * Counts the approval against the owner's rate for this kind of effect. An approval that is not
 * accepted does not count. Throws rate_limited.
 */
async function withinRate<T>(
  rates: Rates,
  ownerId: string,
  { kind, approvalsPerMinute }: EffectSetting,
  approve: () => Promise<T>,
): Promise<T> {
  if (approvalsPerMinute === null) return await approve();
  const key = `approve:${kind}:${ownerId}`;
  const turn = { key, limit: approvalsPerMinute, windowMs: rateWindowMs };
  const taken = await rates.take([turn]);
  if (!taken.ok)
    throw new BronError(
      "rate_limited",
      `You allow ${approvalsPerMinute} approvals of this kind in a minute. Wait ${Math.ceil(taken.retryAfterMs / 1_000)} seconds, or change it in your permissions.`,
      { details: { retryAfterMs: taken.retryAfterMs } },
    );
  try {
    return await approve();
  } catch (error) {
    await rates.refund([key], 1);
    throw error;
  }
}

/** Throws not_found. */
export async function findApproval(
  approvals: Pick<Approvals, "get">,
  ownerId: string,
  id: string,
): Promise<ApprovalView> {
  const approval = await approvals.get(ownerId, id);
  if (!approval) throw new BronError("not_found", `Approval ${id} not found.`);
  return approval;
}

/**
 * Decides each approval by its own digest, one after the other. A failed decision does not stop the
 * others.
 */
export async function decideEach<Seen extends SeenApproval>(
  seen: readonly Seen[],
  decide: (approvalSeen: Seen) => Promise<ApprovalView>,
): Promise<ApprovalOutcome[]> {
  const outcomes: ApprovalOutcome[] = [];
  for (const approvalSeen of seen)
    outcomes.push(
      await decide(approvalSeen).then(
        (approval) => ({ id: approvalSeen.id, ok: true as const, approval }),
        (error: unknown) => ({
          id: approvalSeen.id,
          ok: false as const,
          error: toOutcomeError(error),
        }),
      ),
    );
  return outcomes;
}

/**
 * The earlier decisions of the batch are committed, so a failure is reported as the outcome of its
 * own approval.
 */
function toOutcomeError(error: unknown): Extract<ApprovalOutcome, { ok: false }>["error"] {
  return BronError.is(error)
    ? {
        code: error.code,
        message: error.message,
        ...omitUndefined({ why: closingReasonOf(error.details) }),
      }
    : {
        code: "internal",
        message: "Could not confirm whether this was decided. Check the approval again.",
      };
}
