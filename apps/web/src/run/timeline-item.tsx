import { Link } from "@tanstack/react-router";
import { createContext, memo, useContext, type ReactNode } from "react";
import { ApprovalGroup } from "../cards/approval-group.tsx";
import { QuestionView } from "../cards/question-view.tsx";
import { CardView } from "../cards/card-view.tsx";
import { Icon } from "../layout/icon.tsx";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { cx } from "../ui/cx.ts";
import { describeLine } from "../words/log.ts";
import { describeToolSetDiff } from "../words/tools.ts";
import type { ApprovalSource } from "./approval-of.ts";
import { ChildRuns } from "./child-runs.tsx";
import type { ItemSituation, RenderItem } from "./child-timeline.tsx";
import { StepFile } from "./step-file.tsx";
import type { Item } from "./item.ts";
import { Markdown } from "./markdown.tsx";
import { Plan } from "./plan.tsx";
import { TextsApart } from "./texts-apart.tsx";
import { icon, toolIcon } from "./tool-icons.ts";
import { ToolLine } from "./tool-line.tsx";
import { UnaskedEffect } from "./unasked-effect.tsx";

interface TimelineItemProps extends ItemSituation {
  readonly item: Item;
  /** For the card of an approval. */
  readonly approval?: ApprovalSource | undefined;
  /** Hides the icon, for an item that is shown outside of a timeline. */
  readonly isPlain?: boolean;
  /** Called when an open approval first appears on the page. */
  onAsked(element: HTMLElement): void;
}

/** Where a row is. In a child run, a phone has no room for its icons. */
const RowContext = createContext<"timeline" | "nested" | "plain">("timeline");

const ignoreAsked = () => undefined;

/** Renders a step of a child run, below the step that started it. */
export const renderNested: RenderItem = (item, situation) => (
  <RowContext value="nested">
    <TimelineItem item={item} {...situation} onAsked={ignoreAsked} />
  </RowContext>
);

export const TimelineItem = memo(function TimelineItem({
  isPlain = false,
  ...props
}: TimelineItemProps) {
  return isPlain ? (
    <RowContext value="plain">
      <OneItem {...props} />
    </RowContext>
  ) : (
    <OneItem {...props} />
  );
});

function OneItem({
  item,
  runId,
  approval,
  group,
  progress,
  isWaitingForAccount,
  isWaiting,
  onAsked,
}: Omit<TimelineItemProps, "isPlain">) {
  switch (item.kind) {
    case "user":
      return <UserRow item={item} runId={runId} />;
    case "answer":
      return (
        <Row icon={icon.bron} look="ink">
          <div className={cx("py-0.5", !item.isFinal && "text-quiet")}>
            <Markdown text={item.text} />
          </div>
        </Row>
      );
    case "tool":
      return (
        <Row icon={toolIcon(item.tool)}>
          <ToolLine item={item} progress={progress} />
          {item.children && (
            <ChildRuns runId={runId} items={item.children} renderItem={renderNested} />
          )}
        </Row>
      );
    case "card":
      return (
        <Row icon={icon.card}>
          {group ? (
            <ApprovalGroup {...group} onAsked={onAsked} />
          ) : (
            <CardView
              card={item.card}
              approval={approval}
              isWaitingForAccount={isWaitingForAccount}
              onAsked={onAsked}
            />
          )}
        </Row>
      );
    case "question":
      return (
        <Row icon={icon.card}>
          <QuestionView question={{ ...item, id: item.key }} />
          {item.apart && <TextsApart runId={runId} apart={item.apart} />}
        </Row>
      );
    case "unasked":
      return (
        <Row icon={toolIcon(item.tool)}>
          <UnaskedEffect item={item} />
        </Row>
      );
    default:
      return <Small item={item} runId={runId} isWaiting={isWaiting} />;
  }
}

function UserRow({
  item,
  runId,
}: {
  readonly item: Extract<Item, { kind: "user" }>;
  readonly runId: string;
}) {
  return (
    <Row
      icon={item.isFromParent ? icon.child : item.program === undefined ? icon.you : icon.tool}
      look="accent"
    >
      <div
        className={cx(
          "rounded-xl px-4 py-3",
          item.isFromParent || item.program !== undefined ? "border border-edge" : "bg-accent-soft",
        )}
      >
        {item.program === undefined && (
          <p className={item.isFromParent ? "mb-1 text-sm text-quiet" : "sr-only"}>
            {item.isFromParent ? texts.run.instructions : texts.you}
          </p>
        )}
        {item.program !== undefined && (
          <p className="mb-1 text-sm text-quiet">{texts.pasted.program(item.program)}</p>
        )}
        {item.asTyped && <p className="mb-1 text-sm text-quiet">{texts.pasted.isMine}</p>}
        <p className="whitespace-pre-wrap wrap-anywhere">{item.text.trim()}</p>
        {item.apart && <TextsApart runId={runId} apart={item.apart} />}
        {item.isWaiting && <p className="mt-1 text-sm text-quiet">{texts.run.unheard}</p>}
      </div>
    </Row>
  );
}

type SmallItem = Exclude<
  Item,
  { kind: "user" | "answer" | "tool" | "card" | "question" | "unasked" }
>;

function Small({
  item,
  runId,
  isWaiting,
}: {
  readonly item: SmallItem;
  readonly runId: string;
  readonly isWaiting: boolean;
}) {
  switch (item.kind) {
    case "status":
      return (
        <Row icon={icon.wait}>
          <p className="py-0.5 text-sm text-quiet">
            {describeWait(item, isWaiting)} · <Ago at={item.at} />
          </p>
        </Row>
      );
    case "line":
      return (
        <Row
          icon={item.line.level === "info" ? icon.line : icon.warn}
          look={item.line.level === "info" ? "quiet" : "bad"}
        >
          <p
            className={cx(
              "py-0.5 text-sm wrap-anywhere",
              item.line.level === "info" ? "text-quiet" : "text-bad",
            )}
          >
            {describeLine(item.line)}
          </p>
        </Row>
      );
    case "plan":
      return (
        <Row icon={icon.done}>
          <Plan plan={item} runId={runId} />
        </Row>
      );
    case "connected":
      return (
        <Row icon={icon.link}>
          <p className="py-0.5 text-sm text-quiet">
            {texts.run.connected(texts.providerName(item.provider))}
          </p>
        </Row>
      );
    case "tools":
      return (
        <Row icon={icon.tool}>
          <p className="py-0.5 text-sm text-quiet">{describeToolSetDiff(item)}</p>
        </Row>
      );
    case "retry":
      return (
        <Row icon={icon.again}>
          <p className="py-0.5 text-sm text-quiet">
            {texts.run.retryOf}{" "}
            <Link to="/runs/$runId" params={{ runId: item.runId }} className="underline">
              {texts.run.earlierRun}
            </Link>
          </p>
        </Row>
      );
    case "child":
      return (
        <Row icon={icon.child}>
          <ChildRuns runId={runId} items={[item]} renderItem={renderNested} />
        </Row>
      );
    case "file":
      return (
        <Row icon={icon.file}>
          <StepFile file={item} />
        </Row>
      );
  }
}

function describeWait(
  { status, asks }: Extract<Item, { kind: "status" }>,
  isWaiting: boolean,
): string | undefined {
  if (asks === "question") return isWaiting ? texts.question.waiting : texts.question.waited;
  if (asks === "child") return isWaiting ? texts.run.subtaskAsks : texts.run.subtaskAsked;
  return (isWaiting ? texts.run.waiting : texts.run.waited)[status];
}

const looks = {
  quiet: "text-quiet",
  ink: "text-ink",
  accent: "text-accent",
  bad: "text-bad",
} as const;

/** An icon on the line of the timeline, with the item beside it. */
function Row({
  icon: path,
  look = "quiet",
  children,
}: {
  readonly icon: string;
  readonly look?: keyof typeof looks;
  readonly children: ReactNode;
}) {
  const place = useContext(RowContext);
  const isNested = place === "nested";
  if (place === "plain") return <div className="min-w-0">{children}</div>;
  return (
    <div
      className={cx(
        "grid gap-3",
        isNested
          ? "grid-cols-1 sm:grid-cols-[1.75rem_minmax(0,1fr)]"
          : "grid-cols-[1.75rem_minmax(0,1fr)]",
      )}
    >
      <div
        className={cx(
          "relative flex justify-center before:absolute before:inset-y-0 before:w-px before:bg-edge",
          isNested && "max-sm:hidden",
        )}
      >
        <span
          className={cx(
            "relative mt-0.5 flex size-7 items-center justify-center self-start rounded-full border border-edge bg-surface [&>svg]:size-3.5",
            looks[look],
          )}
        >
          <Icon path={path} />
        </span>
      </div>
      <div className="min-w-0 pb-4">{children}</div>
    </div>
  );
}
