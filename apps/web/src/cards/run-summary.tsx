import {
  describeFailure,
  describeNotDone,
  describeUnfinishedChild,
  outcomeByCount,
  type CardPayload,
  type OldCardPayload,
  type RunOutcome,
} from "@bron/protocol";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Panel } from "../ui/panel.tsx";
import { describeDid, toolLabel } from "../words/tools.ts";

const tones = { failed: "bad", canceled: "plain" } as const;
const tonesOfOutcome = {
  done: "good",
  partly_done: "plain",
  could_not: "bad",
  needs_answer: "plain",
  denied: "plain",
} as const satisfies Record<RunOutcome, string>;

type Summary = CardPayload<"RunSummaryCard">;

/** How a run ended, and what to do next if it did not succeed. */
export function RunSummary(card: Summary | OldCardPayload<"RunSummaryCard">) {
  const { outcome, sentMessageId, sentAt, partialText } = card;
  const { reason, done, notDone, how, next } =
    "did" in card ? describeSummary(card) : describeOldSummary(card);
  return (
    // Green means that everything was done.
    <Panel
      title={
        outcome === "succeeded"
          ? how === "done"
            ? texts.cards.done
            : texts.status[how]
          : texts.cards[outcome]
      }
      tone={outcome === "succeeded" ? tonesOfOutcome[how] : tones[outcome]}
    >
      <div className="grid gap-2 wrap-anywhere">
        {reason !== undefined && <p>{reason}</p>}
        {done.length + notDone.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {done.map((line) => (
              <li key={line} className="flex gap-2">
                <span aria-hidden="true" className="text-good">
                  ✓
                </span>
                {line}
              </li>
            ))}
            {notDone.map((line) => (
              <li key={line} className="flex gap-2 text-bad">
                <span aria-hidden="true">✗</span>
                {line}
              </li>
            ))}
          </ul>
        )}
        {sentAt !== undefined && (
          <p className="text-sm text-quiet">
            {texts.cards.sent} <Ago at={sentAt} />
          </p>
        )}
        {partialText !== undefined && <p className="whitespace-pre-wrap">{partialText}</p>}
        {next !== undefined && (
          <p>
            <strong>{texts.cards.next}:</strong> {next}
          </p>
        )}
        {sentMessageId !== undefined && (
          <details className="text-sm text-quiet">
            <summary>{texts.details}</summary>
            <p className="mt-1">
              {texts.cards.messageId}:{" "}
              <code className="text-xs wrap-anywhere">{sentMessageId}</code>
            </p>
          </details>
        )}
      </div>
    </Panel>
  );
}

interface SummaryTexts {
  readonly reason: string | undefined;
  readonly done: readonly string[];
  readonly notDone: readonly string[];
  readonly how: RunOutcome;
  readonly next: string | undefined;
}

export function describeSummary(summary: Summary): SummaryTexts {
  const { outcome, runOutcome, did, notDone, unfinished = [], error, nextAction } = summary;
  const { effectsNotDone } = summary;
  return {
    reason:
      outcome === "canceled"
        ? texts.cards.stopped
        : error && describeFailure(error, texts.cards.failures),
    done: describeDid(did),
    notDone: [
      ...notDone.map(
        ({ tool, ...why }) => `${toolLabel(tool)}: ${describeNotDone(why, texts.cards.notDone)}`,
      ),
      ...unfinished.map((child) => describeUnfinishedChild(child, texts.cards.unfinished)),
    ],
    how: runOutcome ?? outcomeByCount(effectsNotDone ?? 0),
    next: nextAction === undefined ? undefined : texts.cards.nextActions[nextAction](error?.code),
  };
}

/** Summaries in logs before version 6 consist of sentences, which are shown as they are. */
function describeOldSummary(summary: OldCardPayload<"RunSummaryCard">): SummaryTexts {
  const { reason, highlights, failed = [], notDone = 0, nextAction } = summary;
  return {
    reason,
    done: highlights,
    notDone: failed,
    how: outcomeByCount(notDone),
    next: nextAction,
  };
}
