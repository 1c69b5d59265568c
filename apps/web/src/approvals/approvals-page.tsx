import type { ApprovalView as Approval } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApprovalGroup } from "../cards/approval-group.tsx";
import { ApprovalView } from "../cards/approval-view.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { ApprovalRow } from "./approval-row.tsx";
import { BatchBar } from "./batch-bar.tsx";
import { BatchOutcomes, type BatchOutcome } from "./batch-outcomes.tsx";
import { PendingQuestions } from "./pending-questions.tsx";
import { NotificationOffer } from "./notification-offer.tsx";
import { isGroup, pendingGroups, useOpenGroup, wide } from "./use-open-group.ts";

/**
 * All pending approvals, those of one step in one line. One line is open beside the list. Several
 * approvals that have been read can be decided at once.
 */
export function ApprovalsPage() {
  const pending = useQuery(queries.pendingApprovals());
  const { data: questions = [] } = useQuery(queries.pendingQuestions());
  const [read, setRead] = useState<ReadonlyMap<string, string>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [outcomes, setOutcomes] = useState<readonly BatchOutcome[]>([]);
  const waiting = pending.data ?? [];
  const groups = useMemo(() => pendingGroups(pending.data ?? []), [pending.data]);
  const { openKey, shown, open } = useOpenGroup(groups);
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
    <Page title={texts.places.approvals} about={texts.inbox.about} width="wide">
      <NotificationOffer />
      <PendingQuestions questions={questions} />
      {pending.isPending && <Loading />}
      <Problem error={pending.error} onRetry={() => void pending.refetch()} />
      <BatchOutcomes outcomes={outcomes} />
      {pending.data && waiting.length + questions.length === 0 && openKey === undefined && (
        <Empty title={texts.inbox.none}>{texts.inbox.noneHint}</Empty>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        {groups.length > 0 && (
          <ul
            aria-label={texts.inbox.list}
            className="grid grid-cols-[minmax(0,1fr)] gap-2 p-1 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
          >
            {groups.map(({ key, approvals }, index) => (
              <ApprovalRow
                key={key}
                approvals={approvals}
                place={texts.inbox.position(index + 1, groups.length)}
                isOpen={key === openKey}
                isRead={(approval) => read.get(approval.id) === approval.digest}
                isChosen={(approval) => chosen.has(approval.id)}
                onOpen={() => open(key)}
                onChoose={onChoose}
              />
            ))}
          </ul>
        )}
        {openKey !== undefined && shown.length > 0 && (
          <Opened
            key={openKey}
            approvals={shown}
            onRead={onRead}
            isDecidedHere={(approval) => outcomes.some(({ id }) => id === approval.id)}
          />
        )}
      </div>
      {batch.length > 0 && (
        <BatchBar
          batch={batch}
          onClear={() => setChosen(new Set())}
          onDone={(next) => {
            setOutcomes(next);
            setChosen(new Set());
          }}
        />
      )}
    </Page>
  );
}

interface OpenedProps {
  readonly approvals: readonly Approval[];
  readonly onRead: (approval: Approval) => void;
  readonly isDecidedHere: (approval: Approval) => boolean;
}

function Opened({ approvals, onRead, isDecidedHere }: OpenedProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow screen the approval is below the list, out of view.
    if (!matchMedia(wide).matches) place.current?.scrollIntoView({ block: "start" });
  }, []);
  const members = useMemo(() => approvals.map((approval) => ({ approval })), [approvals]);
  const latest = approvals.at(-1);
  return (
    <div ref={place} className="min-w-0 lg:col-start-2">
      {isGroup(approvals) ? (
        <ApprovalGroup members={members} isLive={false} />
      ) : (
        latest && (
          <ApprovalView
            key={latest.id}
            approvalId={latest.id}
            onRead={onRead}
            isDecidedHere={isDecidedHere(latest)}
          />
        )
      )}
    </div>
  );
}
