import { visible, type ApprovalView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Expiry } from "../cards/expiry.tsx";
import { queries } from "../live/queries.ts";
import { inboxWords } from "../words/inbox.ts";
import { Ago } from "../time.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { cx } from "../ui/cx.ts";
import { approvalLine, groupLine } from "./approval-line.ts";

interface ApprovalRowProps {
  /** One approval, or those that are decided together. */
  readonly approvals: readonly ApprovalView[];
  /** "2 of 3" */
  readonly place: string;
  readonly isOpen: boolean;
  /** All of its current content has been on this screen. */
  isRead(approval: ApprovalView): boolean;
  isChosen(approval: ApprovalView): boolean;
  onOpen(): void;
  onChoose(id: string, isChosen: boolean): void;
}

/** What waits for the owner: which Bron wants to do what, when it was requested and when it expires. */
export function ApprovalRow(props: ApprovalRowProps) {
  const [first, ...others] = props.approvals;
  return first && <Row {...props} approval={first} others={others} />;
}

function Row({
  approval,
  others,
  place,
  isOpen,
  isRead,
  isChosen,
  onOpen,
  onChoose,
}: Omit<ApprovalRowProps, "approvals"> & {
  readonly approval: ApprovalView;
  readonly others: readonly ApprovalView[];
}) {
  const { data: run } = useQuery(queries.run(approval.runId));
  const { data: brons = [] } = useQuery(queries.brons());
  const bron = brons.find(({ id }) => id === run?.bronId);
  const all = [approval, ...others];
  const what = others.length === 0 ? approvalLine(approval) : groupLine(all);
  const risks = all.reduce((sum, one) => sum + one.risks.length, 0);
  return (
    <li
      data-approval-row={approval.id}
      // A pointer may press anywhere in the row except on other controls or to select text. The
      // button inside is for the keyboard.
      onClick={({ target }) =>
        target instanceof Element &&
        !target.closest("a, button, input") &&
        getSelection()?.isCollapsed !== false &&
        onOpen()
      }
      className={cx(
        "flex cursor-pointer gap-3 rounded-xl border p-3",
        isOpen ? "border-accent bg-accent-soft" : "border-edge bg-surface hover:bg-raised",
      )}
    >
      <Choice
        label={inboxWords.select(place, what)}
        isOffered={others.length === 0}
        isRead={isRead(approval)}
        isChosen={isChosen(approval)}
        onChoose={(isNowChosen) => onChoose(approval.id, isNowChosen)}
      />
      <div className="min-w-0 flex-1">
        <button
          type="button"
          data-row
          aria-current={isOpen ? "true" : undefined}
          onClick={onOpen}
          className="block w-full min-w-0 border-0 bg-transparent p-0 text-left"
        >
          <span className="block font-medium wrap-anywhere">{what}</span>
        </button>
        <p className="mt-1 flex min-w-0 items-center gap-1.5 text-sm text-quiet">
          {bron && <Avatar name={bron.name} color={bron.avatarColor} size="sm" />}
          <span className="shrink-0">{bron && visible(bron.name)}</span>
          {run && (
            <Link
              to="/runs/$runId"
              params={{ runId: run.id }}
              title={inboxWords.viewTask}
              className="truncate"
            >
              {visible(run.title)}
            </Link>
          )}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-quiet">
          {risks > 0 && (
            <span className="rounded border border-bad bg-bad-soft px-1.5 text-bad">
              {inboxWords.risks(risks)}
            </span>
          )}
          <span>
            {inboxWords.requested} <Ago at={approval.createdAt} />
          </span>
          <Expiry at={approval.expiresAt} />
        </p>
      </div>
    </li>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The items of a group are chosen in its own card. */
  readonly isOffered: boolean;
  readonly isRead: boolean;
  readonly isChosen: boolean;
  onChoose(isChosen: boolean): void;
}

function Choice({ label, isOffered, isRead, isChosen, onChoose }: ChoiceProps) {
  if (!isOffered) return <span className="size-5 shrink-0" />;
  return (
    <input
      type="checkbox"
      className="mt-1 size-5 shrink-0 accent-accent"
      checked={isChosen && isRead}
      disabled={!isRead}
      aria-label={label}
      title={isRead ? undefined : inboxWords.openFirst}
      onChange={({ target }) => onChoose(target.checked)}
    />
  );
}
