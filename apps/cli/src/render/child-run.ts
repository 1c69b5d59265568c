import { dollars } from "@bron/core";
import { describeFailure, visible, type RunView } from "@bron/protocol";
import { inSentence, statusWord } from "./run-status.ts";
import { shortId } from "./short-id.ts";
import { oneLine } from "./visible.ts";

/** "Child run 1c2d3e4f, needs your answer ($0.0021): Count the chairs", and why it failed. */
export function describeChildRun(run: RunView): string[] {
  const cost = run.spentMicrousd > 0 ? ` (${dollars(run.spentMicrousd)})` : "";
  return [
    `Child run ${shortId(run.id)}, ${inSentence(statusWord(run))}${cost}: ${oneLine(run.title)}`,
    ...(run.error ? [`  ${visible(describeFailure(run.error))} (code ${run.error.code})`] : []),
  ];
}
