import {
  BronError,
  cleanJsonText,
  cleanText,
  type Approvals,
  type ListApprovals,
  type Tool,
} from "@bron/core";
import {
  closingReasonOf,
  omitUndefined,
  type ApprovalOutcome,
  type ApprovalView,
  type JsonObject,
  type Sign,
} from "@bron/protocol";
import { createHash } from "node:crypto";
import { checkChanges, editableOf } from "./editable.ts";
import { findApprovalToDecide } from "./find-approval-to-decide.ts";

/** What a person decides on: the approval, and the digest of the content they saw. */
export interface SeenApproval {
  readonly id: string;
  readonly digest: string;
}

export interface ApprovalService {
  get(ownerId: string, approvalId: string): Promise<ApprovalView>;
  /** Oldest first. */
  list(ownerId: string, options?: ListApprovals): Promise<ApprovalView[]>;
  /**
   * `digest` is the digest of the content that the person saw. Like the following methods, it
   * throws digest_mismatch, approval_closed or not_found.
   */
  approve(ownerId: string, approvalId: string, digest: string): Promise<ApprovalView>;
  deny(ownerId: string, approvalId: string, digest: string, reason?: string): Promise<ApprovalView>;
  /**
   * The run prepares a new version with these fields and asks for approval again. Throws
   * invalid_input, with an explanation, if the fields cannot be edited like this.
   */
  edit(
    ownerId: string,
    approvalId: string,
    digest: string,
    changes: JsonObject,
  ): Promise<ApprovalView>;
  /**
   * Requests changes in words. The effect is not carried out, and the run continues with the reply.
   */
  reply(ownerId: string, approvalId: string, digest: string, words: string): Promise<ApprovalView>;
  /** Undoes an approval during the undo window. */
  undo(ownerId: string, approvalId: string): Promise<ApprovalView>;
  /**
   * Decides each approval by its own digest, one after the other. A failed decision does not stop
   * the others.
   */
  approveMany(ownerId: string, seen: readonly SeenApproval[]): Promise<ApprovalOutcome[]>;
  denyMany(
    ownerId: string,
    seen: readonly (SeenApproval & { readonly reason?: string | undefined })[],
  ): Promise<ApprovalOutcome[]>;
  /**
   * Decides the only pending approval of a run. Throws conflict if there is no digest and it is
   * unclear which approval the person saw.
   */
  decideForRun(
    ownerId: string,
    runId: string,
    decision: {
      readonly approved: boolean;
      readonly digest?: string | undefined;
      readonly reason?: string | undefined;
    },
  ): Promise<ApprovalView>;
}

export interface ApprovalsDeps {
  readonly approvals: Approvals;
  readonly sign: Sign;
  readonly tools: ReadonlyMap<string, Tool>;
  /** The delay between an approval and the start of its effect. */
  readonly undoMs: number;
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

export function createApprovals({
  approvals,
  sign,
  tools,
  undoMs,
}: ApprovalsDeps): ApprovalService {
  const shown = (approval: ApprovalView): ApprovalView => {
    const editable = approval.state === "pending" ? editableOf(tools, approval) : undefined;
    return editable === undefined ? approval : { ...approval, editable };
  };
  const get = async (ownerId: string, approvalId: string) => {
    const approval = await approvals.get(ownerId, approvalId);
    if (!approval) throw new BronError("not_found", `Approval ${approvalId} not found.`);
    return shown(approval);
  };
  const approve: ApprovalService["approve"] = (ownerId, approvalId, digest) =>
    approvals.decide({
      ownerId,
      approvalId,
      digest,
      approved: true,
      tokenHash: approvalTokenHash(sign, approvalId, digest),
      undoMs,
    });
  const deny: ApprovalService["deny"] = (ownerId, approvalId, digest, reason) =>
    approvals.decide({
      ownerId,
      approvalId,
      digest,
      approved: false,
      ...omitUndefined({ reason: reason === undefined ? undefined : cleanText(reason) }),
    });
  return {
    get,
    list: async (ownerId, options = {}) => (await approvals.list(ownerId, options)).map(shown),
    approve,
    deny,
    async edit(ownerId, approvalId, digest, changes) {
      const checked = checkChanges(
        tools,
        await get(ownerId, approvalId),
        JSON.parse(cleanJsonText(JSON.stringify(changes))) as JsonObject,
      );
      return await approvals.edit({ ownerId, approvalId, digest, changes: checked });
    },
    async reply(ownerId, approvalId, digest, words) {
      const reply = cleanText(words).trim();
      if (reply === "")
        throw new BronError("invalid_input", "Your reply is empty. Describe what should change.");
      if (reply.length > maxReplyCharacters)
        throw new BronError(
          "too_large",
          `Your reply is too long: ${reply.length} characters (the limit is ${maxReplyCharacters}).`,
        );
      return await approvals.decide({ ownerId, approvalId, digest, approved: false, reply });
    },
    undo: (ownerId, approvalId) => approvals.undo(ownerId, approvalId),
    approveMany: (ownerId, seen) =>
      decideEach(seen, ({ id, digest }) => approve(ownerId, id, digest)),
    denyMany: (ownerId, seen) =>
      decideEach(seen, ({ id, digest, reason }) => deny(ownerId, id, digest, reason)),
    async decideForRun(ownerId, runId, { approved, digest, reason }) {
      const { id, digest: seen } = findApprovalToDecide(
        await approvals.list(ownerId, { runId }),
        digest,
      );
      return approved ? await approve(ownerId, id, seen) : await deny(ownerId, id, seen, reason);
    },
  };
}

async function decideEach<Seen extends SeenApproval>(
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
