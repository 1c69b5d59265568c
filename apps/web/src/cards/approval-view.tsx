import {
  describeReasons,
  newerApproval,
  visible,
  type ApprovalView as Approval,
  type EffectView,
} from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { queries } from "../live/queries.ts";
import type { ApprovalSource } from "../run/approval-of.ts";
import { texts } from "../texts.ts";
import { cardClass } from "./card-class.ts";
import { Loading, Problem } from "../ui/states.tsx";
import { actionWords } from "../words/action.ts";
import { toolLabel } from "../words/tools.ts";
import { ApprovalBody } from "./approval-body.tsx";
import { ApprovalOutcome } from "./approval-outcome.tsx";
import { askedTitle, closedTitle } from "./approval-title.ts";
import { NearExpiry } from "./expiry.tsx";
import { SnoozeMenu } from "./snooze-menu.tsx";
import { openApproval } from "./use-approval-keys.ts";
import { ApprovalProblem } from "./approval-problem.tsx";
import { useApprovalChoice } from "./use-approval-choice.ts";
import { useEditFailure } from "./use-edit-failure.ts";
import { useEditedHere } from "./use-edited-here.ts";
import { useReadProgress } from "./use-read-progress.ts";

interface ApprovalViewProps {
  readonly approvalId: string;
  /** Where the approval comes from. By default it is read from the server. */
  readonly source?: ApprovalSource | undefined;
  /** Called once when the approval can be decided and is on the page. */
  onAsked?(element: HTMLElement): void;
  /** Called when all of the content has been on the screen. */
  onRead?(approval: Approval): void;
  /** Called when a choice of this card was accepted that is no edit. */
  onDecided?(approval: Approval): void;
  onSnoozed?(): void;
  /** It was decided by another part of this page, such as the batch bar. */
  readonly isDecidedHere?: boolean;
}

/**
 * Shows exactly what would be done and lets the owner approve or deny it. The digest that is sent
 * belongs to the content on the screen.
 */
export function ApprovalView({
  approvalId,
  source = "server",
  onAsked,
  onRead,
  onDecided,
  onSnoozed,
  isDecidedHere = false,
}: ApprovalViewProps) {
  // Without a read, the query still has the response to a choice of this page.
  const { data, error, isPending, refetch } = useQuery({
    ...queries.approval(approvalId),
    enabled: source === "server",
  });
  if (source === "arriving") return <Loading />;
  const logged = source === "server" ? undefined : source;
  const approval = newerApproval(logged?.approval, data);
  if (!approval && isPending) return <Loading />;
  if (!approval) return <Problem error={error} onRetry={() => void refetch()} />;
  // New content must be read and decided again, so it gets a fresh component.
  return (
    <OneApproval
      key={`${approval.digest} ${approval.reopened}`}
      approval={approval}
      effectState={logged?.effectState}
      onAsked={onAsked}
      onRead={onRead}
      onDecided={onDecided}
      onSnoozed={onSnoozed}
      isDecidedHere={isDecidedHere}
    />
  );
}

interface OneApprovalProps {
  readonly approval: Approval;
  readonly effectState: EffectView["state"] | undefined;
  readonly onAsked: ApprovalViewProps["onAsked"];
  readonly onRead: ApprovalViewProps["onRead"];
  readonly onDecided: ApprovalViewProps["onDecided"];
  readonly onSnoozed: ApprovalViewProps["onSnoozed"];
  readonly isDecidedHere: boolean;
}

function OneApproval({
  approval,
  effectState,
  onAsked,
  onRead,
  onDecided,
  onSnoozed,
  isDecidedHere,
}: OneApprovalProps) {
  const isOpen = approval.state === "pending";
  const section = useRef<HTMLElement>(null);
  const reading = useReadProgress();
  const [isEditing, setIsEditing] = useState(false);
  const edited = useEditedHere(approval.runId);
  const editFailure = useEditFailure(approval);
  const title = isOpen
    ? askedTitle(approval)
    : editFailure === undefined
      ? closedTitle(approval)
      : texts.approval.editFailed;
  const choice = useApprovalChoice(approval, {
    onStart: ({ kind }) => kind === "edit" && edited.start(),
    onDecided({ kind }, next) {
      // The focused button is gone. After an edit, the new approval may already have the focus.
      if (kind !== "edit" || edited.isAwaited()) section.current?.focus({ preventScroll: true });
      if (kind !== "edit") onDecided?.(next);
    },
    onFailed: edited.end,
  });
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
    if (isOpen && reading.isComplete) onRead?.(approval);
  }, [isOpen, reading.isComplete, onRead, approval]);
  return (
    <section
      ref={section}
      tabIndex={-1}
      data-approval
      {...(isOpen ? { [openApproval]: "" } : {})}
      aria-label={title}
      className={cardClass(isOpen)}
    >
      <CardHead approval={approval} title={title}>
        {isOpen && !isEditing && <SnoozeMenu ids={[approval.id]} onSnoozed={onSnoozed} />}
      </CardHead>
      {choice.error !== null && <ApprovalProblem error={choice.error} />}
      {choice.isElsewhere && !isDecidedHere && <DecidedElsewhere approval={approval} />}
      {isOpen ? (
        <ApprovalBody
          root={section}
          approval={approval}
          reading={reading}
          choice={choice}
          isEditing={isEditing}
          onEdit={() => setIsEditing(true)}
          onCancelEdit={stopEditing}
        />
      ) : (
        <ApprovalOutcome
          approval={approval}
          effectState={effectState}
          editFailure={editFailure}
          onChange={choice.update}
        />
      )}
    </section>
  );
}

interface CardHeadProps {
  readonly approval: Approval;
  readonly title: string;
  readonly children: ReactNode;
}

/** What is asked, and why. */
function CardHead({ approval, title, children }: CardHeadProps) {
  const { state, tool, reasons, expiresAt } = approval;
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <h2 className="m-0 mb-1 text-lg font-semibold">{title}</h2>
        {children}
      </div>
      <p className="mb-3 text-sm text-quiet">
        {state === "pending" ? (
          <>
            {`${texts.approval.why}: ${visible(describeReasons(reasons, texts.approval.reasons))}`}
            <NearExpiry at={expiresAt} />
          </>
        ) : (
          <span title={tool}>{toolLabel(tool)}</span>
        )}
      </p>
    </>
  );
}

function DecidedElsewhere({ approval: { tool, state } }: { readonly approval: Approval }) {
  return (
    <p
      role="alert"
      className="mb-3 rounded-lg border border-l-4 border-ask-edge px-3 py-2 text-sm text-ink"
    >
      {texts.approval.elsewhere[state]}
      {(state === "expired" || state === "canceled") && ` ${actionWords(tool).nothingDone}`}
    </p>
  );
}
