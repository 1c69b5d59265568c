import type { ApprovalView } from "@bron/protocol";
import { useId, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { manyWords } from "../words/action.ts";
import { useWords } from "../words-field/use-words.ts";
import { barButtons, ApprovalBar } from "./approval-bar.tsx";
import { approvalDrafts } from "./approval-drafts.ts";
import { ApprovalWordsForm } from "./approval-words-form.tsx";
import { NearExpiry } from "./expiry.tsx";
import { useApprovalKeys } from "./use-approval-keys.ts";
import { useArmed } from "./use-armed.ts";

interface GroupChoicesProps {
  /** The card, where the keys apply. */
  readonly root: RefObject<HTMLElement | null>;
  /** The pending approvals. */
  readonly pending: readonly ApprovalView[];
  /** Those of them that were not removed. */
  readonly kept: readonly ApprovalView[];
  /** How many of those have not been read. */
  readonly unread: number;
  readonly isBusy: boolean;
  onShowNext(): void;
  onApprove(reason: string): void;
  onDenyAll(reason: string): void;
}

/** Approves what was not removed, or denies all. It applies to exactly what was on the screen. */
export function GroupChoices(props: GroupChoicesProps) {
  const { root, pending, kept, unread, isBusy, onShowNext, onApprove, onDenyAll } = props;
  const reason = useWords(approvalDrafts(pending[0]?.id ?? "").reason);
  const [isAsking, setIsAsking] = useState(reason.words !== "");
  const isArmed = useArmed(unread === 0);
  const canApprove = kept.length > 0 && unread === 0 && !isBusy;
  const focus = (name: string) =>
    root.current?.querySelector<HTMLElement>(`[data-key="${name}"]`)?.focus();
  const ask = (isAsked: boolean) => {
    if (isBusy) return;
    flushSync(() => setIsAsking(isAsked));
    focus(isAsked ? "send" : "reason");
  };
  const approve = () => onApprove(reason.words.trim());
  useApprovalKeys({
    root,
    keys: {
      [texts.approval.approveKey](isAimed) {
        if (unread > 0) onShowNext();
        else if (!isAsking && canApprove && isAimed && isArmed()) approve();
        else focus("approve");
      },
      [texts.approval.denyKey]: () => ask(true),
    },
  });
  return (
    <ApprovalBar>
      {isAsking ? (
        <ApprovalWordsForm
          kind="reason"
          field={reason}
          isBusy={isBusy}
          onSend={({ words }) => onDenyAll(words.trim())}
          onCancel={() => ask(false)}
        />
      ) : (
        <Choices {...props} canApprove={canApprove} onApprove={approve} onAsk={() => ask(true)} />
      )}
    </ApprovalBar>
  );
}

interface ChoicesProps extends Omit<GroupChoicesProps, "root" | "onApprove" | "onDenyAll"> {
  readonly canApprove: boolean;
  onApprove(): void;
  onAsk(): void;
}

function Choices({
  pending,
  kept,
  unread,
  isBusy,
  canApprove,
  onShowNext,
  onApprove,
  onAsk,
}: ChoicesProps) {
  const why = useId();
  const { group } = texts.approval;
  const expiry = pending.map(({ expiresAt }) => expiresAt).toSorted()[0] ?? "";
  const many = manyWords((kept.length > 0 ? kept : pending).map(({ tool }) => tool));
  return (
    <>
      <div id={why} className="text-sm">
        {kept.length === 0 && <p className="mb-2">{group.allRemoved}</p>}
        {unread > 0 && (
          <p className="mb-2">
            {group.readFirst(unread)}{" "}
            <button
              type="button"
              onClick={onShowNext}
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
          onClick={() => canApprove && onApprove()}
        >
          {isBusy ? texts.approval.saving : group.approve(many)}
          <KeyHint name={texts.approval.approveKey} />
        </Button>
        <Button
          kind="danger"
          data-key="reason"
          isBusy={isBusy}
          aria-keyshortcuts={texts.approval.denyKey}
          onClick={onAsk}
        >
          {group.denyAll}
          <KeyHint name={texts.approval.denyKey} />
        </Button>
        <span className="text-sm text-quiet">
          <NearExpiry at={expiry} />
        </span>
      </div>
    </>
  );
}
