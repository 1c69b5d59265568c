import type { Client } from "@bron/client";
import { omitUndefined, type ApprovalView } from "@bron/protocol";
import { readChanges } from "./read-changes.ts";

export interface DecideOptions {
  readonly digest?: string;
  readonly reason?: string;
  /** With `edit`: one `field=value` per value. */
  readonly set?: readonly string[];
  /** With `reply`. */
  readonly words?: string;
  /** With `reply`: texts that are not the owner's words. */
  readonly context?: string[];
  readonly wordsFromStdin?: boolean;
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

export type Verdict = "approve" | "deny" | "edit" | "reply";

interface VerdictWords {
  readonly question: string;
  readonly done: string;
  decide(
    call: Client["call"],
    approval: ApprovalView,
    options: DecideOptions & { readonly digest: string },
  ): Promise<ApprovalView>;
}

/** How each way to decide an approval asks, reports and sends it. */
export const verdicts: Readonly<Record<Verdict, VerdictWords>> = {
  approve: {
    question: "Approve?",
    done: "Approved.",
    decide: (call, { id }, { digest }) =>
      call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } }),
  },
  deny: {
    question: "Deny this?",
    done: "Denied.",
    decide: (call, { id }, { digest, reason }) =>
      call("POST /api/approvals/:id/deny", { params: { id }, body: { digest, reason } }),
  },
  edit: {
    question: "Apply this edit?",
    done: "Edited. Review the new version below.",
    decide: (call, approval, { digest, set = [] }) =>
      call("POST /api/approvals/:id/edit", {
        params: { id: approval.id },
        body: { digest, changes: readChanges(approval, set) },
      }),
  },
  reply: {
    question: "Request this change?",
    done: "Change requested. Nothing was sent.",
    decide: (call, { id }, { digest, words = "", context }) =>
      call("POST /api/approvals/:id/reply", {
        params: { id },
        body: { digest, words, ...omitUndefined({ context }) },
      }),
  },
};
