import type { SummaryProblem } from "@bron/protocol";
import { cleanText } from "../../context/clean-text.ts";
import { checkSummary } from "../../memory/check-summary.ts";
import type { UpkeepInput } from "../../ports/runs/upkeep.ts";
import type { Draft } from "./draft.ts";

/**
 * Emits what an upkeep run has written. The store ignores it if the summary has changed since the
 * run read it, and lets another run repeat the work.
 */
export function emitMemorySummary(draft: Draft, input: UpkeepInput | undefined): void {
  if (!input) return emitSummaryKept(draft, "failed");
  const checked = checkSummary(cleanText(draft.state().lastText), input.summary);
  if (!checked.ok) return emitSummaryKept(draft, checked.why);
  if (checked.text === input.summary.trim()) return;
  const { version } = input;
  draft.emit({ type: "summary", payload: { of: "memory", text: checked.text, version } });
}

export function emitSummaryKept(draft: Draft, why: SummaryProblem): void {
  draft.emit({ type: "log", payload: { level: "error", kind: "summary_kept", why } });
}
