import type { ApprovalView } from "@bron/protocol";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { actionWords } from "../words/action.ts";
import type { Decision } from "./approval-decision.tsx";
import { DiffList } from "./diff-list.tsx";
import { EditForm } from "./edit-form.tsx";
import { HoldOffers } from "./hold-offers.tsx";
import { zoneOf } from "./prepared-event.ts";
import { PreparedView, RawView } from "./prepared-view.tsx";
import { RiskList } from "./risk-list.tsx";
import { useReadProgress } from "./use-read-progress.ts";

interface GroupItemContentProps {
  readonly approval: ApprovalView;
  readonly isBusy: boolean;
  onDecide(decision: Decision): void;
  onRead(approval: ApprovalView): void;
}

/** What one effect of a group would do, and how to change it. */
export function GroupItemContent({ approval, isBusy, onDecide, onRead }: GroupItemContentProps) {
  const reading = useReadProgress();
  const buttons = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<"view" | "edit" | "reply">("view");
  useEffect(() => {
    if (reading.isComplete) onRead(approval);
  }, [reading.isComplete, onRead, approval]);
  const toView = () => {
    const before = mode;
    flushSync(() => setMode("view"));
    buttons.current?.querySelector<HTMLElement>(`[data-mode=${before}]`)?.focus();
  };
  const { digest, editable, prepared, tool } = approval;
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
          <RawView prepared={prepared} />
          <HoldOffers {...approval} />
          <p className="mt-3 text-sm text-quiet">
            {texts.approval.digest} <code className="text-xs">{digest.slice(0, 23)}…</code>
          </p>
        </>
      )}
      {mode === "reply" && (
        <ReplyForm
          isBusy={isBusy}
          onReply={(words) => onDecide({ kind: "reply", words })}
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
function ReplyForm({
  isBusy,
  onReply,
  onCancel,
}: {
  readonly isBusy: boolean;
  onReply(words: string): void;
  onCancel(): void;
}) {
  const [words, setWords] = useState("");
  return (
    <form
      className="mt-3 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== "" && !isBusy) onReply(words);
      }}
    >
      <label className="grid gap-1 text-sm">
        {texts.approval.group.whatToChange}
        <textarea
          // The reader has just pressed the button for it.
          ref={(field) => field?.focus()}
          rows={2}
          value={words}
          readOnly={isBusy}
          onChange={({ target }) => setWords(target.value)}
          className={inputClass}
        />
      </label>
      <p className="text-sm text-quiet">{texts.approval.requestChangesHint}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isBusy} disabled={words.trim() === ""}>
          {texts.approval.requestChanges}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
