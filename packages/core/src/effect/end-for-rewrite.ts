import { cleanText } from "../context/clean-text.ts";
import type { Rewrite } from "../policy/offer-rewrite.ts";
import { actionError } from "../tool/action-error.ts";
import type { Draft } from "../run/decide/draft.ts";
import { endAction } from "../action/end-action.ts";
import type { OpenAction } from "../run/state/run-state.ts";

/**
 * Lets the model write the text without what the owner did not mention, before the owner is asked. The
 * result repeats only what the model wrote itself. Nothing was proposed, so the request stays unused.
 */
export function endForRewrite(draft: Draft, action: OpenAction, { key, values }: Rewrite): void {
  endAction(draft, action, {
    state: "failed",
    error: actionError(
      "invalid_arguments",
      { code: "not_mentioned", values: values.map(cleanText) },
      "If the text can do without it, call the tool again without it. Otherwise make the same call again, and the user is asked.",
    ),
    unproposed: true,
    rewriteKey: key,
  });
}
