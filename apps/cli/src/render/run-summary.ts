import {
  cardSchema,
  describeFailure,
  describeUnfinishedChild,
  nextActionWords,
  statusWords,
  toolDone,
  visible,
  type CardPayload,
  reportOutcomeName,
  type CompletedCalls,
  type JsonObject,
  type NotDoneCause,
  type OldCardPayload,
} from "@bron/protocol";
import { describeNotDone } from "./not-done.ts";
import { todoOf } from "./step-words.ts";
import { fields } from "./table.ts";
import { localTime } from "./time.ts";

type Summary = CardPayload<"RunSummaryCard">;
type OldSummary = OldCardPayload<"RunSummaryCard">;

const titles = {
  succeeded: statusWords.succeeded,
  failed: statusWords.failed,
  canceled: statusWords.canceled,
} as const;

/** How a run ended, and what to do next if it did not succeed. */
export function renderSummary(summary: Summary | OldSummary): string[] {
  const { sentAt, partialText } = summary;
  const {
    code,
    reason,
    done,
    notDone,
    unread = [],
    next,
  } = "did" in summary ? describeSummary(summary) : describeOldSummary(summary);
  return [
    `${titleOf(summary)}${reason === undefined ? "." : `: ${visible(reason)}`}${code === undefined ? "" : ` (code ${code})`}`,
    ...fields([
      ["Done", isDone(summary) ? undefined : visible(done.join("\n") || "nothing")],
      ["Not done", visible(notDone.join("\n"))],
      ["Not read", visible(unread.join("\n"))],
      ["Sent", sentAt === undefined ? undefined : localTime(sentAt)],
      ["Answer so far", partialText === undefined ? undefined : visible(partialText)],
      ["Next step", next === undefined ? undefined : visible(next)],
    ]),
  ];
}

function titleOf(summary: Summary | OldSummary): string {
  const how = "did" in summary ? summary.runOutcome : undefined;
  return how === undefined || how === "done" ? titles[summary.outcome] : statusWords[how];
}

function isDone(summary: Summary | OldSummary): boolean {
  const how = "did" in summary ? (summary.runOutcome ?? "done") : "done";
  return summary.outcome === "succeeded" && how === "done";
}

/** What the owner did, and does not have to be told. */
const ownersCauses: ReadonlySet<NotDoneCause> = new Set(["denied", "undone", "replied"]);

/**
 * Whether the card says more than the last message of the run and the closing line: what was not
 * done, or which attached files nobody has read.
 */
export function isSummaryTelling(payload: JsonObject): boolean {
  const parsed = cardSchema.safeParse({ kind: "RunSummaryCard", payload });
  if (!parsed.success) return true;
  const summary = parsed.data.payload as Summary | OldSummary;
  if (!("did" in summary) || summary.outcome !== "succeeded")
    return summary.outcome !== "succeeded";
  const { notDone, unfinished = [], unreadFiles = [] } = summary;
  if (unreadFiles.length > 0) return true;
  const failed = notDone.filter(({ cause }) => !ownersCauses.has(cause));
  return !isDone(summary) && failed.length + unfinished.length > 0;
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
    done: did.filter(({ tool }) => !quietTools.has(tool)).map(describeCalls),
    notDone: [
      ...notDone.map(({ tool, ...why }) => `${capitalized(todoOf(tool))}: ${describeNotDone(why)}`),
      ...unfinished.map((child) => describeUnfinishedChild(child)),
    ],
    unread: summary.unreadFiles ?? [],
    next: nextAction === undefined ? undefined : nextActionWords[nextAction](error?.code),
  };
}

/** Steps that are not worth a line. */
const quietTools: ReadonlySet<string> = new Set(["plan", "emit_ui", reportOutcomeName]);

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** "Searched your email, 2 times (reused)" */
function describeCalls({ tool, count, reused }: CompletedCalls): string {
  return `${toolDone(tool)}${count === 1 ? "" : `, ${count} times`}${reused ? " (reused)" : ""}`;
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
