import type { ApprovalView as Approval } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
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

const wide = "(min-width: 64rem)";

/**
 * All pending approvals. One is open beside the list. Several that have been read can be decided at
 * once.
 */
export function ApprovalsPage() {
  const pending = useQuery(queries.pendingApprovals());
  const { data: questions = [] } = useQuery(queries.pendingQuestions());
  const [read, setRead] = useState<ReadonlyMap<string, string>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [outcomes, setOutcomes] = useState<readonly BatchOutcome[]>([]);
  const waiting = pending.data ?? [];
  const [openId, open] = useOpen(waiting);
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
      {pending.data && waiting.length + questions.length === 0 && openId === undefined && (
        <Empty title={texts.inbox.none}>{texts.inbox.noneHint}</Empty>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        {waiting.length > 0 && (
          <ul
            aria-label={texts.inbox.list}
            className="grid grid-cols-[minmax(0,1fr)] gap-2 p-1 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
          >
            {waiting.map((approval, index) => (
              <ApprovalRow
                key={approval.id}
                approval={approval}
                place={texts.inbox.position(index + 1, waiting.length)}
                isOpen={approval.id === openId}
                isRead={read.get(approval.id) === approval.digest}
                isChosen={chosen.has(approval.id)}
                onOpen={() => open(approval.id)}
                onChoose={(isChosen) => onChoose(approval.id, isChosen)}
              />
            ))}
          </ul>
        )}
        {openId !== undefined && (
          <Opened
            key={openId}
            approvalId={openId}
            onRead={onRead}
            isDecidedHere={outcomes.some(({ id }) => id === openId)}
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

/**
 * The open approval, or its replacement after an edit. On a wide screen the first one opens by
 * itself.
 */
function useOpen(
  waiting: readonly Approval[],
): readonly [string | undefined, (id: string) => void] {
  const [openId, setOpenId] = useState<string>();
  const [last, setLast] = useState<Approval>();
  const openApproval = waiting.find(({ id }) => id === openId);
  const [first] = waiting;
  if (openApproval && openApproval.id !== last?.id) setLast(openApproval);
  const edited =
    openId === undefined || openApproval
      ? undefined
      : waiting.find(({ runId, actionId }) => runId === last?.runId && actionId === last.actionId);
  if (edited) setOpenId(edited.id);
  else if (openId === undefined && first && matchMedia(wide).matches) setOpenId(first.id);
  return [openId, setOpenId];
}

function Opened({
  approvalId,
  onRead,
  isDecidedHere,
}: {
  readonly approvalId: string;
  readonly onRead: (approval: Approval) => void;
  readonly isDecidedHere: boolean;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow screen the approval is below the list, out of view.
    if (!matchMedia(wide).matches) place.current?.scrollIntoView({ block: "start" });
  }, []);
  return (
    <div ref={place} className="min-w-0 lg:col-start-2">
      <ApprovalView approvalId={approvalId} onRead={onRead} isDecidedHere={isDecidedHere} />
    </div>
  );
}
