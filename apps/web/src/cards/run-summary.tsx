import type { CardPayload } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { Panel } from "../ui/panel.tsx";
import { describeHighlights, toolLabel, addressOwner } from "../words/tools.ts";

const titles = {
  succeeded: texts.cards.done,
  failed: texts.cards.failed,
  canceled: texts.cards.canceled,
} as const;
const tones = { succeeded: "good", failed: "bad", canceled: "plain" } as const;

/** How a run ended, and what to do next if it did not succeed. */
export function RunSummary({
  outcome,
  highlights,
  sentMessageId,
  sentAt,
  reason,
  failed = [],
  notDone = 0,
  nextAction,
  partialAnswer: partialText,
}: CardPayload<"RunSummaryCard">) {
  const done = highlights.flatMap((highlight) => describeHighlight(highlight) ?? []);
  return (
    // Green means that everything was done.
    <Panel
      title={notDone > 0 && outcome === "succeeded" ? texts.cards.partlyDone : titles[outcome]}
      tone={failed.length > 0 && outcome === "succeeded" ? "plain" : tones[outcome]}
    >
      <div className="grid gap-2 wrap-anywhere">
        {reason !== undefined && <p>{reason}</p>}
        {done.length + failed.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {done.map((line) => (
              <li key={line} className="flex gap-2">
                <span aria-hidden="true" className="text-good">
                  ✓
                </span>
                {line}
              </li>
            ))}
            {failed.map((failure) => (
              <li key={failure} className="flex gap-2 text-bad">
                <span aria-hidden="true">✗</span>
                {describeFailure(failure)}
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
        {nextAction !== undefined && (
          <p>
            <strong>{texts.cards.next}:</strong> {nextAction}
          </p>
        )}
      </div>
    </Panel>
  );
}

/**
 * The card names tools as the model does. Returns undefined for planning, which is not worth a
 * line.
 */
export function describeHighlight(highlight: string): string | undefined {
  if (/^(?:Did|Reused) plan\b/.test(highlight)) return undefined;
  return describeHighlights(highlight);
}

/** "gmail_send: The user declined" becomes "Sending an email: You declined". */
export function describeFailure(failure: string): string {
  const [, tool, why = ""] = /^(\w+): ([^]*)$/.exec(failure) ?? [];
  return tool === undefined ? failure : `${toolLabel(tool)}: ${addressOwner(why)}`;
}
