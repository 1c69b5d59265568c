import { isTerminal, type RunView, type ThreadView } from "@bron/protocol";
import { Composer } from "../home/composer.tsx";
import { useRoomAtEnd } from "../edges.ts";
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
          label={isOver ? texts.run.reply : texts.run.say}
          placeholder={isOver ? texts.run.replyPlaceholder : texts.run.sayPlaceholder}
          actions={
            isOver ? undefined : <StopButton runId={last.id} isStopping={last.cancelRequested} />
          }
          onStarted={onStarted}
        />
      </div>
    </footer>
  );
}
