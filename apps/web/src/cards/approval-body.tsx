import type { ApprovalView as Approval } from "@bron/protocol";
import { actionWords } from "../words/action.ts";
import { ApprovalDecision } from "./approval-decision.tsx";
import { DiffList } from "./diff-list.tsx";
import { EditForm } from "./edit-form.tsx";
import { HoldOffers } from "./hold-offers.tsx";
import { zoneOf } from "./prepared-event.ts";
import { PreparedView, RawView } from "./prepared-view.tsx";
import { RiskList } from "./risk-list.tsx";
import type { useDecision } from "./use-decision.ts";
import type { ReadProgress } from "./use-read-progress.ts";

interface ApprovalBodyProps {
  readonly approval: Approval;
  readonly reading: ReadProgress;
  readonly decision: ReturnType<typeof useDecision>;
  readonly isEditing: boolean;
  onEdit(): void;
  onCancelEdit(): void;
}

/** An open approval: what would be done, and the buttons or the form that decide. */
export function ApprovalBody({
  approval,
  reading,
  decision,
  isEditing,
  onEdit,
  onCancelEdit,
}: ApprovalBodyProps) {
  const { tool, diff, prepared, editable } = approval;
  return (
    <>
      <div ref={reading.ref} role="group" aria-label={actionWords(tool).content} hidden={isEditing}>
        <RiskList {...approval} />
        <DiffList diff={diff} />
        <PreparedView {...approval} />
      </div>
      {isEditing && editable ? (
        <EditForm
          editable={editable}
          zone={zoneOf(prepared)}
          isBusy={decision.isSending}
          onSave={(changes) => decision.decide({ kind: "edit", changes })}
          onCancel={onCancelEdit}
        />
      ) : (
        <>
          <RawView prepared={prepared} />
          <HoldOffers {...approval} />
          <ApprovalDecision
            approval={approval}
            reading={reading}
            isBusy={decision.isSending}
            onEdit={onEdit}
            onDecide={decision.decide}
          />
        </>
      )}
    </>
  );
}
