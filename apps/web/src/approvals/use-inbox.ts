import type { ApprovalView } from "@bron/protocol";
import { useEffect, useMemo, useRef, useState } from "react";
import { useUnsentApprovals } from "../live/approval-queue.ts";
import { notSnoozed } from "../live/snoozed.ts";
import { approvalLine } from "./approval-line.ts";
import type { BatchOutcome } from "./batch-outcomes.tsx";
import { pendingGroups, useOpenGroup } from "./use-open-group.ts";

/** What was decided before these is in the activity log. */
const maxOutcomes = 4;

const toOutcome = (approval: ApprovalView): BatchOutcome => ({
  id: approval.id,
  what: approvalLine(approval),
  runId: approval.runId,
});

/**
 * The lines of the inbox, and the open one. After a choice the next one opens by itself, and what
 * was decided is among the outcomes. Without a next one, the card stays and shows what became of it.
 */
export function useInbox(pending: readonly ApprovalView[] = none) {
  const [outcomes, setOutcomes] = useState<readonly BatchOutcome[]>([]);
  // A choice that waits to be sent has been made.
  const sending = useUnsentApprovals();
  const all = useMemo(() => pending.filter(({ id }) => !sending.has(id)), [pending, sending]);
  const waiting = useMemo(() => notSnoozed(all), [all]);
  const groups = useMemo(() => pendingGroups(waiting), [waiting]);
  const { openKey, shown, open, openNext } = useOpenGroup(groups);
  /** The open line was opened by a choice on another one. */
  const [isMoved, setIsMoved] = useState(false);
  const latest = useRef(shown);
  useEffect(() => void (latest.current = shown));
  const goOn = (decided: readonly ApprovalView[]) => {
    // A choice that waited to be sent is accepted when another approval is open.
    const isOpen = decided.some(({ id }) => latest.current.some((one) => one.id === id));
    if (!isOpen || !openNext(new Set(decided.map(({ id }) => id)))) return;
    setIsMoved(true);
    setOutcomes((before) => [...decided.map(toOutcome), ...before].slice(0, maxOutcomes));
  };
  const isSending = shown.length > 0 && shown.every(({ id }) => sending.has(id));
  useEffect(() => {
    if (isSending) goOn(shown);
  });
  return {
    waiting,
    snoozed: all.filter(({ snoozedUntil }) => snoozedUntil !== null),
    groups,
    openKey,
    shown,
    outcomes,
    isMoved,
    goOn,
    open(key: string) {
      setIsMoved(false);
      open(key);
    },
    skip: () => setIsMoved(openNext(new Set())),
    afterBatch(next: readonly BatchOutcome[]) {
      setOutcomes(next);
      setIsMoved(false);
      const decided = new Set(next.flatMap(({ id, error }) => (error === undefined ? [id] : [])));
      if (shown.some(({ id }) => decided.has(id))) openNext(decided);
    },
  };
}

const none: readonly ApprovalView[] = [];
