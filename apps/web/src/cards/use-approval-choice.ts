import { omitUndefined, type ApprovalView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../api.ts";
import { decisionQueue } from "../live/approval-queue.ts";
import { queries } from "../live/queries.ts";
import type { Decision } from "./approval-choices.tsx";
import { dropDecisionDrafts } from "./approval-drafts.ts";

/** The states that each decision can lead to. */
const outcomes: Readonly<Record<Decision["kind"], readonly ApprovalView["state"][]>> = {
  approve: ["approved", "used"],
  deny: ["denied"],
  edit: ["superseded"],
  reply: ["denied"],
};

interface DecisionOptions {
  readonly onStart?: (decision: Decision) => void;
  readonly onDecided?: (decision: Decision, next: ApprovalView) => void;
  readonly onFailed?: () => void;
  /** Sends the decision on the content with this digest. */
  readonly send?: typeof sendDecision;
}

interface DecisionProgress {
  /** Does nothing while a decision is being sent, or after one was accepted. */
  decide(decision: Decision): void;
  /** Stores a newer version of the approval, if there is one, and refetches the lists. */
  update(next: ApprovalView | undefined): void;
  readonly isSending: boolean;
  /** Why the last decision failed. Null if it reached the server although its response was lost. */
  readonly error: Error | null;
  /** It was open on this page and is closed now, but not by a decision of this page. */
  readonly isElsewhere: boolean;
}

/** Takes one decision on an approval and knows whether it was decided here or elsewhere. */
export function useDecision(
  { id, digest, state }: Pick<ApprovalView, "id" | "digest" | "state">,
  { onStart, onDecided, onFailed, send = sendDecision }: DecisionOptions,
): DecisionProgress {
  const client = useQueryClient();
  const isOpen = state === "pending";
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  const update = (next: ApprovalView | undefined) => {
    if (next) client.setQueryData(queries.approval(id).queryKey, next);
    void client.invalidateQueries({ queryKey: ["approvals"] });
  };
  // A second click may arrive before the page has rendered the first one.
  const sent = useRef(false);
  const sending = useMutation({
    mutationFn: (decision: Decision) => decisionQueue.send([id], () => send(id, digest, decision)),
    onMutate: (decision) => onStart?.(decision),
    onSuccess(next, decision) {
      dropDecisionDrafts(id);
      update(next);
      onDecided?.(decision, next);
    },
    onError() {
      sent.current = false;
      onFailed?.();
      update(undefined);
    },
  });
  return {
    decide(decision) {
      if (sent.current) return;
      sent.current = true;
      sending.mutate(decision);
    },
    update,
    isSending: sending.isPending,
    ...outcomeOf(sending, { state, wasOpen }),
  };
}

interface SentDecision {
  readonly variables: Decision | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly isSuccess: boolean;
}

/** Compares the decision of this page, if there is one, with the state of the approval. */
export function outcomeOf(
  { variables, error, isPending, isSuccess }: SentDecision,
  { state, wasOpen }: Pick<ApprovalView, "state"> & { readonly wasOpen: boolean },
): Pick<DecisionProgress, "error" | "isElsewhere"> {
  // The response may be lost although the server received the decision.
  const isOwn = variables !== undefined && outcomes[variables.kind].includes(state);
  const isClosed = wasOpen && state !== "pending";
  return {
    error: isOwn ? null : error,
    isElsewhere: isClosed && !isOwn && !isSuccess && !isPending,
  };
}

function sendDecision(id: string, digest: string, decision: Decision): Promise<ApprovalView> {
  const params = { id };
  switch (decision.kind) {
    case "approve":
      return api.call("POST /api/approvals/:id/approve", { params, body: { digest } });
    case "deny":
      return api.call("POST /api/approvals/:id/deny", {
        params,
        body: { digest, reason: decision.reason === "" ? undefined : decision.reason },
      });
    case "edit":
      return api.call("POST /api/approvals/:id/edit", {
        params,
        body: { digest, changes: decision.changes },
      });
    case "reply":
      return api.call("POST /api/approvals/:id/reply", {
        params,
        body: { digest, words: decision.words, ...omitUndefined({ context: decision.context }) },
      });
  }
}
