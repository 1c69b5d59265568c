import type { EndedAction } from "../state/run-state.ts";

/**
 * The requested changes that were not made. A failed change does not count if a later step made one
 * with the same tool. A change that the owner replied to is replaced by the next call of the same
 * tool. A denied change always counts.
 */
export function changesNotMade(ended: readonly EndedAction[]): readonly EndedAction[] {
  let notMade: EndedAction[] = [];
  for (const action of ended) {
    const isDone = action.outcome === "completed";
    if (!isDone && action.notDoneReason === undefined) continue;
    // Another call of the tool replaces all earlier calls that could not be prepared.
    const isReplaced = ({ notDoneReason, tool, step }: EndedAction) =>
      notDoneReason === "unproposed" && tool === action.tool && step < action.step;
    notMade = notMade.filter((earlier) => !isReplaced(earlier));
    const place = notMade.findIndex(
      ({ notDoneReason, tool, step }) =>
        (notDoneReason === "replied" || (notDoneReason === "failed" && isDone)) &&
        tool === action.tool &&
        step < action.step,
    );
    if (place >= 0) notMade.splice(place, 1);
    if (!isDone) notMade.push(action);
  }
  return notMade;
}
