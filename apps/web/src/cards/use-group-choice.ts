import { describeClosing, type ApprovalView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../api.ts";
import { approvalQueue } from "../live/approval-queue.ts";
import { dropApprovalDrafts } from "./approval-drafts.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";

type Seen = Pick<ApprovalView, "id" | "digest">;

/** What is decided about a group: each approval by the digest of what was shown. */
interface GroupChoice {
  readonly approve: readonly Seen[];
  readonly deny: readonly Seen[];
  readonly reason: string;
}

interface GroupChoiceProgress {
  /** Does nothing while a choice is being sent. */
  decide(choice: GroupChoice): void;
  readonly isSending: boolean;
  /** Why nothing was decided. */
  readonly error: Error | null;
  /** Why single approvals were not decided, by id. */
  readonly failures: ReadonlyMap<string, string>;
  /** The approvals that were decided here, by id. */
  readonly decided: ReadonlySet<string>;
}

/** The server takes this many of each in one request. */
const maxBatch = 100;

/** Decides the approvals of a group at once. Each has its own outcome. */
export function useGroupChoice(
  onDecided: (approvals: readonly ApprovalView[]) => void,
): GroupChoiceProgress {
  const client = useQueryClient();
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  // A second click may arrive before the page has rendered the first one.
  const sent = useRef(false);
  const sending = useMutation({
    mutationFn: sendAll,
    onSuccess(outcomes) {
      for (const outcome of outcomes)
        if (outcome.ok) {
          dropApprovalDrafts(outcome.id);
          client.setQueryData(queries.approval(outcome.id).queryKey, outcome.approval);
        }
      setFailures(
        new Map(
          outcomes.flatMap((outcome) =>
            outcome.ok
              ? []
              : [[outcome.id, describeClosing(outcome.error, texts.approval.closing)] as const],
          ),
        ),
      );
      setDecided(
        (before) => new Set([...before, ...outcomes.flatMap(({ id, ok }) => (ok ? id : []))]),
      );
      onDecided(outcomes.flatMap((outcome) => (outcome.ok ? [outcome.approval] : [])));
    },
    onSettled() {
      sent.current = false;
      void client.invalidateQueries({ queryKey: ["approvals"] });
    },
  });
  return {
    decide(choice) {
      if (sent.current) return;
      sent.current = true;
      sending.mutate(choice);
    },
    isSending: sending.isPending,
    error: sending.error,
    failures,
    decided,
  };
}

async function sendAll({ approve, deny, reason }: GroupChoice) {
  const why = reason === "" ? {} : { reason };
  const denied = deny.map(({ id, digest }) => ({ id, digest, ...why }));
  const approved = approve.map(({ id, digest }) => ({ id, digest }));
  const outcomes = [];
  for (let at = 0; at < Math.max(approved.length, denied.length); at += maxBatch) {
    const body = {
      approve: approved.slice(at, at + maxBatch),
      deny: denied.slice(at, at + maxBatch),
    };
    const ids = [...body.approve, ...body.deny].map(({ id }) => id);
    const batch = await approvalQueue.send(ids, () =>
      api.call("POST /api/approvals/batch", { body }),
    );
    outcomes.push(...batch.approve, ...batch.deny);
  }
  return outcomes;
}
