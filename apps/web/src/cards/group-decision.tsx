import type { ApprovalView } from "@bron/protocol";
import { useId, useState, type RefObject } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { manyWords } from "../words/action.ts";
import { Expiry } from "./expiry.tsx";
import { useApprovalKeys } from "./use-approval-keys.ts";

interface GroupDecisionProps {
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
export function GroupDecision({
  root,
  pending,
  kept,
  unread,
  isBusy,
  onShowNext,
  onApprove,
  onDenyAll,
}: GroupDecisionProps) {
  const [words, setWords] = useState("");
  const why = useId();
  const { group } = texts.approval;
  const canApprove = kept.length > 0 && unread === 0 && !isBusy;
  const find = (name: string) => root.current?.querySelector<HTMLElement>(`[data-key="${name}"]`);
  useApprovalKeys({
    root,
    keys: {
      [texts.approval.approveKey]: () => (unread === 0 ? find("approve")?.focus() : onShowNext()),
      [texts.approval.denyKey]: () => find("deny")?.focus(),
    },
  });
  const expiry = pending.map(({ expiresAt }) => expiresAt).toSorted()[0] ?? "";
  const many = manyWords((kept.length > 0 ? kept : pending).map(({ tool }) => tool));
  return (
    <div className="mt-4 border-t border-ask-edge pt-4">
      <p className="mb-3 text-sm text-quiet">
        <Expiry at={expiry} />
      </p>
      <Button
        kind="main"
        data-key="approve"
        aria-disabled={!canApprove}
        aria-describedby={why}
        aria-keyshortcuts={texts.approval.approveKey}
        onClick={() => canApprove && onApprove(words.trim())}
      >
        {isBusy ? texts.approval.saving : group.approve(many)}
        <KeyHint name={texts.approval.approveKey} />
      </Button>
      <div id={why} className="mt-2 min-h-5 text-sm">
        {kept.length === 0 && <p>{group.allRemoved}</p>}
        {unread > 0 && (
          <p>
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
      <DenyAll
        words={words}
        isBusy={isBusy}
        onType={setWords}
        onDenyAll={() => onDenyAll(words.trim())}
      />
    </div>
  );
}

interface DenyAllProps {
  readonly words: string;
  readonly isBusy: boolean;
  onType(words: string): void;
  onDenyAll(): void;
}

function DenyAll({ words, isBusy, onType, onDenyAll }: DenyAllProps) {
  const { group } = texts.approval;
  return (
    <div className="mt-1 grid gap-2">
      <label className="grid gap-1 text-sm">
        <span className="sr-only">{group.denyReason}</span>
        <textarea
          rows={2}
          data-key="deny"
          value={words}
          readOnly={isBusy}
          placeholder={group.denyReason}
          onChange={({ target }) => onType(target.value)}
          className={inputClass}
        />
      </label>
      <div>
        <Button
          kind="danger"
          isBusy={isBusy}
          aria-keyshortcuts={texts.approval.denyKey}
          onClick={onDenyAll}
        >
          {group.denyAll}
          <KeyHint name={texts.approval.denyKey} />
        </Button>
      </div>
    </div>
  );
}
