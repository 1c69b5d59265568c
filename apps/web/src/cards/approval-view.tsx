import { visible, type ApprovalView as Approval } from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { Loading, Problem } from "../ui/states.tsx";
import { toolInWords } from "../words/tools.ts";
import { ApprovalDecision, type Decision } from "./approval-decision.tsx";
import { ApprovalOutcome } from "./approval-outcome.tsx";
import { DecisionProblem } from "./decision-problem.tsx";
import { DiffList } from "./diff-list.tsx";
import { EditForm } from "./edit-form.tsx";
import { zoneOf } from "./prepared-event.ts";
import { PreparedView, RawView } from "./prepared-view.tsx";
import { RiskList } from "./risk-list.tsx";
import { useEditFailure } from "./use-edit-failure.ts";
import { useEditedHere } from "./use-edited-here.ts";
import { useReadWhole } from "./use-read-whole.ts";

interface ApprovalViewProps {
  readonly approvalId: string;
  /** It can be decided, and is on the page for the first time. */
  onAsked?(element: HTMLElement): void;
  /** All of it has been on the screen. */
  onRead?(approval: Approval): void;
  /** By another part of this page. */
  readonly isDecidedHere?: boolean;
}

/** What each decision makes of an approval. */
const outcomes: Readonly<Record<Decision["kind"], readonly Approval["state"][]>> = {
  approve: ["approved", "used"],
  deny: ["denied"],
  edit: ["superseded"],
  reply: ["denied"],
};

/** Exactly what would be done, and the decision on exactly that: the digest that is sent belongs to what is on the screen. */
export function ApprovalView({
  approvalId,
  onAsked,
  onRead,
  isDecidedHere = false,
}: ApprovalViewProps) {
  const { data: approval, error, isPending, refetch } = useQuery(queries.approval(approvalId));
  if (isPending) return <Loading />;
  if (!approval) return <Problem error={error} onRetry={() => void refetch()} />;
  // Another content is another thing to read and to decide on.
  return (
    <OneApproval
      key={approval.digest}
      approval={approval}
      onAsked={onAsked}
      onRead={onRead}
      isDecidedHere={isDecidedHere}
    />
  );
}

interface OneApprovalProps {
  readonly approval: Approval;
  readonly onAsked: ApprovalViewProps["onAsked"];
  readonly onRead: ApprovalViewProps["onRead"];
  readonly isDecidedHere: boolean;
}

function OneApproval({ approval, onAsked, onRead, isDecidedHere }: OneApprovalProps) {
  const { id, runId, state, digest } = approval;
  const isOpen = state === "pending";
  const client = useQueryClient();
  const section = useRef<HTMLElement>(null);
  const reading = useReadWhole();
  const [isEditing, setIsEditing] = useState(false);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  const know = (next: Approval | undefined) => {
    if (next) client.setQueryData(queries.approval(id).queryKey, next);
    void client.invalidateQueries({ queryKey: ["approvals"] });
  };
  const edited = useEditedHere(runId);
  const editFailure = useEditFailure(approval);
  const title = isOpen
    ? texts.approval.title
    : editFailure === undefined
      ? titleOf(approval)
      : texts.approval.editFailed;
  // A second click comes before the page has drawn that the first one counts.
  const sent = useRef(false);
  const deciding = useMutation({
    mutationFn: (decision: Decision) => decide(id, digest, decision),
    onMutate: ({ kind }) => kind === "edit" && edited.begin(),
    onSuccess(next, { kind }) {
      know(next);
      // The button that had the focus is gone, unless the new question is there already and has it.
      if (kind !== "edit" || edited.isAwaited()) section.current?.focus({ preventScroll: true });
    },
    onError() {
      sent.current = false;
      edited.end();
      know(undefined);
    },
  });
  const decideOnce = (decision: Decision) => {
    if (sent.current) return;
    sent.current = true;
    deciding.mutate(decision);
  };
  // An answer may be lost on its way although the decision arrived.
  const isOwn =
    deciding.variables !== undefined && outcomes[deciding.variables.kind].includes(state);
  const stopEditing = () => {
    flushSync(() => setIsEditing(false));
    section.current?.querySelector<HTMLElement>("[data-key=edit]")?.focus();
  };
  useEffect(() => {
    if (isOpen && section.current) onAsked?.(section.current);
  }, [isOpen, onAsked]);
  useEffect(() => {
    if (isOpen && section.current) edited.arrive(section.current);
  }, [isOpen, edited]);
  useEffect(() => {
    if (isOpen && reading.isWhole) onRead?.(approval);
  }, [isOpen, reading.isWhole, onRead, approval]);
  const isElsewhere =
    wasOpen && !isOpen && !isOwn && !isDecidedHere && !deciding.isSuccess && !deciding.isPending;
  return (
    <section
      ref={section}
      tabIndex={-1}
      data-approval
      aria-label={title}
      className={cx(
        "rounded-xl border p-4 outline-none sm:p-5",
        isOpen ? "border-ask-edge bg-ask" : "border-edge bg-surface",
      )}
    >
      <h2 className="m-0 mb-1 text-base font-semibold">{title}</h2>
      <p className="mb-3 text-sm text-quiet">
        <span title={approval.tool}>{toolInWords(approval.tool)}</span>
        {isOpen && ` · ${texts.approval.why}: ${visible(approval.reason)}`}
      </p>
      {deciding.error !== null && !isOwn && <DecisionProblem error={deciding.error} />}
      {isElsewhere && (
        <p
          role="alert"
          className="mb-3 rounded-lg border border-ask-edge bg-ask px-3 py-2 text-sm text-ink"
        >
          {texts.approval.elsewhere[state]}
        </p>
      )}
      {isOpen ? (
        <>
          <div ref={reading.ref} role="group" aria-label={texts.approval.what} hidden={isEditing}>
            <RiskList risks={approval.risks} tool={approval.tool} />
            <DiffList difference={approval.difference} />
            <PreparedView {...approval} />
          </div>
          {isEditing && approval.editable ? (
            <EditForm
              editable={approval.editable}
              zone={zoneOf(approval.prepared)}
              isBusy={deciding.isPending}
              onSave={(changes) => decideOnce({ kind: "edit", changes })}
              onCancel={stopEditing}
            />
          ) : (
            <>
              <RawView prepared={approval.prepared} />
              <ApprovalDecision
                approval={approval}
                reading={reading}
                isBusy={deciding.isPending}
                onEdit={() => setIsEditing(true)}
                onDecide={decideOnce}
              />
            </>
          )}
        </>
      ) : (
        <ApprovalOutcome approval={approval} editFailure={editFailure} onChange={know} />
      )}
    </section>
  );
}

function titleOf({ state, answer, undoUntil }: Approval): string {
  if (answer !== null) return texts.approval.answered;
  return state === "denied" && undoUntil !== null
    ? texts.approval.undone
    : texts.approval.closed[state];
}

function decide(id: string, digest: string, decision: Decision): Promise<Approval> {
  switch (decision.kind) {
    case "approve":
      return api.approvals.approve(id, digest);
    case "deny":
      return api.approvals.deny(id, digest, decision.reason === "" ? undefined : decision.reason);
    case "edit":
      return api.approvals.edit(id, digest, decision.changes);
    case "reply":
      return api.approvals.reply(id, digest, decision.words);
  }
}
