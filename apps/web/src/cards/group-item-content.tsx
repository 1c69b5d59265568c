import { omitUndefined, type ApprovalView } from "@bron/protocol";
import { useEffect, useRef, useState, type ComponentProps } from "react";
import { flushSync } from "react-dom";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { actionWords } from "../words/action.ts";
import { readDraft } from "../words-field/kept-draft.ts";
import { useWords } from "../words-field/use-words.ts";
import { ApprovalDetails } from "./approval-details.tsx";
import type { ApprovalChoice } from "./approval-choices.tsx";
import { approvalDrafts } from "./approval-drafts.ts";
import { ApprovalWordsForm } from "./approval-words-form.tsx";
import { DiffList } from "./diff-list.tsx";
import { EditForm } from "./edit-form.tsx";
import { HoldOffers } from "./hold-offers.tsx";
import { zoneOf } from "./prepared-event.ts";
import { PreparedView } from "./prepared-view.tsx";
import { RiskList } from "./risk-list.tsx";
import { useReadProgress } from "./use-read-progress.ts";

interface GroupItemContentProps {
  readonly approval: ApprovalView;
  readonly isBusy: boolean;
  onDecide(choice: ApprovalChoice): void;
  onRead(approval: ApprovalView): void;
}

/** What one effect of a group would do, and how to change it. */
export function GroupItemContent({ approval, isBusy, onDecide, onRead }: GroupItemContentProps) {
  const reading = useReadProgress();
  const buttons = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<"view" | "edit" | "reply">(() =>
    readDraft(approvalDrafts(approval.id).changes).words === "" ? "view" : "reply",
  );
  useEffect(() => {
    if (reading.isComplete) onRead(approval);
  }, [reading.isComplete, onRead, approval]);
  const toView = () => {
    const before = mode;
    flushSync(() => setMode("view"));
    buttons.current?.querySelector<HTMLElement>(`[data-mode=${before}]`)?.focus();
  };
  const { editable, prepared, tool } = approval;
  return (
    <>
      <div
        ref={reading.ref}
        role="group"
        aria-label={actionWords(tool).content}
        data-reading={reading.isComplete ? undefined : ""}
        hidden={mode === "edit"}
      >
        <RiskList {...approval} />
        <DiffList diff={approval.diff} />
        <PreparedView {...approval} />
      </div>
      {!reading.isComplete && mode !== "edit" && (
        <p className="mt-2 text-sm">
          {texts.approval.readFirst(reading.unseenPercent)}{" "}
          <button
            type="button"
            data-continue
            onClick={reading.continueReading}
            className="border-0 bg-transparent p-0 text-accent underline"
          >
            {texts.approval.continueReading}
          </button>
        </p>
      )}
      {mode === "edit" && editable ? (
        <EditForm
          editable={editable}
          zone={zoneOf(prepared)}
          isBusy={isBusy}
          onSave={(changes) => onDecide({ kind: "edit", changes })}
          onCancel={toView}
        />
      ) : (
        <>
          <HoldOffers {...approval} />
          <ApprovalDetails {...approval} />
        </>
      )}
      {mode === "reply" && (
        <ItemChanges
          id={approval.id}
          isBusy={isBusy}
          onSend={({ words, context }) =>
            onDecide({ kind: "reply", words, ...omitUndefined({ context }) })
          }
          onCancel={toView}
        />
      )}
      {mode === "view" && (
        <div ref={buttons} className="mt-3 flex flex-wrap gap-2">
          {editable && (
            <Button data-mode="edit" isBusy={isBusy} onClick={() => setMode("edit")}>
              {texts.approval.edit}
            </Button>
          )}
          <Button data-mode="reply" isBusy={isBusy} onClick={() => setMode("reply")}>
            {texts.approval.requestChanges}
          </Button>
        </div>
      )}
    </>
  );
}

/** Words instead of a yes or no to this one effect. */
function ItemChanges({
  id,
  ...rest
}: { readonly id: string } & Omit<ComponentProps<typeof ApprovalWordsForm>, "kind" | "field">) {
  const field = useWords(approvalDrafts(id).changes);
  return (
    <div
      className="mt-3"
      // The reader has just pressed the button for it.
      ref={(element) => element?.querySelector("textarea")?.focus()}
    >
      <ApprovalWordsForm kind="changes" field={field} {...rest} />
    </div>
  );
}
