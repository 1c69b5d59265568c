import {
  BronError,
  cleanJsonText,
  cleanText,
  type Approvals,
  type ListApprovals,
  type Sign,
  type Tool,
} from "@bron/core";
import {
  omitUndefined,
  type ApprovalOutcome,
  type ApprovalView,
  type JsonObject,
} from "@bron/protocol";
import { createHash } from "node:crypto";
import { checkChanges, editableOf } from "./editable.ts";
import { approvalToSend } from "./approval-to-send.ts";

/** What a person decides on: the approval, and the digest of what they saw. */
export interface SeenApproval {
  readonly id: string;
  readonly digest: string;
}

export interface ApprovalService {
  get(ownerId: string, approvalId: string): Promise<ApprovalView>;
  /** Oldest first. */
  list(ownerId: string, options?: ListApprovals): Promise<ApprovalView[]>;
  /** `digest` is that of what the person saw. Throws digest_mismatch, approval_closed or not_found, as all of the following. */
  approve(ownerId: string, approvalId: string, digest: string): Promise<ApprovalView>;
  deny(ownerId: string, approvalId: string, digest: string, reason?: string): Promise<ApprovalView>;
  /** The run prepares it anew with these fields, and asks again. Throws invalid_input, in words, for what cannot be edited so. */
  edit(
    ownerId: string,
    approvalId: string,
    digest: string,
    changes: JsonObject,
  ): Promise<ApprovalView>;
  /** What was asked about is not done; the run goes on with these words of the owner. */
  reply(ownerId: string, approvalId: string, digest: string, words: string): Promise<ApprovalView>;
  /** Takes an approval back while its time for that lasts. */
  undo(ownerId: string, approvalId: string): Promise<ApprovalView>;
  /** Each by its own digest, one after the other; one that is refused does not stop the others. */
  approveMany(ownerId: string, seen: readonly SeenApproval[]): Promise<ApprovalOutcome[]>;
  denyMany(
    ownerId: string,
    seen: readonly (SeenApproval & { readonly reason?: string | undefined })[],
  ): Promise<ApprovalOutcome[]>;
  /** The one approval that a run waits for. Without a digest only if there is no doubt which one was seen; throws conflict otherwise. */
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
  /** Between an approval and its beginning. */
  readonly undoMs: number;
}

/** The one-time token of an approval: whoever carries it out makes it again, and only its hash is stored. */
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
    if (!approval) throw new BronError("not_found", `There is no approval ${approvalId}.`);
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
    approveMany: (ownerId, seen) => inTurn(seen, ({ id, digest }) => approve(ownerId, id, digest)),
    denyMany: (ownerId, seen) =>
      inTurn(seen, ({ id, digest, reason }) => deny(ownerId, id, digest, reason)),
    async decideForRun(ownerId, runId, { approved, digest, reason }) {
      const { id, digest: seen } = approvalToSend(await approvals.list(ownerId, { runId }), digest);
      return approved ? await approve(ownerId, id, seen) : await deny(ownerId, id, seen, reason);
    },
  };
}

async function inTurn<Seen extends SeenApproval>(
  seen: readonly Seen[],
  decide: (one: Seen) => Promise<ApprovalView>,
): Promise<ApprovalOutcome[]> {
  const outcomes: ApprovalOutcome[] = [];
  for (const one of seen)
    outcomes.push(
      await decide(one).then(
        (approval) => ({ id: one.id, ok: true as const, approval }),
        (error: unknown) => ({ id: one.id, ok: false as const, error: refusalOf(error) }),
      ),
    );
  return outcomes;
}

/** Those before it have been decided: whatever went wrong with one is its own outcome. */
function refusalOf(error: unknown): Extract<ApprovalOutcome, { ok: false }>["error"] {
  return BronError.is(error)
    ? { code: error.code, message: error.message }
    : { code: "internal", message: "Nobody knows whether it was decided: look at it again." };
}
