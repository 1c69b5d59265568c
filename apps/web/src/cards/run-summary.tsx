import type { CardPayload } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { Panel } from "../ui/panel.tsx";
import { describeRuntimeEvents, toolInWords, toOwner } from "../words/tools.ts";

const titles = {
  succeeded: texts.cards.done,
  failed: texts.cards.failed,
  canceled: texts.cards.canceled,
} as const;
const tones = { succeeded: "good", failed: "bad", canceled: "plain" } as const;

/** How it ended, whatever the outcome, and what to do next if it did not succeed. */
export function RunSummary({
  outcome,
  highlights,
  sentMessageId,
  sentAt,
  reason,
  failed = [],
  notDone = 0,
  nextAction,
  partialAnswer,
}: CardPayload<"RunSummaryCard">) {
  const runtimeEvents = highlights.flatMap((highlight) => describeRuntimeEvent(highlight) ?? []);
  return (
    // Green says that all of it was done.
    <Panel
      title={notDone > 0 && outcome === "succeeded" ? texts.cards.inPart : titles[outcome]}
      tone={failed.length > 0 && outcome === "succeeded" ? "plain" : tones[outcome]}
    >
      <div className="grid gap-2 wrap-anywhere">
        {reason !== undefined && <p>{reason}</p>}
        {runtimeEvents.length + failed.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {runtimeEvents.map((runtimeEvent) => (
              <li key={runtimeEvent} className="flex gap-2">
                <span aria-hidden="true" className="text-good">
                  ✓
                </span>
                {runtimeEvent}
              </li>
            ))}
            {failed.map((failure) => (
              <li key={failure} className="flex gap-2 text-bad">
                <span aria-hidden="true">✗</span>
                {failureInWords(failure)}
              </li>
            ))}
          </ul>
        )}
        {sentMessageId !== undefined && (
          <p className="text-sm">
            {texts.cards.sent}: <code className="text-xs">{sentMessageId}</code>
            {sentAt !== undefined && (
              <>
                {", "}
                <Time at={sentAt} />
              </>
            )}
          </p>
        )}
        {partialAnswer !== undefined && <p className="whitespace-pre-wrap">{partialAnswer}</p>}
        {nextAction !== undefined && (
          <p>
            <strong>{texts.cards.next}:</strong> {nextAction}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** The card names tools as the model does; a person reads what they do. Planning is no deed. */
export function describeRuntimeEvent(highlight: string): string | undefined {
  if (/^(?:Did|Reused) plan\b/.test(highlight)) return undefined;
  return describeRuntimeEvents(highlight);
}

/** What is told to the model about its user is said to the user here. */
export function failureInWords(failure: string): string {
  const [, tool, why = ""] = /^(\w+): ([^]*)$/.exec(failure) ?? [];
  return tool === undefined ? failure : `${toolInWords(tool)}: ${toOwner(why)}`;
}
