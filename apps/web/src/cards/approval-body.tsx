import type { ApprovalView as Approval } from "@bron/protocol";
import { lazy, Suspense, type RefObject } from "react";
import { actionWords } from "../words/action.ts";
import { ApprovalDetails } from "./approval-details.tsx";
import { ApprovalDecision } from "./approval-choices.tsx";
import { DiffList } from "./diff-list.tsx";
import { EditForm } from "./edit-form.tsx";
import { HoldOffers } from "./hold-offers.tsx";
import { zoneOf } from "./prepared-event.ts";
import { PreparedView } from "./prepared-view.tsx";
import { RiskList } from "./risk-list.tsx";
import type { useDecision } from "./use-approval-choice.ts";
import type { ReadProgress } from "./use-read-progress.ts";

/** Loaded after the card, which can be decided without it. */
const Background = lazy(async () => ({
  default: (await import("./approval-background.tsx")).ApprovalBackground,
}));

interface ApprovalBodyProps {
  /** The card, where the keys apply. */
  readonly root: RefObject<HTMLElement | null>;
  readonly approval: Approval;
  readonly reading: ReadProgress;
  readonly decision: ReturnType<typeof useDecision>;
  readonly isEditing: boolean;
  onEdit(): void;
  onCancelEdit(): void;
}

/** An open approval: what would be done, and the buttons or the form that decide. */
export function ApprovalBody({
  root,
  approval,
  reading,
  decision,
  isEditing,
  onEdit,
  onCancelEdit,
}: ApprovalBodyProps) {
  const { tool, diff, prepared, editable } = approval;
  const background = (part: "warning" | "rest") => (
    <Suspense fallback={null}>
      <Background
        approval={approval}
        part={part}
        isBusy={decision.isSending}
        onEdit={(changes) => decision.decide({ kind: "edit", changes })}
      />
    </Suspense>
  );
  return (
    <>
      {!isEditing && background("warning")}
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
          {background("rest")}
          <HoldOffers {...approval} />
          <ApprovalDetails {...approval} />
          <ApprovalDecision
            root={root}
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
