import {
  describeFailure,
  describeUnfinishedChild,
  nextActionWords,
  visible,
  type CardPayload,
  type CompletedCalls,
  type OldCardPayload,
} from "@bron/protocol";
import { describeNotDone } from "./not-done.ts";
import { fields } from "./table.ts";
import { localTime } from "./time.ts";

type Summary = CardPayload<"RunSummaryCard">;
type OldSummary = OldCardPayload<"RunSummaryCard">;

const titles = { succeeded: "Succeeded", failed: "Failed", canceled: "Canceled" } as const;

/** How a run ended, and what to do next if it did not succeed. */
export function renderSummary(summary: Summary | OldSummary): string[] {
  const { outcome, sentMessageId, sentAt, partialAnswer } = summary;
  const {
    code,
    reason,
    done,
    notDone,
    unread = [],
    next,
  } = "did" in summary ? describeSummary(summary) : describeOldSummary(summary);
  return [
    `${titles[outcome]}${reason === undefined ? "." : `: ${visible(reason)}`}${code === undefined ? "" : ` (code ${code})`}`,
    ...fields([
      ["Done", outcome === "succeeded" ? undefined : visible(done.join("\n") || "nothing")],
      ["Not done", visible(notDone.join("\n"))],
      ["Not read", visible(unread.join("\n"))],
      [
        "Sent",
        sentMessageId === undefined
          ? undefined
          : `${visible(sentMessageId)}${sentAt === undefined ? "" : `, ${localTime(sentAt)}`}`,
      ],
      ["Answer so far", partialAnswer === undefined ? undefined : visible(partialAnswer)],
      ["Next step", next === undefined ? undefined : visible(next)],
    ]),
  ];
}

interface SummaryTexts {
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly done: readonly string[];
  readonly notDone: readonly string[];
  /** Attached files. */
  readonly unread?: readonly string[];
  readonly next: string | undefined;
}

function describeSummary(summary: Summary): SummaryTexts {
  const { outcome, did, notDone, unfinished = [], nextAction, error } = summary;
  return {
    code: error?.code,
    reason: outcome === "canceled" ? "This run was canceled." : error && describeFailure(error),
    done: did.map(describeCalls),
    notDone: [
      ...notDone.map(({ tool, ...why }) => `${tool}: ${describeNotDone(why)}`),
      ...unfinished.map((child) => describeUnfinishedChild(child)),
    ],
    unread: summary.unreadFiles ?? [],
    next: nextAction === undefined ? undefined : nextActionWords[nextAction](error?.code),
  };
}

/** "gmail_search, 2 times (reused)" */
function describeCalls({ tool, count, reused }: CompletedCalls): string {
  return `${tool}${count === 1 ? "" : `, ${count} times`}${reused ? " (reused)" : ""}`;
}

/** Summaries in logs before version 6 consist of sentences, which are shown as they are. */
function describeOldSummary({
  code,
  reason,
  highlights,
  failed = [],
  nextAction,
}: OldSummary): SummaryTexts {
  return { code, reason, done: highlights, notDone: failed, next: nextAction };
}
