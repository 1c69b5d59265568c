import { isTerminal, type ApprovalView, type RunView, type ThreadView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Composer } from "../home/composer.tsx";
import { useRoomAtEnd } from "../edges.ts";
import { queries } from "../live/queries.ts";
import { conversationWidth, twoColumns } from "../run/columns.ts";
import { StopButton } from "../run/stop-button.tsx";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { Button } from "../ui/button.tsx";

interface ThreadFooterProps {
  readonly thread: ThreadView;
  readonly last: RunView;
  readonly isAway: boolean;
  onStarted(): void;
  onToEnd(): void;
}

/**
 * Stays at the bottom of the page. While a task works, words are for it. After its end, they start
 * the next task of the conversation.
 */
export function ThreadFooter({ thread, last, isAway, onStarted, onToEnd }: ThreadFooterProps) {
  const footer = useRoomAtEnd();
  const isOver = isTerminal(last.status);
  const approval = useOnlyApproval(last.id);
  return (
    <footer ref={footer} className="sticky bottom-0 z-10 bg-ground print:hidden">
      {isAway && (
        <div
          className={cx(
            conversationWidth,
            twoColumns,
            "pointer-events-none absolute inset-x-0 bottom-full mb-3",
          )}
        >
          <Button
            className="pointer-events-auto justify-self-center rounded-full shadow-lg"
            onClick={onToEnd}
          >
            {texts.run.jumpToLatest} ↓
          </Button>
        </div>
      )}
      <div className={cx(conversationWidth, twoColumns, "pb-3 sm:pb-4")}>
        <Composer
          suggestions={[]}
          bronId={thread.bronId}
          threadId={thread.id}
          runUnderWay={isOver ? undefined : last.id}
          approval={approval}
          label={isOver ? texts.run.reply : texts.run.say}
          placeholder={
            isOver
              ? texts.run.replyPlaceholder
              : approval
                ? texts.run.changePlaceholder
                : texts.run.sayPlaceholder
          }
          actions={
            isOver ? undefined : <StopButton runId={last.id} isStopping={last.cancelRequested} />
          }
          onStarted={onStarted}
        />
      </div>
    </footer>
  );
}

/** The approval that a run waits for, if there is exactly one. */
function useOnlyApproval(runId: string): ApprovalView | undefined {
  const { data = [] } = useQuery(queries.pendingApprovals());
  const own = data.filter((approval) => approval.runId === runId);
  return own.length === 1 ? own[0] : undefined;
}
