import {
  authReasonSchema,
  type ActionError,
  type ActionFailureReason,
  type AuthReason,
  omitUndefined,
  type FieldDiff,
  type FormReads,
  type JsonValue,
  type NotDone,
} from "@bron/protocol";
import { cleanJson, cleanText } from "../context/clean-text.ts";
import { BronError, isOutage, messageOf } from "../errors.ts";
import type { ProposedEffect } from "../policy/policy.ts";
import type { Clock } from "../ports/clock.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { effectDigest } from "../policy/digest.ts";
import { actionError, errorOf } from "./action-error.ts";
import { preparedForm, toToolOutput, type ToolOutput } from "./tool-json.ts";
import type { EffectContext, Prepared, Reconciliation, Tool, ToolContext } from "./tool.ts";
import { withTimeLimit } from "./with-time-limit.ts";

/**
 * Results of tool calls. They are values, with one exception: an outage of Bron's own storage is
 * thrown, because it is not the tool's failure. The caller retries once storage is back.
 */

export type ToolResult =
  | ({ readonly state: "completed" } & ToolOutput)
  | { readonly state: "failed"; readonly error: ActionError }
  | { readonly state: "canceled" }
  | { readonly state: "unknown"; readonly error: ActionError }
  /** The owner's rules do not allow the call, so it was not made. */
  | { readonly state: "denied"; readonly reasons: PolicyDecision["reasons"] }
  /** The action continues when this child run has finished. */
  | { readonly state: "awaits_run"; readonly runId: string }
  | NeedsAuth;

/** Nothing was done, because an account is not connected or no longer connected. */
export interface NeedsAuth {
  readonly state: "needs_auth";
  readonly provider: string;
  /** Without it, `reason` is the tool's text. */
  readonly why?: AuthReason;
  readonly reason?: string;
}

export type AttemptResult =
  | ({ readonly state: "done" } & ToolOutput)
  /** It is proven that nothing was done. */
  | {
      readonly state: "not_done";
      readonly error: ActionError;
      readonly notDone?: NotDone;
      readonly retryable: boolean;
      readonly retryAfterMs: number;
      readonly isOutage: boolean;
    }
  | {
      readonly state: "doubt";
      readonly error: ActionError;
      /** Set if nothing can be found out: what the owner can check. Words of Bron, not of others. */
      readonly check?: string;
    }
  | NeedsAuth;

export type PrepareResult =
  | {
      readonly state: "prepared";
      readonly prepared: JsonValue;
      readonly preview: string;
      readonly digest: string;
      readonly decision: PolicyDecision;
      readonly reads?: FormReads;
      readonly typed?: string;
      readonly diff?: readonly FieldDiff[];
    }
  | { readonly state: "failed"; readonly error: ActionError }
  | NeedsAuth;

export interface Limits {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

export async function runReadTool(
  tool: Tool,
  input: JsonValue,
  context: EffectContext,
  { clock, timeoutMs }: Limits,
): Promise<ToolResult> {
  const ended = await withTimeLimit(
    async (signal): Promise<ToolResult> => {
      const inner = { ...context, signal };
      const runId = await tool.findRunToAwait?.(input, inner);
      if (runId !== undefined) return { state: "awaits_run", runId };
      return {
        state: "completed",
        ...(await toToolOutput(await tool.execute(input, inner), clock)),
      };
    },
    context.signal,
    clock,
    timeoutMs,
  );
  if (ended.kind === "value") return ended.value;
  if (ended.kind === "error" && isOutage(ended.error)) throw ended.error;
  if (ended.kind === "error")
    return needsAuth(ended.error) ?? { state: "failed", error: errorOf(ended.error) };
  if (ended.kind === "canceled" && tool.repeatable) return { state: "canceled" };
  const why = cutShort(ended.kind, timeoutMs);
  return tool.repeatable
    ? { state: "failed", error: actionError("tool_timeout", why) }
    : { state: "unknown", error: actionError("effect_unknown", why) };
}

export async function attemptEffect(
  tool: Tool,
  prepared: JsonValue,
  context: EffectContext,
  { clock, timeoutMs }: Limits,
): Promise<AttemptResult> {
  const ended = await withTimeLimit(
    (signal) => tool.execute(prepared, { ...context, signal }),
    context.signal,
    clock,
    timeoutMs,
  );
  if (ended.kind === "value") return { state: "done", ...(await toToolOutput(ended.value, clock)) };
  if (ended.kind === "error" && BronError.is(ended.error, "effect_not_done")) {
    const { retryable, details } = ended.error;
    return {
      state: "not_done",
      error: errorOf(ended.error),
      retryable,
      retryAfterMs: Number(details["retryAfterMs"] ?? 0),
      isOutage: isOutage(ended.error),
    };
  }
  const auth = ended.kind === "error" ? needsAuth(ended.error) : undefined;
  if (auth) return auth;
  const error =
    ended.kind === "error"
      ? { ...errorOf(ended.error), code: "effect_unknown" as const }
      : actionError("effect_unknown", cutShort(ended.kind, timeoutMs));
  // No tool of a server can be reconciled, so there is nothing to wait for.
  const { server } = tool;
  const check =
    server && !tool.reconcile
      ? `Check whether ${server.tool} of ${server.name} did it.`
      : undefined;
  return { state: "doubt", error, ...omitUndefined({ check }) };
}

/**
 * Makes the check that a tool makes right before anything leaves. Returns why the effect must not
 * start, or undefined.
 */
export async function checkApproval(
  context: EffectContext,
  { clock, timeoutMs }: Limits,
): Promise<Extract<AttemptResult, { state: "not_done" }> | undefined> {
  const ended = await withTimeLimit(
    () => context.requireApproval(),
    context.signal,
    clock,
    timeoutMs,
  );
  if (ended.kind === "value") return undefined;
  const isKnown = ended.kind === "error";
  return {
    state: "not_done",
    error: isKnown
      ? errorOf(ended.error)
      : actionError("effect_not_done", { code: "approval_not_checked" }),
    retryable: !isKnown || (BronError.is(ended.error) && ended.error.retryable),
    retryAfterMs: 0,
    isOutage: isKnown && isOutage(ended.error),
  };
}

function cutShort(kind: "canceled" | "timeout", timeoutMs: number): ActionFailureReason {
  return kind === "canceled"
    ? { code: "canceled" }
    : { code: "timed_out", seconds: timeoutMs / 1000 };
}

type FormResult =
  | ({ readonly state: "form" } & Prepared)
  | Extract<PrepareResult, { readonly state: "failed" }>
  | NeedsAuth;

/** Returns the final form that a tool prepares, or why there is none. */
export async function prepareForm(
  prepare: (context: ToolContext) => Promise<Prepared>,
  context: ToolContext,
  { clock, timeoutMs }: Limits,
): Promise<FormResult> {
  const ended = await withTimeLimit(
    (signal) => prepare({ ...context, signal }),
    context.signal,
    clock,
    timeoutMs,
  );
  if (ended.kind === "error" && isOutage(ended.error)) throw ended.error;
  if (ended.kind !== "value") {
    const auth = ended.kind === "error" ? needsAuth(ended.error) : undefined;
    const error =
      ended.kind === "error"
        ? errorOf(ended.error)
        : actionError("tool_timeout", { code: "prepare_timed_out" });
    return auth ?? { state: "failed", error };
  }
  const form = preparedForm(ended.value);
  if (!form.ok) return { state: "failed", error: actionError("tool_failed", form.why) };
  return {
    state: "form",
    prepared: form.prepared,
    preview: form.preview,
    ...omitUndefined({ reads: cleanReads(ended.value.reads) }),
  };
}

/** Others wrote what was read, so it is cleaned like every text that enters the log. */
function cleanReads(reads: FormReads | undefined): FormReads | undefined {
  if (!reads || reads.results.length + reads.writers.length === 0) return undefined;
  return {
    results: reads.results.map(({ label, value }) => ({ label, value: cleanJson(value) })),
    writers: reads.writers,
  };
}

type JudgeEffect = (
  effect: ProposedEffect,
  reads: FormReads | undefined,
) => Promise<PolicyDecision>;

/** Judges a form and computes the digest of the form and the decision. */
export async function proposeEffect(
  tool: Tool,
  { prepared, preview, reads }: Prepared,
  context: ToolContext,
  judge: JudgeEffect,
): Promise<PrepareResult> {
  const effect: ProposedEffect = {
    runId: context.runId,
    ownerId: context.ownerId,
    actionId: context.actionId,
    tool: tool.name,
    seenBy: tool.seenBy,
    prepared,
  };
  const decision = await judge(effect, reads).catch((error: unknown) => uncheckedError(error));
  // The owner's rules may deny this, so nothing is proposed without them.
  if ("code" in decision) return { state: "failed", error: decision };
  return {
    state: "prepared",
    prepared,
    preview,
    digest: await effectDigest(effect, decision),
    decision,
    ...omitUndefined({ reads }),
  };
}

export async function prepareEffect(
  tool: Tool,
  input: JsonValue,
  context: ToolContext,
  { judge, ...limits }: Limits & { readonly judge: JudgeEffect },
): Promise<PrepareResult> {
  const form = await prepareForm((inner) => tool.prepare(input, inner), context, limits);
  return form.state === "form" ? await proposeEffect(tool, form, context, judge) : form;
}

const reconcileTries = 3;

/** What `reconcile` found out, or why it could not. */
export type ReconcileResult =
  | ({ readonly state: "done" } & ToolOutput)
  | Exclude<Reconciliation, { readonly state: "done" }>
  | { readonly state: "unknown"; readonly check?: never; readonly why: ActionFailureReason };

/** Returns unknown after a few failed tries. */
export async function reconcileEffect(
  tool: Tool,
  prepared: JsonValue,
  context: EffectContext,
  { clock, timeoutMs }: Limits,
): Promise<ReconcileResult> {
  const { reconcile } = tool;
  if (!reconcile) return { state: "unknown" };
  for (let attempt = 1; ; attempt++) {
    const ended = await withTimeLimit(
      (signal) => reconcile(prepared, { ...context, signal }),
      context.signal,
      clock,
      timeoutMs,
    );
    if (ended.kind === "value") return await asReconciliation(ended.value, clock);
    if (ended.kind === "error" && isOutage(ended.error)) throw ended.error;
    if (ended.kind === "canceled" || attempt === reconcileTries)
      return ended.kind === "error"
        ? checkFailed(ended.error)
        : { state: "unknown", why: { code: "check_timed_out" } };
    await clock.sleep(250 * 2 ** attempt, context.signal);
  }
}

/** The message of a BronError says what the owner can check. Any other error is a defect. */
function checkFailed(error: unknown): ReconcileResult {
  const text = cleanText(messageOf(error));
  return BronError.is(error)
    ? { state: "unknown", check: text }
    : { state: "unknown", why: { code: "check_failed", detail: text } };
}

/** A custom tool may return anything. An invalid value counts as unknown. */
async function asReconciliation(
  value: Reconciliation | undefined,
  clock: Clock,
): Promise<ReconcileResult> {
  if (value?.state === "done")
    return { state: "done", ...(await toToolOutput(value.output, clock)) };
  if (value?.state === "not_done") return value;
  return {
    state: "unknown",
    ...(typeof value?.check === "string" ? { check: cleanText(value.check) } : {}),
  };
}

function needsAuth(error: unknown): NeedsAuth | undefined {
  if (!BronError.is(error, "missing_credentials")) return undefined;
  const { provider } = error.details;
  if (typeof provider !== "string") return undefined;
  const { data: why } = authReasonSchema.safeParse(error.details["why"]);
  return {
    state: "needs_auth",
    provider,
    ...(why ? { why: cleanJson(why) } : { reason: cleanText(error.message) }),
  };
}

/**
 * Uses only Bron's own messages. The text of a driver error or defect belongs in the process log.
 */
export function uncheckedError(error: unknown): ActionError {
  if (isOutage(error)) throw error;
  return BronError.is(error)
    ? actionError(error.code, { code: "rules_not_checked", detail: cleanText(error.message) })
    : actionError("tool_failed", { code: "rules_not_checked", detail: "" });
}
