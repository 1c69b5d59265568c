import type { ApprovalView as Approval } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApprovalGroup } from "../cards/approval-group.tsx";
import { ApprovalView } from "../cards/approval-view.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { inboxWords } from "../words/inbox.ts";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { SnoozedList } from "./snoozed-list.tsx";
import { ApprovalRow } from "./approval-row.tsx";
import { BatchBar } from "./batch-bar.tsx";
import { BatchOutcomes } from "./batch-outcomes.tsx";
import { PendingQuestions } from "./pending-questions.tsx";
import { NotificationOffer } from "./notification-offer.tsx";
import { PausedSchedules } from "../schedules/paused-schedules.tsx";
import { BudgetNotice } from "../usage/budget-notice.tsx";
import { useInbox } from "./use-inbox.ts";
import { isGroup, wide } from "./use-open-group.ts";

/**
 * All pending approvals, those of one step in one line. One line is open beside the list. Several
 * approvals that have been read can be decided at once.
 */
export function ApprovalsPage() {
  const pending = useQuery(queries.pendingApprovals());
  const { data: questions = [] } = useQuery(queries.pendingQuestions());
  const [read, setRead] = useState<ReadonlyMap<string, string>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const inbox = useInbox(pending.data);
  const { waiting, snoozed, groups, openKey, shown, open, outcomes } = inbox;
  const onRead = useCallback(
    ({ id, digest }: Approval) =>
      setRead((before) => (before.get(id) === digest ? before : new Map(before).set(id, digest))),
    [],
  );
  const onChoose = (id: string, isChosen: boolean) =>
    setChosen(
      (before) =>
        new Set(isChosen ? [...before, id] : [...before].filter((chosenId) => chosenId !== id)),
    );
  // Only approvals whose current content was read. Those decided elsewhere are no longer pending.
  const batch = waiting.filter(({ id, digest }) => chosen.has(id) && read.get(id) === digest);
  return (
    <Page title={texts.places.approvals} about={inboxWords.about} width="wide">
      <NotificationOffer />
      <PausedSchedules />
      <BudgetNotice />
      <PendingQuestions questions={questions} />
      {pending.isPending && <Loading />}
      <Problem error={pending.error} onRetry={() => void pending.refetch()} />
      <BatchOutcomes outcomes={outcomes} />
      {pending.data && waiting.length + questions.length === 0 && openKey === undefined && (
        <Empty title={inboxWords.none}>{inboxWords.noneHint}</Empty>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-1 empty:hidden lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto">
          {groups.length > 0 && (
            <ul aria-label={inboxWords.list} className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {groups.map(({ key, approvals }, index) => (
                <ApprovalRow
                  key={key}
                  approvals={approvals}
                  place={inboxWords.position(index + 1, groups.length)}
                  isOpen={key === openKey}
                  isRead={(approval) => read.get(approval.id) === approval.digest}
                  isChosen={(approval) => chosen.has(approval.id)}
                  onOpen={() => open(key)}
                  onChoose={onChoose}
                />
              ))}
            </ul>
          )}
          <SnoozedList approvals={snoozed} />
        </div>
        {openKey !== undefined && shown.length > 0 && (
          <Opened
            key={openKey}
            approvals={shown}
            takesFocus={inbox.isMoved}
            onRead={onRead}
            onDecided={inbox.goOn}
            onSnoozed={inbox.skip}
            isDecidedHere={(approval) => outcomes.some(({ id }) => id === approval.id)}
          />
        )}
      </div>
      {batch.length > 0 && (
        <BatchBar
          batch={batch}
          onClear={() => setChosen(new Set())}
          onDone={(next) => {
            inbox.afterBatch(next);
            setChosen(new Set());
          }}
        />
      )}
    </Page>
  );
}

interface OpenedProps {
  readonly approvals: readonly Approval[];
  /** It has opened by itself, after a choice on another one. */
  readonly takesFocus: boolean;
  readonly onDecided: (approvals: readonly Approval[]) => void;
  readonly onSnoozed: () => void;
  readonly onRead: (approval: Approval) => void;
  readonly isDecidedHere: (approval: Approval) => boolean;
}

function Opened({
  approvals,
  takesFocus,
  onRead,
  onDecided,
  onSnoozed,
  isDecidedHere,
}: OpenedProps) {
  const place = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(takesFocus);
  useEffect(() => {
    // On a narrow screen the approval is below the list, out of view.
    if (!matchMedia(wide).matches) place.current?.scrollIntoView({ block: "start" });
    if (!wantsFocus.current) return;
    // What was decided before is above the card, with the time to undo it.
    if (matchMedia(wide).matches) scrollTo({ top: 0, behavior: "instant" });
    place.current?.querySelector<HTMLElement>("[data-approval]")?.focus({ preventScroll: true });
  }, []);
  const members = useMemo(() => approvals.map((approval) => ({ approval })), [approvals]);
  const latest = approvals.at(-1);
  return (
    <div ref={place} className="min-w-0 lg:col-start-2">
      {isGroup(approvals) ? (
        <ApprovalGroup
          members={members}
          isLive={false}
          onDecided={onDecided}
          onSnoozed={onSnoozed}
        />
      ) : (
        latest && (
          <ApprovalView
            key={latest.id}
            approvalId={latest.id}
            onRead={onRead}
            onDecided={(decided) => onDecided([decided])}
            onSnoozed={onSnoozed}
            isDecidedHere={isDecidedHere(latest)}
          />
        )
      )}
    </div>
  );
}
