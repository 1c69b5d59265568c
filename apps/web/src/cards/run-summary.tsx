import type { CardPayload } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Panel } from "../ui/panel.tsx";

const titles = { succeeded: texts.cards.done, failed: texts.cards.failed, canceled: texts.cards.canceled } as const;
const tones = { succeeded: "good", failed: "bad", canceled: "plain" } as const;

/** How it ended, whatever the outcome, and what to do next if it did not succeed. */
export function RunSummary({ outcome, highlights, sentMessageId, reason, failed = [], notDone = 0, nextAction, partialAnswer }: CardPayload<"RunSummaryCard">) {
  return (
    // Green says that all of it was done.
    <Panel title={notDone > 0 && outcome === "succeeded" ? texts.cards.inPart : titles[outcome]} tone={failed.length > 0 && outcome === "succeeded" ? "plain" : tones[outcome]}>
      <div className="grid gap-2 wrap-anywhere">
        {reason !== undefined && <p>{reason}</p>}
        {highlights.length + failed.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {highlights.map((highlight) => (
              <li key={highlight} className="flex gap-2">
                <span aria-hidden="true" className="text-good">
                  ✓
                </span>
                {inWords(highlight)}
              </li>
            ))}
            {failed.map((failure) => (
              <li key={failure} className="flex gap-2 text-bad">
                <span aria-hidden="true">✗</span>
                {failure}
              </li>
            ))}
          </ul>
        )}
        {sentMessageId !== undefined && (
          <p className="text-sm">
            {texts.cards.sent}: <code className="text-xs">{sentMessageId}</code>
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

/** The card names a tool as the model does; a person reads what it does. */
function inWords(highlight: string): string {
  const tool = /^Did (\w+)$/.exec(highlight)?.[1];
  return (tool === undefined ? undefined : texts.tools[tool]) ?? highlight;
}
