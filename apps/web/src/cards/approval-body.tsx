import type { ApprovalView as Approval } from "@bron/protocol";
import { lazy, Suspense, type RefObject } from "react";
import { actionWords } from "../words/action.ts";
import { ApprovalDetails } from "./approval-details.tsx";
import { ApprovalChoices } from "./approval-choices.tsx";
import { DiffList } from "./diff-list.tsx";
import { EditForm } from "./edit-form.tsx";
import { HoldOffers } from "./hold-offers.tsx";
import { zoneOf } from "./prepared-event.ts";
import { PreparedView } from "./prepared-view.tsx";
import { RiskList } from "./risk-list.tsx";
import type { useApprovalChoice } from "./use-approval-choice.ts";
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
  readonly choice: ReturnType<typeof useApprovalChoice>;
  readonly isEditing: boolean;
  onEdit(): void;
  onCancelEdit(): void;
}

/** An open approval: what would be done, and the buttons or the form that decide. */
export function ApprovalBody({
  root,
  approval,
  reading,
  choice,
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
        isBusy={choice.isSending}
        onEdit={(changes) => choice.decide({ kind: "edit", changes })}
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
          isBusy={choice.isSending}
          onSave={(changes) => choice.decide({ kind: "edit", changes })}
          onCancel={onCancelEdit}
        />
      ) : (
        <>
          {background("rest")}
          <HoldOffers {...approval} />
          <ApprovalDetails {...approval} />
          <ApprovalChoices
            root={root}
            approval={approval}
            reading={reading}
            isBusy={choice.isSending}
            onEdit={onEdit}
            onDecide={choice.decide}
          />
        </>
      )}
    </>
  );
}
