import { describeReasons, visible, type ApprovalView, type EffectView } from "@bron/protocol";
import { useEffect, useId, useRef } from "react";
import { Icon } from "../layout/icon.tsx";
import { icon } from "../run/tool-icons.ts";
import { texts } from "../texts.ts";
import { inboxWords } from "../words/inbox.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { ApprovalOutcome } from "./approval-outcome.tsx";
import { closedTitle } from "./approval-title.ts";
import { ApprovalProblem } from "./approval-problem.tsx";
import { GroupItemContent } from "./group-item-content.tsx";
import { useApprovalChoice } from "./use-approval-choice.ts";
import { useEditFailure } from "./use-edit-failure.ts";
import { useEditedHere } from "./use-edited-here.ts";

interface GroupItemProps {
  readonly approval: ApprovalView;
  readonly effectState: EffectView["state"] | undefined;
  /** What it would do, in a line. */
  readonly what: string;
  /** "2 of 3" */
  readonly place: string;
  readonly isOpen: boolean;
  readonly isRead: boolean;
  readonly isRemoved: boolean;
  /** The group's choice is being sent. */
  readonly isBusy: boolean;
  /** Why the group's choice was not accepted for this one. */
  readonly failure: string | undefined;
  /** The group's choice covered this one. */
  readonly isDecidedHere: boolean;
  onToggle(): void;
  onRemove(isRemoved: boolean): void;
  /** All of this content has been on the screen. */
  onRead(approval: ApprovalView): void;
}

/** One effect of a group: folded in a line, or with all of its content. */
export function GroupItem(props: GroupItemProps) {
  const { approval, what, place, isOpen, isRead, isRemoved, failure, isDecidedHere } = props;
  const { state } = approval;
  const isPending = state === "pending";
  const root = useRef<HTMLLIElement>(null);
  const panel = useId();
  const edited = useEditedHere(approval.runId);
  const editFailure = useEditFailure(approval);
  const choice = useApprovalChoice(approval, {
    onStart: ({ kind }) => kind === "edit" && edited.start(),
    onDecided: () => root.current?.focus({ preventScroll: true }),
    onFailed: edited.end,
  });
  useEffect(() => {
    if (isPending && root.current) edited.arrive(root.current);
  }, [isPending, edited]);
  return (
    <li
      ref={root}
      tabIndex={-1}
      data-group-item={approval.actionId}
      className={cx(
        "rounded-lg border border-edge bg-surface p-3 outline-none",
        isRemoved && isPending && "border-dashed",
      )}
    >
      {isPending ? (
        <ItemHead
          what={what}
          place={place}
          isOpen={isOpen}
          isRead={isRead}
          isRemoved={isRemoved}
          panel={panel}
          risks={approval.risks.length}
          isBusy={props.isBusy || choice.isSending}
          onToggle={props.onToggle}
          onRemove={props.onRemove}
        />
      ) : (
        <ClosedHead
          what={what}
          title={editFailure === undefined ? closedTitle(approval) : texts.approval.editFailed}
        />
      )}
      {failure !== undefined && (
        <p role="alert" className="mt-1 text-sm text-bad wrap-anywhere">
          {failure}
        </p>
      )}
      {choice.error !== null && <ApprovalProblem error={choice.error} />}
      {choice.isElsewhere && !isDecidedHere && (
        <p role="alert" className="mt-1 text-sm">
          {texts.approval.elsewhere[state]}
        </p>
      )}
      {isPending ? (
        <div id={panel} hidden={!isOpen || isRemoved} className="mt-3">
          <p className="mb-3 text-sm text-quiet">
            {`${texts.approval.why}: ${visible(describeReasons(approval.reasons, texts.approval.reasons))}`}
          </p>
          <GroupItemContent
            approval={approval}
            isBusy={props.isBusy || choice.isSending}
            onDecide={choice.decide}
            onRead={props.onRead}
          />
        </div>
      ) : (
        <ApprovalOutcome
          approval={approval}
          effectState={props.effectState}
          editFailure={editFailure}
          onChange={choice.update}
        />
      )}
    </li>
  );
}

function ClosedHead({ what, title }: { readonly what: string; readonly title: string }) {
  return (
    <p className="wrap-anywhere">
      <span role="status" className="font-medium">
        {title}
      </span>{" "}
      · {what}
    </p>
  );
}

interface ItemHeadProps extends Pick<
  GroupItemProps,
  "what" | "place" | "isOpen" | "isRead" | "isRemoved" | "isBusy" | "onToggle" | "onRemove"
> {
  readonly panel: string;
  /** The number of warnings. */
  readonly risks: number;
}

function ItemHead(props: ItemHeadProps) {
  const { what, place, panel, isOpen, isRead, isRemoved, isBusy, onToggle, onRemove } = props;
  const { group } = texts.approval;
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <button
        type="button"
        aria-expanded={isOpen && !isRemoved}
        aria-controls={panel}
        disabled={isRemoved}
        onClick={onToggle}
        className="flex min-w-0 flex-1 basis-48 items-start gap-1.5 border-0 bg-transparent p-0 text-left"
      >
        <span
          aria-hidden="true"
          className={cx(
            "mt-1 shrink-0 text-quiet transition-transform [&>svg]:size-3.5",
            isOpen && !isRemoved && "rotate-90",
          )}
        >
          <Icon path={icon.unfold} />
        </span>
        <span className="min-w-0">
          <span className={cx("block font-medium wrap-anywhere", isRemoved && "line-through")}>
            <span className="sr-only">{place}: </span>
            {what}
          </span>
          <span className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-quiet">
            {props.risks > 0 && (
              <span className="rounded border border-bad bg-bad-soft px-1.5 text-bad">
                {inboxWords.risks(props.risks)}
              </span>
            )}
            <span>{isRemoved ? group.removedHint : isRead ? group.read : group.unread}</span>
          </span>
        </span>
      </button>
      <Button
        kind="quiet"
        isBusy={isBusy}
        aria-label={isRemoved ? group.putBackItem(what) : group.removeItem(what)}
        onClick={() => onRemove(!isRemoved)}
      >
        {isRemoved ? group.putBack : group.remove}
      </Button>
    </div>
  );
}
