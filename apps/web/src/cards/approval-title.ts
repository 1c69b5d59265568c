import { visible, type ApprovalView, type JsonValue } from "@bron/protocol";
import { texts } from "../texts.ts";
import { actionWords } from "../words/action.ts";
import { isPost, targetOf } from "./prepared-post.ts";

/** Asks for an open approval by what it would do: "Send this email?", "Post this to #orders?" */
export function askedTitle({ tool, prepared }: Pick<ApprovalView, "tool" | "prepared">): string {
  return actionWords(tool).title({
    target: isPost(prepared) ? visible(targetOf(prepared)) : undefined,
    isMove: isMove(prepared),
  });
}

/** Our mark in an event, which people do not see. */
const ownMark = "extendedProperties";

/** Whether the change of an event is only of its time. */
function isMove(prepared: JsonValue): boolean {
  if (typeof prepared !== "object" || prepared === null || Array.isArray(prepared)) return false;
  const { event } = prepared;
  if (typeof event !== "object" || event === null || Array.isArray(event)) return false;
  const fields = Object.keys(event).filter((field) => field !== ownMark);
  return fields.length > 0 && fields.every((field) => field === "start" || field === "end");
}

type Closed = Pick<ApprovalView, "state" | "reply" | "undoUntil">;

/** What became of an approval that is closed. */
export function closedTitle({ state, reply, undoUntil }: Closed): string {
  if (reply !== null) return texts.approval.changesRequested;
  return state === "denied" && undoUntil !== null
    ? texts.approval.undone
    : texts.approval.closed[state];
}

/** What became of the approvals of a group: "2 approved · 1 denied". */
export function closedGroupTitle(approvals: readonly Closed[]): string {
  const counts = Map.groupBy(approvals, closedWord);
  return [...counts].map(([word, { length }]) => `${length} ${word}`).join(" · ");
}

function closedWord({ state, reply, undoUntil }: Closed): string {
  const { group, closed } = texts.approval;
  if (reply !== null) return group.toBeChanged;
  return state === "denied" && undoUntil !== null ? group.undone : closed[state].toLowerCase();
}
