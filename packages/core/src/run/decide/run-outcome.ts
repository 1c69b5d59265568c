import type { DeclaredOutcome, NotDoneCause, RunOutcome } from "@bron/protocol";
import type { Tool } from "../../tool/tool.ts";
import { isLost, isUnfinished } from "../../child-run/unfinished-children.ts";
import type { EndedAction, RunState } from "../state/run-state.ts";
import { changesNotMade } from "./changes-not-made.ts";
import type { RunEnding } from "./ending.ts";

interface OutcomeInput {
  readonly state: RunState;
  readonly ending: RunEnding;
  /** What the model says. Undefined if it did not say anything. */
  readonly declared: DeclaredOutcome | undefined;
  readonly tools: ReadonlyMap<string, Tool>;
}

/**
 * How a run went. The ledger overrules the model: a run is done only if every change was made, and
 * no run is done whose steps all failed. Its words are never searched.
 */
export function runOutcome({ state, ending, declared, tools }: OutcomeInput): RunOutcome {
  const { ended, children } = state;
  const made = ended.filter((action) => action.outcome === "completed" && isChange(action, tools));
  if (ending.outcome !== "completed") return made.length > 0 ? "partly_done" : "could_not";
  // A page that could not be opened is something that was not read. The model knows what it means.
  const missing = changesNotMade(ended).filter(
    (action) => isDenied(action) || !isPage(action, tools),
  );
  const isLeftToChildren = [...children].some(
    ([id, child]) => child.notDone > 0 || isLost(children, id, child),
  );
  const isAllDenied = missing.length > 0 && missing.every(isDenied) && !isLeftToChildren;
  // A draft is only a step towards an email, so it does not count as a part of the task.
  if (isAllDenied) return made.some((action) => !isDraft(action, tools)) ? "partly_done" : "denied";
  const failed = ended.length > 0 && ended.every(({ outcome }) => outcome !== "completed");
  if (missing.length === 0 && !isLeftToChildren && !failed)
    return declared === "could_not" && made.length > 0 ? "partly_done" : (declared ?? "done");
  if (declared === "needs_answer") return "needs_answer";
  // A change with an unknown outcome may have been made.
  const isSomeDone =
    made.length > 0 ||
    ended.some(({ outcome }) => outcome === "unknown") ||
    (declared === "partly_done" && !failed) ||
    (isLeftToChildren && [...children.values()].some((child) => !isUnfinished(child)));
  return isSomeDone ? "partly_done" : "could_not";
}

type Tools = ReadonlyMap<string, Tool>;

function isChange(action: EndedAction, tools: Tools): boolean {
  return tools.get(action.tool)?.sideEffect === true && !isPage(action, tools);
}

function isPage({ tool }: EndedAction, tools: Tools): boolean {
  return tools.get(tool)?.effectKind === "open_page";
}

function isDraft({ tool }: EndedAction, tools: Tools): boolean {
  return tools.get(tool)?.effectKind === "write_draft";
}

const causesOfDenial: ReadonlySet<NotDoneCause | undefined> = new Set(["denied", "undone"]);

function isDenied({ notDone }: EndedAction): boolean {
  return causesOfDenial.has(notDone?.cause);
}
