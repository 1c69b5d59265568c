import {
  describeReasons,
  newerApproval,
  visible,
  type ApprovalView as Approval,
  type EffectView,
} from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { queries } from "../live/queries.ts";
import type { ApprovalSource } from "../run/approval-of.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { Loading, Problem } from "../ui/states.tsx";
import { actionWords } from "../words/action.ts";
import { toolLabel } from "../words/tools.ts";
import { ApprovalBody } from "./approval-body.tsx";
import { ApprovalOutcome } from "./approval-outcome.tsx";
import { closedTitle } from "./approval-title.ts";
import { DecisionProblem } from "./decision-problem.tsx";
import { useDecision } from "./use-decision.ts";
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
  /** It was decided by another part of this page, such as the batch bar. */
  readonly isDecidedHere?: boolean;
}

/**
 * Shows exactly what would be done and takes the decision on it. The digest that is sent with the
 * decision belongs to the content on the screen.
 */
export function ApprovalView({
  approvalId,
  source = "server",
  onAsked,
  onRead,
  isDecidedHere = false,
}: ApprovalViewProps) {
  // Without a read, the query still has the response to a decision of this page.
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
      key={approval.digest}
      approval={approval}
      effectState={logged?.effectState}
      onAsked={onAsked}
      onRead={onRead}
      isDecidedHere={isDecidedHere}
    />
  );
}

interface OneApprovalProps {
  readonly approval: Approval;
  readonly effectState: EffectView["state"] | undefined;
  readonly onAsked: ApprovalViewProps["onAsked"];
  readonly onRead: ApprovalViewProps["onRead"];
  readonly isDecidedHere: boolean;
}

function OneApproval({ approval, effectState, onAsked, onRead, isDecidedHere }: OneApprovalProps) {
  const isOpen = approval.state === "pending";
  const section = useRef<HTMLElement>(null);
  const reading = useReadProgress();
  const [isEditing, setIsEditing] = useState(false);
  const edited = useEditedHere(approval.runId);
  const editFailure = useEditFailure(approval);
  const title = isOpen
    ? actionWords(approval.tool).title
    : editFailure === undefined
      ? closedTitle(approval)
      : texts.approval.editFailed;
  const decision = useDecision(approval, {
    onStart: ({ kind }) => kind === "edit" && edited.start(),
    onDecided({ kind }) {
      // The focused button is gone. After an edit, the new approval may already have the focus.
      if (kind !== "edit" || edited.isAwaited()) section.current?.focus({ preventScroll: true });
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
      aria-label={title}
      className={cx(
        "rounded-xl border p-4 outline-none sm:p-5",
        isOpen ? "border-ask-edge bg-ask" : "border-edge bg-surface",
      )}
    >
      <h2 className="m-0 mb-1 text-base font-semibold">{title}</h2>
      <p className="mb-3 text-sm text-quiet">
        <span title={approval.tool}>{toolLabel(approval.tool)}</span>
        {isOpen &&
          ` · ${texts.approval.why}: ${visible(describeReasons(approval.reasons, texts.approval.reasons))}`}
      </p>
      {decision.error !== null && <DecisionProblem error={decision.error} />}
      {decision.isElsewhere && !isDecidedHere && <DecidedElsewhere approval={approval} />}
      {isOpen ? (
        <ApprovalBody
          approval={approval}
          reading={reading}
          decision={decision}
          isEditing={isEditing}
          onEdit={() => setIsEditing(true)}
          onCancelEdit={stopEditing}
        />
      ) : (
        <ApprovalOutcome
          approval={approval}
          effectState={effectState}
          editFailure={editFailure}
          onChange={decision.update}
        />
      )}
    </section>
  );
}

function DecidedElsewhere({ approval: { tool, state } }: { readonly approval: Approval }) {
  return (
    <p
      role="alert"
      className="mb-3 rounded-lg border border-ask-edge bg-ask px-3 py-2 text-sm text-ink"
    >
      {texts.approval.elsewhere[state]}
      {(state === "expired" || state === "canceled") && ` ${actionWords(tool).nothingDone}`}
    </p>
  );
}
