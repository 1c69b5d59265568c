import type { ApiQuery, ApprovalView, JsonObject } from "@bron/protocol";

export interface ApprovalChoice {
  readonly ownerId: string;
  readonly approvalId: string;
  /** The digest of what the owner saw. */
  readonly digest: string;
  readonly approved: boolean;
  readonly reason?: string;
  /** Hash of the one-time token. The executor must be able to derive the same token. */
  readonly tokenHash?: string;
  /** The run acts on the decision after this delay. The owner can undo it until then. */
  readonly undoMs?: number;
  /**
   * The owner's reply instead of a yes or no. It closes the approval, and the run gets the text as
   * a user message.
   */
  readonly reply?: string;
  /** Texts that came with the reply. Never empty. */
  readonly context?: readonly string[];
  /** Set if a program sent the reply. It is not the owner's words then. */
  readonly program?: string;
}

interface Edit {
  readonly ownerId: string;
  readonly approvalId: string;
  /** The digest of what the owner saw. */
  readonly digest: string;
  /** Fields as the tool's `editing.fields` schema defines them. The caller validates them. */
  readonly changes: JsonObject;
  /** Set if a program edited it. The new values are not the owner's then. */
  readonly program?: string;
}

/**
 * The query of `GET /api/approvals`. `idPrefix` is in lower case. `limit` defaults to 500. `after`
 * is the id of the newest approval of the previous page.
 */
export interface ListApprovals extends Readonly<
  Partial<Omit<ApiQuery<"GET /api/approvals">, "pending">>
> {
  readonly pendingOnly?: boolean | undefined;
}

export interface Approvals {
  get(ownerId: string, approvalId: string): Promise<ApprovalView | undefined>;
  /** Oldest first. */
  list(ownerId: string, options: ListApprovals): Promise<ApprovalView[]>;
  /**
   * Decides once and wakes the run in the same transaction. Throws not_found, digest_mismatch or
   * approval_closed.
   */
  decide(choice: ApprovalChoice): Promise<ApprovalView>;
  /**
   * Supersedes the approval and wakes the run, which prepares the edited version and asks again.
   * Throws like `decide`.
   */
  edit(edit: Edit): Promise<ApprovalView>;
  /**
   * Undoes an approval before its effect may start, or a denial before the run gets it. An approval
   * is denied then. A denied one is pending again. Throws not_found or approval_closed.
   */
  undo(ownerId: string, approvalId: string): Promise<ApprovalView>;
  /**
   * Hides a pending approval from counts until `until` (epoch milliseconds), or shows it again if
   * that is undefined. Throws not_found or approval_closed.
   */
  snooze(ownerId: string, approvalId: string, until: number | undefined): Promise<ApprovalView>;
  /** The token hash of an approval that an attempt has used up. */
  usedTokenHash(ownerId: string, approvalId: string): Promise<string | undefined>;
  /** Expires overdue approvals and wakes their runs. Returns the number of approvals. */
  expireDue(): Promise<number>;
}
