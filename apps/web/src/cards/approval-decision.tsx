import { omitUndefined, type ApprovalView, type JsonObject } from "@bron/protocol";
import { useId, useRef } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { useNow } from "../use-now.ts";
import { actionWords } from "../words/action.ts";
import { PastedChips } from "../words-field/pasted-chips.tsx";
import { useWords } from "../words-field/use-words.ts";
import { Expiry } from "./expiry.tsx";
import { openDecision, useApprovalKeys } from "./use-approval-keys.ts";
import type { ReadProgress } from "./use-read-progress.ts";

export type Decision =
  | { readonly kind: "approve" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "edit"; readonly changes: JsonObject }
  | { readonly kind: "reply"; readonly words: string; readonly context?: string[] };

interface ApprovalDecisionProps {
  readonly approval: ApprovalView;
  readonly reading: ReadProgress;
  readonly isBusy: boolean;
  onEdit(): void;
  onDecide(decision: Decision): void;
}

/**
 * Approve, deny, edit or request changes. Every decision applies to exactly what is on the screen.
 */
export function ApprovalDecision({
  approval: { tool, digest, editable, expiresAt },
  reading,
  isBusy,
  onEdit,
  onDecide,
}: ApprovalDecisionProps) {
  const root = useRef<HTMLDivElement>(null);
  const field = useWords();
  const { words, context } = field;
  const why = useId();
  const isExpired = useNow(true) >= Date.parse(expiresAt);
  const canApprove = reading.isComplete && !isBusy && !isExpired;
  const find = (name: string) => root.current?.querySelector<HTMLElement>(`[data-key="${name}"]`);
  useApprovalKeys({
    root,
    keys: {
      [texts.approval.approveKey]: () =>
        reading.isComplete ? find("approve")?.focus() : reading.continueReading(),
      [texts.approval.editKey]: () => editable && !isBusy && onEdit(),
      [texts.approval.denyKey]: () => find("deny")?.focus(),
    },
  });
  return (
    <div ref={root} {...{ [openDecision]: "" }} className="mt-4 border-t border-ask-edge pt-4">
      <p className="mb-3 text-sm text-quiet">
        <Expiry at={expiresAt} /> · {texts.approval.digest}{" "}
        <code className="text-xs">{digest.slice(0, 23)}…</code>
      </p>
      <div className="flex flex-wrap items-center gap-2">
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
      </div>
      <div id={why} className="mt-2 min-h-5 text-sm">
        {!reading.isComplete && (
          <p>
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
      <div className="mt-1 grid gap-2">
        <label className="grid gap-1 text-sm">
          <span className="sr-only">{texts.approval.denyReason}</span>
          <textarea
            rows={2}
            data-key="deny"
            ref={field.ref}
            {...field.handlers}
            value={words}
            readOnly={isBusy}
            placeholder={texts.approval.denyReason}
            onChange={({ target }) => field.setWords(target.value)}
            className={inputClass}
          />
        </label>
        <PastedChips field={field} hint={texts.pasted.withReply} />
        <div className="flex flex-wrap gap-2">
          <Button
            kind="danger"
            isBusy={isBusy}
            aria-keyshortcuts={texts.approval.denyKey}
            onClick={() => onDecide({ kind: "deny", reason: words.trim() })}
          >
            {texts.approval.deny}
            <KeyHint name={texts.approval.denyKey} />
          </Button>
          <Button
            isBusy={isBusy}
            disabled={words.trim() === ""}
            title={texts.approval.requestChangesHint}
            onClick={() => onDecide({ kind: "reply", words, ...omitUndefined({ context }) })}
          >
            {texts.approval.requestChanges}
          </Button>
        </div>
      </div>
    </div>
  );
}
