import { visible, type RunStatus } from "@bron/protocol";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { useLoad } from "../use-load.ts";
import { ApprovalDecision } from "./approval-decision.tsx";
import { DifferenceList } from "./difference-list.tsx";
import { PreparedView } from "./prepared-view.tsx";
import { RiskList } from "./risk-list.tsx";
import { UndoCountdown } from "./undo-countdown.tsx";

/** Exactly what would be done, and the decision on exactly that: the digest that is sent belongs to what is on the screen. */
export function ApprovalView({ approvalId, runStatus }: { readonly approvalId: string; readonly runStatus: RunStatus }) {
  // Asked again whenever the run moves: another tab may have decided.
  const { value: approval, error, reload } = useLoad(`${approvalId} ${runStatus}`, () => api.approvals.get(approvalId));
  if (error !== undefined && !approval) return <p role="alert">{error}</p>;
  if (!approval) return <p className="quiet">{texts.loading}</p>;
  const isOpen = approval.state === "pending";
  return (
    <section className={isOpen ? "card ask" : "card"} aria-label={texts.approval.title}>
      <h3>{isOpen ? texts.approval.title : approval.answer === null ? texts.approval.closed[approval.state] : texts.approval.answered}</h3>
      {approval.state === "superseded" ? null : (
        <>
          <RiskList risks={approval.risks} />
          <DifferenceList difference={approval.difference} />
          <PreparedView prepared={approval.prepared} preview={approval.preview} />
        </>
      )}
      <p className="quiet">
        {texts.approval.why}: {visible(approval.reason)}
      </p>
      {approval.decisionReason !== null && <p>{approval.decisionReason}</p>}
      {approval.answer !== null && <p>{approval.answer}</p>}
      {approval.state === "approved" && approval.undoUntil !== null && <UndoCountdown approvalId={approval.id} until={approval.undoUntil} onDone={reload} />}
      {isOpen && <ApprovalDecision approval={approval} onDecided={reload} />}
    </section>
  );
}
