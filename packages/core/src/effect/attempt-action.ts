import { describeReasons, type ActionError } from "@bron/protocol";
import { BronError, isOutage } from "../errors.ts";
import { effectDigest } from "../policy/digest.ts";
import type { Clock } from "../ports/clock.ts";
import { actionError } from "../tool/action-error.ts";
import { outdatedForm } from "../tool/outdated-form.ts";
import { attemptEffect, checkApproval, type AttemptResult } from "../tool/run-tool.ts";
import type { EffectContext, Tool } from "../tool/tool.ts";
import { judgeEffect, type JudgeContext, type JudgeDeps } from "./judge-effect.ts";
import { msSince, type Moment } from "../run/moment.ts";
import type { OpenAction } from "../run/state/run-state.ts";

export interface AttemptDeps extends JudgeDeps {
  readonly clock: Clock;
  /** Called with the grants that allowed an effect without approval. Must not throw. */
  readonly onGrantsUsed: (ownerId: string, grantIds: readonly string[]) => void;
}

interface Attempt {
  readonly tool: Tool;
  readonly action: OpenAction;
  readonly context: EffectContext;
  readonly decidedAt: Moment;
}

/** Another program may carry the effect out now. */
interface Allowed {
  readonly state: "allowed";
}

/**
 * Attempts the effect of an action, or finds that another program may attempt it. Computes the
 * digest again from the exact form that the tool gets, so only what was approved is done.
 */
export async function attemptAction(
  deps: AttemptDeps,
  input: JudgeContext,
  { tool, action, context, decidedAt }: Attempt,
): Promise<AttemptResult | Allowed> {
  const { run } = input;
  const { effect } = action;
  if (!effect) throw new BronError("internal", "An attempt has no ledger row");
  const outdated = outdatedForm(tool, effect);
  if (outdated) return notDone(outdated);
  const decision = {
    verdict: effect.approval ? ("ask" as const) : ("allow" as const),
    reasons: effect.reasons,
  };
  const proposed = {
    runId: run.id,
    ownerId: run.ownerId,
    actionId: action.id,
    tool: tool.name,
    seenBy: tool.seenBy,
    prepared: effect.prepared,
  };
  if ((await effectDigest(proposed, decision)) !== effect.digest)
    return notDone(actionError("digest_mismatch", { code: "not_as_approved" }));
  const now = await judgeEffect(deps, input, {
    tool,
    effect: proposed,
    context,
    isStarting: true,
  }).catch((error: unknown) => ({
    verdict: "unread" as const,
    reasons: [],
    isOutage: isOutage(error),
  }));
  if (now.verdict === "unread")
    return {
      ...notDone(actionError("effect_not_done", { code: "rules_not_checked", detail: "" })),
      retryable: true,
      isOutage: now.isOutage,
    };
  if (now.verdict === "deny" || (now.verdict === "ask" && !effect.approval))
    return {
      ...notDone({
        code: "forbidden",
        message: `Your rules no longer allow this: ${describeReasons(now.reasons)}`,
      }),
      notDone: { cause: "blocked", reasons: now.reasons },
    };
  if (!effect.approval && "grants" in now && now.grants.length > 0)
    deps.onGrantsUsed(run.ownerId, [...new Set(now.grants)]);
  // After the deadline another worker may already have reconciled this attempt, so it is too late
  // to start, whatever caused the delay.
  const leftMs = tool.timeoutMs - msSince(deps.clock, decidedAt);
  if (leftMs <= 0)
    return {
      ...notDone(actionError("effect_not_done", { code: "started_too_late" })),
      retryable: true,
    };
  const limits = { clock: deps.clock, timeoutMs: leftMs };
  if (!tool.client) return await attemptEffect(tool, effect.prepared, context, limits);
  const approved = await checkApproval(context, limits);
  return approved ?? { state: "allowed" };
}

function notDone(error: ActionError): Extract<AttemptResult, { state: "not_done" }> {
  return {
    state: "not_done",
    error,
    retryable: false,
    retryAfterMs: 0,
    isOutage: false,
  };
}
