import { describeFailure, formatBytes, visible } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { QuestionView } from "../cards/question-view.tsx";
import { CardView } from "../cards/card-view.tsx";
import { Icon } from "../layout/icon.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { RunBadge } from "../ui/badge.tsx";
import { cx } from "../ui/cx.ts";
import { describeLine } from "../words/log.ts";
import { describeToolSetDiff } from "../words/tools.ts";
import type { ApprovalSource } from "./approval-of.ts";
import { Markdown } from "./markdown.tsx";
import type { Item } from "./timeline.ts";
import { icon, toolIcon } from "./tool-icons.ts";
import { ToolLine } from "./tool-line.tsx";

interface TimelineItemProps {
  readonly item: Item;
  /** For the card of an approval. */
  readonly approval?: ApprovalSource | undefined;
  /** The latest word of a running tool call. */
  readonly progress?: string | undefined;
  /** The run is waiting for an account now. */
  readonly isWaitingForAccount: boolean;
  /** This status item is still current. */
  readonly isWaiting: boolean;
  /** Called when an open approval first appears on the page. */
  onAsked(element: HTMLElement): void;
}

export const TimelineItem = memo(function TimelineItem({
  item,
  approval,
  progress,
  isWaitingForAccount,
  isWaiting,
  onAsked,
}: TimelineItemProps) {
  switch (item.kind) {
    case "user":
      return (
        <Row icon={item.isFromParent ? icon.child : icon.you} look="accent">
          <div
            className={cx(
              "rounded-xl px-4 py-3",
              item.isFromParent ? "border border-edge" : "bg-accent-soft",
            )}
          >
            <p className={item.isFromParent ? "mb-1 text-sm text-quiet" : "sr-only"}>
              {item.isFromParent ? texts.run.instructions : texts.you}
            </p>
            <p className="whitespace-pre-wrap wrap-anywhere">{item.text}</p>
            {item.isWaiting && <p className="mt-1 text-sm text-quiet">{texts.run.unheard}</p>}
          </div>
        </Row>
      );
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
        </Row>
      );
    case "card":
      return (
        <Row icon={icon.card}>
          <CardView
            card={item.card}
            approval={approval}
            isWaitingForAccount={isWaitingForAccount}
            onAsked={onAsked}
          />
        </Row>
      );
    case "question":
      return (
        <Row icon={icon.card}>
          <QuestionView question={{ ...item, id: item.key }} />
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
    default:
      return <Small item={item} isWaiting={isWaiting} />;
  }
});

function Small({
  item,
  isWaiting,
}: {
  readonly item: Exclude<Item, { kind: "user" | "answer" | "tool" | "card" | "question" | "line" }>;
  readonly isWaiting: boolean;
}) {
  switch (item.kind) {
    case "status":
      return (
        <Row icon={icon.wait}>
          <p className="py-0.5 text-sm text-quiet">
            {item.isQuestion
              ? isWaiting
                ? texts.question.waiting
                : texts.question.waited
              : (isWaiting ? texts.run.waiting : texts.run.waited)[item.status]}{" "}
            · <Time at={item.at} />
          </p>
        </Row>
      );
    case "connected":
      return (
        <Row icon={icon.link}>
          <p className="py-0.5 text-sm text-quiet">
            {texts.run.connected(texts.providers[item.provider] ?? item.provider)}
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
          <ChildLine item={item} />
        </Row>
      );
    case "file":
      return (
        <Row icon={icon.file}>
          <p className="py-0.5 text-sm wrap-anywhere">
            <a
              href={`/api/artifacts/${encodeURIComponent(item.digest)}`}
              download={item.name}
              aria-label={texts.run.downloadFile(item.name)}
            >
              {item.name}
            </a>{" "}
            <span className="text-quiet">{formatBytes(item.sizeBytes)}</span>
          </p>
        </Row>
      );
  }
}

/** A child run with its current status, which may be newer than the event in this run's log. */
function ChildLine({ item }: { readonly item: Extract<Item, { kind: "child" }> }) {
  const { data: run } = useQuery(queries.run(item.runId));
  return (
    <p className="flex flex-wrap items-center gap-2 py-0.5">
      <span className="text-sm text-quiet">{texts.run.subtask}</span>
      <Link to="/runs/$runId" params={{ runId: item.runId }} className="wrap-anywhere">
        {visible(item.title)}
      </Link>
      <RunBadge run={run ?? { status: item.status, notDone: 0 }} />
      {item.error !== undefined && (
        <span className="basis-full text-sm text-bad wrap-anywhere">
          {describeFailure(item.error, texts.cards.failures)}
        </span>
      )}
    </p>
  );
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
  return (
    <div className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3">
      <div className="relative flex justify-center before:absolute before:inset-y-0 before:w-px before:bg-edge">
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
