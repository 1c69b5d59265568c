import { describeNotDone as describe, notDoneWords, visible, type NotDone } from "@bron/protocol";

/** The terminal calls a task a run. */
const words = {
  ...notDoneWords,
  causes: { ...notDoneWords.causes, run_ended: () => "The run ended before this was done." },
};

/** Why an action was not completed, as a sentence for the owner. */
export function describeNotDone(notDone: NotDone): string {
  return visible(describe(notDone, words));
}
