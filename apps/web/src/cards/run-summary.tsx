import {
  addressOwner,
  describeFailure,
  describeNotDone,
  describeUnfinishedChild,
  type CardPayload,
  type OldCardPayload,
} from "@bron/protocol";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { Panel } from "../ui/panel.tsx";
import { describeDid, toolLabel } from "../words/tools.ts";

const titles = {
  succeeded: texts.cards.done,
  failed: texts.cards.failed,
  canceled: texts.cards.canceled,
} as const;
const tones = { succeeded: "good", failed: "bad", canceled: "plain" } as const;

type Summary = CardPayload<"RunSummaryCard">;

/** How a run ended, and what to do next if it did not succeed. */
export function RunSummary(card: Summary | OldCardPayload<"RunSummaryCard">) {
  const { outcome, sentMessageId, sentAt, partialAnswer: partialText } = card;
  const { reason, done, notDone, isPartlyDone, next } =
    "did" in card ? describeSummary(card) : describeOldSummary(card);
  return (
    // Green means that everything was done.
    <Panel
      title={isPartlyDone ? texts.cards.partlyDone : titles[outcome]}
      tone={notDone.length > 0 && outcome === "succeeded" ? "plain" : tones[outcome]}
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
        {sentMessageId !== undefined && (
          <p className="text-sm">
            {texts.cards.messageId}: <code className="text-xs">{sentMessageId}</code>
            {sentAt !== undefined && (
              <>
                {", "}
                <Time at={sentAt} />
              </>
            )}
          </p>
        )}
        {partialText !== undefined && <p className="whitespace-pre-wrap">{partialText}</p>}
        {next !== undefined && (
          <p>
            <strong>{texts.cards.next}:</strong> {next}
          </p>
        )}
      </div>
    </Panel>
  );
}

interface SummaryTexts {
  readonly reason: string | undefined;
  readonly done: readonly string[];
  readonly notDone: readonly string[];
  readonly isPartlyDone: boolean;
  readonly next: string | undefined;
}

export function describeSummary(summary: Summary): SummaryTexts {
  const { outcome, did, notDone, unfinished = [], effectsNotDone, error, nextAction } = summary;
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
    isPartlyDone: effectsNotDone !== undefined,
    next: nextAction === undefined ? undefined : texts.cards.nextActions[nextAction](error?.code),
  };
}

/** Summaries in logs before version 6 consist of sentences. */
function describeOldSummary(summary: OldCardPayload<"RunSummaryCard">): SummaryTexts {
  const { reason, highlights, failed = [], notDone = 0, outcome, nextAction } = summary;
  return {
    reason,
    done: highlights,
    notDone: failed.map(addressOwner),
    isPartlyDone: notDone > 0 && outcome === "succeeded",
    next: nextAction,
  };
}
