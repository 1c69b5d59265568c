import { omitUndefined } from "@bron/protocol";
import { hasPrivateText } from "../policy/risks/risk-sources.ts";
import type { Tool } from "../tool/tool.ts";
import { endAction } from "../action/end-action.ts";
import { unlabeled } from "../run/state/fold-action.ts";
import type { MoveBuilder } from "../run/decide/move-builder.ts";
import { pageKey } from "./page-key.ts";
import type { OpenAction } from "../run/state/run-state.ts";

/**
 * Once private text is in view, the number and the order of requests for a page could spell it out.
 * So each page is opened once, and a repetition gets the result of the first call. Returns whether
 * the action has ended so.
 */
export function endWithKeptPage(
  { draft, facts }: MoveBuilder,
  action: OpenAction,
  tool: Tool,
): boolean {
  const { labels, pages } = draft.state();
  const isPrivate = hasPrivateText(labels) || !facts.contextTrusted;
  const end =
    isPrivate && tool.effectKind === "open_page"
      ? pages.get(pageKey(action.tool, action.input))
      : undefined;
  if (!end) return false;
  endAction(draft, action, {
    state: "completed",
    reused: { runId: facts.run.id, actionId: end.actionId },
    ...omitUndefined({ output: end.output, kept: end.kept }),
    label: end.label ?? unlabeled,
  });
  return true;
}
