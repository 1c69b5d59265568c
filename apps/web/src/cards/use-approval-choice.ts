import { omitUndefined, type ApprovalView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../api.ts";
import { approvalQueue } from "../live/approval-queue.ts";
import { queries } from "../live/queries.ts";
import type { ApprovalChoice } from "./approval-choices.tsx";
import { dropApprovalDrafts } from "./approval-drafts.ts";

/** The states that each choice can lead to. */
const outcomes: Readonly<Record<ApprovalChoice["kind"], readonly ApprovalView["state"][]>> = {
  approve: ["approved", "used"],
  deny: ["denied"],
  edit: ["superseded"],
  reply: ["denied"],
};

interface ApprovalChoiceOptions {
  readonly onStart?: (choice: ApprovalChoice) => void;
  readonly onDecided?: (choice: ApprovalChoice, next: ApprovalView) => void;
  readonly onFailed?: () => void;
  /** Sends the choice on the content with this digest. */
  readonly send?: typeof sendChoice;
}

interface ApprovalChoiceProgress {
  /** Does nothing while a choice is being sent, or after one was accepted. */
  decide(choice: ApprovalChoice): void;
  /** Stores a newer version of the approval, if there is one, and refetches the lists. */
  update(next: ApprovalView | undefined): void;
  readonly isSending: boolean;
  /** Why the last choice failed. Null if it reached the server although its response was lost. */
  readonly error: Error | null;
  /** It was open on this page and is closed now, but not by a choice of this page. */
  readonly isElsewhere: boolean;
}

/** Takes one choice on an approval and knows whether it was decided here or elsewhere. */
export function useApprovalChoice(
  { id, digest, state }: Pick<ApprovalView, "id" | "digest" | "state">,
  { onStart, onDecided, onFailed, send = sendChoice }: ApprovalChoiceOptions,
): ApprovalChoiceProgress {
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
    mutationFn: (choice: ApprovalChoice) =>
      approvalQueue.send([id], () => send(id, digest, choice)),
    onMutate: (choice) => onStart?.(choice),
    onSuccess(next, choice) {
      dropApprovalDrafts(id);
      update(next);
      onDecided?.(choice, next);
    },
    onError() {
      sent.current = false;
      onFailed?.();
      update(undefined);
    },
  });
  return {
    decide(choice) {
      if (sent.current) return;
      sent.current = true;
      sending.mutate(choice);
    },
    update,
    isSending: sending.isPending,
    ...outcomeOf(sending, { state, wasOpen }),
  };
}

interface SentChoice {
  readonly variables: ApprovalChoice | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly isSuccess: boolean;
}

/** Compares the choice of this page, if there is one, with the state of the approval. */
export function outcomeOf(
  { variables, error, isPending, isSuccess }: SentChoice,
  { state, wasOpen }: Pick<ApprovalView, "state"> & { readonly wasOpen: boolean },
): Pick<ApprovalChoiceProgress, "error" | "isElsewhere"> {
  // The response may be lost although the server received the choice.
  const isOwn = variables !== undefined && outcomes[variables.kind].includes(state);
  const isClosed = wasOpen && state !== "pending";
  return {
    error: isOwn ? null : error,
    isElsewhere: isClosed && !isOwn && !isSuccess && !isPending,
  };
}

function sendChoice(id: string, digest: string, choice: ApprovalChoice): Promise<ApprovalView> {
  const params = { id };
  switch (choice.kind) {
    case "approve":
      return api.call("POST /api/approvals/:id/approve", { params, body: { digest } });
    case "deny":
      return api.call("POST /api/approvals/:id/deny", {
        params,
        body: { digest, reason: choice.reason === "" ? undefined : choice.reason },
      });
    case "edit":
      return api.call("POST /api/approvals/:id/edit", {
        params,
        body: { digest, changes: choice.changes },
      });
    case "reply":
      return api.call("POST /api/approvals/:id/reply", {
        params,
        body: { digest, words: choice.words, ...omitUndefined({ context: choice.context }) },
      });
  }
}
