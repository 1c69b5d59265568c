import {
  currentApprovals,
  newerApproval,
  type ApprovalView,
  type LoggedApproval,
} from "@bron/protocol";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { groupLine, itemLine } from "../approvals/approval-line.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { inboxWords } from "../words/inbox.ts";
import { closedGroupTitle } from "./approval-title.ts";
import { cardClass } from "./card-class.ts";
import { ApprovalProblem } from "./approval-problem.tsx";
import { GroupChoices } from "./group-choices.tsx";
import { GroupItem } from "./group-item.tsx";
import { SnoozeMenu } from "./snooze-menu.tsx";
import { UndoAll } from "./undo-all.tsx";
import { undoUntilOf } from "./undo-until.ts";
import { openApproval } from "./use-approval-keys.ts";
import { useGroupChoice } from "./use-group-choice.ts";

interface GroupMember {
  readonly approval: ApprovalView;
  /** Undefined if it must be read from the server. */
  readonly effectState?: LoggedApproval["effectState"] | undefined;
}

interface ApprovalGroupProps {
  /** In the order in which they were asked, with those that were replaced by edits. */
  readonly members: readonly GroupMember[];
  /** Whether the members change with the log of the run. Otherwise the server is asked. */
  readonly isLive: boolean;
  /** Called once when the group can be decided and is on the page. */
  onAsked?(element: HTMLElement): void;
  /** Called with what a choice of this card decided. */
  onDecided?(approvals: readonly ApprovalView[]): void;
  onSnoozed?(): void;
}

/**
 * Effects of one kind from one step, in one card and with one choice. Each is approved or denied
 * by the digest of what was shown.
 */
export function ApprovalGroup(props: ApprovalGroupProps) {
  const { members, isLive, onAsked, onDecided, onSnoozed } = props;
  const items = useItems(members, isLive);
  const pending = items.filter(({ state }) => state === "pending");
  const isAsked = pending.length > 0;
  const section = useRef<HTMLElement>(null);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(pending.slice(0, 1).map(({ actionId }) => actionId)),
  );
  const onRead = useCallback(
    ({ digest }: ApprovalView) => setRead((before) => new Set([...before, digest])),
    [],
  );
  const choice = useGroupChoice((decided) => {
    section.current?.focus({ preventScroll: true });
    onDecided?.(decided);
  });
  useEffect(() => {
    if (isAsked && section.current) onAsked?.(section.current);
  }, [isAsked, onAsked]);
  const kept = pending.filter(({ actionId }) => !removed.has(actionId));
  const leftOut = pending.filter(({ actionId }) => removed.has(actionId));
  const unread = kept.filter(({ digest }) => !read.has(digest));
  const title = isAsked ? texts.approval.group.title(groupLine(pending)) : closedGroupTitle(items);
  const showNext = () => {
    const [next] = unread;
    if (!next || !section.current) return;
    flushSync(() => setOpen((before) => new Set([...before, next.actionId])));
    continueReading(section.current, next.actionId);
  };
  return (
    <section
      ref={section}
      tabIndex={-1}
      data-approval
      {...(isAsked ? { [openApproval]: "" } : {})}
      aria-label={title}
      className={cardClass(isAsked)}
    >
      <GroupHead title={title} pending={pending} onSnoozed={onSnoozed} />
      {choice.error !== null && <ApprovalProblem error={choice.error} />}
      <ul aria-label={texts.approval.group.items} className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {items.map((approval, index) => (
          // New content must be read and decided again, so it gets a fresh component.
          <GroupItem
            key={`${approval.id} ${approval.digest} ${approval.reopened}`}
            approval={approval}
            effectState={effectStateOf(members, approval)}
            what={itemLine(approval, items)}
            place={inboxWords.position(index + 1, items.length)}
            isOpen={open.has(approval.actionId)}
            isRead={read.has(approval.digest)}
            isRemoved={removed.has(approval.actionId)}
            isBusy={choice.isSending}
            failure={choice.failures.get(approval.id)}
            isDecidedHere={choice.decided.has(approval.id)}
            onToggle={() => setOpen(toggled(approval.actionId))}
            onRemove={() => setRemoved(toggled(approval.actionId))}
            onRead={onRead}
          />
        ))}
      </ul>
      {isAsked ? (
        <GroupChoices
          root={section}
          pending={pending}
          kept={kept}
          unread={unread.length}
          isBusy={choice.isSending}
          onShowNext={showNext}
          onApprove={(reason) => choice.decide({ approve: kept, deny: leftOut, reason })}
          onDenyAll={(reason) => choice.decide({ approve: [], deny: pending, reason })}
        />
      ) : (
        <UndoDecided items={items} />
      )}
    </section>
  );
}

function GroupHead({
  title,
  pending,
  onSnoozed,
}: {
  readonly title: string;
  readonly pending: readonly ApprovalView[];
  readonly onSnoozed: (() => void) | undefined;
}) {
  return (
    <div className="flex items-start justify-between gap-3">
      <h2 className="m-0 mb-3 text-lg font-semibold">{title}</h2>
      {pending.length > 0 && <SnoozeMenu ids={pending.map(({ id }) => id)} onSnoozed={onSnoozed} />}
    </div>
  );
}

function UndoDecided({ items }: { readonly items: readonly ApprovalView[] }) {
  const decided = items.flatMap((item) => (undoUntilOf(item) === undefined ? [] : [item.id]));
  if (decided.length === 0) return null;
  return (
    <div className="mt-3">
      <UndoAll ids={decided} />
    </div>
  );
}

/** The newest approval of each effect. A choice of this page may be known before the log has it. */
function useItems(members: readonly GroupMember[], isLive: boolean): readonly ApprovalView[] {
  const responses = useQueries({
    queries: members.map(({ approval: { id } }) => ({
      ...queries.approval(id),
      enabled: !isLive,
    })),
  });
  return currentApprovals(
    members.map(
      ({ approval }, index) => newerApproval(approval, responses[index]?.data) ?? approval,
    ),
  );
}

function effectStateOf(members: readonly GroupMember[], { id }: ApprovalView) {
  return members.find(({ approval }) => approval.id === id)?.effectState;
}

function toggled(id: string): (before: ReadonlySet<string>) => ReadonlySet<string> {
  return (before) =>
    before.has(id)
      ? new Set([...before].filter((other) => other !== id))
      : new Set([...before, id]);
}

/** Scrolls to what of the item has not been on the screen, and puts the focus on the item. */
function continueReading(section: HTMLElement, actionId: string): void {
  const item = section.querySelector<HTMLElement>(`[data-group-item="${CSS.escape(actionId)}"]`);
  item?.querySelector<HTMLElement>("button[aria-expanded]")?.focus({ preventScroll: true });
  item?.querySelector<HTMLElement>("[data-continue]")?.click();
}
