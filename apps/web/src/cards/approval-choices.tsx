import { omitUndefined, type ApprovalView, type JsonObject } from "@bron/protocol";
import { useId, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { useNow } from "../use-now.ts";
import { actionWords } from "../words/action.ts";
import { useWords } from "../words-field/use-words.ts";
import { approvalDrafts } from "./approval-drafts.ts";
import { barButtons, ApprovalBar } from "./approval-bar.tsx";
import { ApprovalWordsForm } from "./approval-words-form.tsx";
import { useApprovalKeys } from "./use-approval-keys.ts";
import { useArmed } from "./use-armed.ts";
import type { ReadProgress } from "./use-read-progress.ts";

export type ApprovalChoice =
  | { readonly kind: "approve" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "edit"; readonly changes: JsonObject }
  | { readonly kind: "reply"; readonly words: string; readonly context?: string[] };

interface ApprovalChoicesProps {
  /** The card, where the keys apply. */
  readonly root: RefObject<HTMLElement | null>;
  readonly approval: ApprovalView;
  readonly reading: ReadProgress;
  readonly isBusy: boolean;
  onEdit(): void;
  onDecide(choice: ApprovalChoice): void;
}

/**
 * Approve, edit, request changes or deny, in a bar that stays on the screen. Every choice applies
 * to exactly what is on the screen. The field for words comes when it is wanted.
 */
export function ApprovalChoices(props: ApprovalChoicesProps) {
  const { root, approval, reading, isBusy, onEdit, onDecide } = props;
  const drafts = approvalDrafts(approval.id);
  const changes = useWords(drafts.changes);
  const reason = useWords(drafts.reason);
  const [mode, setMode] = useState<"choose" | "changes" | "reason">(() =>
    changes.words !== "" ? "changes" : reason.words !== "" ? "reason" : "choose",
  );
  const isArmed = useArmed(reading.isComplete);
  const isExpired = useNow(true) >= Date.parse(approval.expiresAt);
  const canApprove = reading.isComplete && !isBusy && !isExpired;
  const focus = (name: string) =>
    root.current?.querySelector<HTMLElement>(`[data-key="${name}"]`)?.focus();
  const show = (next: typeof mode, target: string) => {
    if (isBusy) return;
    flushSync(() => setMode(next));
    focus(target);
  };
  const askChanges = () => show("changes", "words");
  const askReason = () => show("reason", "words");
  useApprovalKeys({
    root,
    keys: {
      [texts.approval.approveKey](isAimed) {
        if (!reading.isComplete) reading.continueReading();
        else if (mode === "choose" && canApprove && isAimed && isArmed())
          onDecide({ kind: "approve" });
        else focus("approve");
      },
      [texts.approval.editKey]: () => approval.editable && !isBusy && onEdit(),
      [texts.approval.changesKey]: askChanges,
      [texts.approval.denyKey]: askReason,
    },
  });
  return (
    <ApprovalBar>
      {mode === "choose" ? (
        <Choices
          {...props}
          canApprove={canApprove}
          onAskChanges={askChanges}
          onAskReason={askReason}
        />
      ) : (
        <ApprovalWordsForm
          key={mode}
          kind={mode}
          field={mode === "changes" ? changes : reason}
          isBusy={isBusy}
          onSend={({ words, context }) =>
            onDecide(
              mode === "changes"
                ? { kind: "reply", words, ...omitUndefined({ context }) }
                : { kind: "deny", reason: words.trim() },
            )
          }
          onCancel={() => show("choose", mode)}
        />
      )}
    </ApprovalBar>
  );
}

interface ChoicesProps extends Omit<ApprovalChoicesProps, "root"> {
  readonly canApprove: boolean;
  onAskChanges(): void;
  onAskReason(): void;
}

function Choices({
  approval: { tool, editable },
  reading,
  isBusy,
  canApprove,
  onEdit,
  onDecide,
  onAskChanges,
  onAskReason,
}: ChoicesProps) {
  const why = useId();
  return (
    <>
      <div id={why} className="text-sm">
        {!reading.isComplete && (
          <p className="mb-2">
            {texts.approval.readFirst(reading.unseenPercent)}{" "}
            <button
              type="button"
              onClick={reading.continueReading}
              className="border-0 bg-transparent p-0 text-accent underline"
            >
              {texts.approval.continueReading}
            </button>
          </p>
        )}
      </div>
      <div className={barButtons}>
        <Button
          kind="main"
          data-key="approve"
          aria-disabled={!canApprove}
          aria-describedby={why}
          aria-keyshortcuts={texts.approval.approveKey}
          onClick={() => canApprove && onDecide({ kind: "approve" })}
        >
          {isBusy ? texts.approval.saving : actionWords(tool).approve}
          <KeyHint name={texts.approval.approveKey} />
        </Button>
        {editable && (
          <Button
            data-key="edit"
            isBusy={isBusy}
            aria-keyshortcuts={texts.approval.editKey}
            onClick={onEdit}
          >
            {texts.approval.edit}
            <KeyHint name={texts.approval.editKey} />
          </Button>
        )}
        <Button
          data-key="changes"
          isBusy={isBusy}
          aria-keyshortcuts={texts.approval.changesKey}
          title={texts.approval.requestChangesHint}
          onClick={onAskChanges}
        >
          {texts.approval.requestChanges}
          <KeyHint name={texts.approval.changesKey} />
        </Button>
        <Button
          kind="danger"
          data-key="reason"
          isBusy={isBusy}
          aria-keyshortcuts={texts.approval.denyKey}
          onClick={onAskReason}
        >
          {texts.approval.deny}
          <KeyHint name={texts.approval.denyKey} />
        </Button>
      </div>
    </>
  );
}
