import { omitUndefined, type ActionError, type JsonValue } from "@bron/protocol";
import type { AttachedFile } from "../context/attached-files.ts";
import { BronError, unreachable } from "../errors.ts";
import type { ClientActionRef } from "../ports/runs/client-actions.ts";
import { callModel, type ModelCall, type ModelLimits } from "../model/call-model.ts";
import type { Clock } from "../ports/clock.ts";
import { isModelOutage, modelFailureOf } from "../model/model-failure.ts";
import type { ModelFailure, ModelMessage } from "../model/model-result.ts";
import type { ModelHealth } from "../model/model-health.ts";
import { judgeRead } from "../policy/judge.ts";
import type { Rule } from "../policy/permissions/rules.ts";
import type { RunHeader } from "../ports/runs/run-log.ts";
import { actionError } from "../tool/action-error.ts";
import { editEffect } from "../tool/edit-effect.ts";
import { outdatedForm } from "../tool/outdated-form.ts";
import {
  prepareEffect,
  reconcileEffect,
  runReadTool,
  uncheckedError,
  type PrepareResult,
  type ReconcileResult,
  type ToolResult,
} from "../tool/run-tool.ts";
import { toToolOutput } from "../tool/tool-json.ts";
import type { EffectContext, Tool } from "../tool/tool.ts";
import { validateCall } from "../tool/validate-call.ts";
import { attemptAction, type AttemptDeps } from "../effect/attempt-action.ts";
import {
  createEffectContext,
  type ContextDeps,
  type ContextInput,
} from "../effect/effect-context.ts";
import { longResultOf } from "../client-action/end-client-action.ts";
import { keepOutput } from "../output/keep-output.ts";
import { judgeEffect, type JudgeContext } from "../effect/judge-effect.ts";
import type { ModelRequests } from "../context/model-requests.ts";
import { msSince, type Moment } from "./moment.ts";
import type { Work, Outcome } from "./outcome.ts";
import { retryOutages } from "./retry-outages.ts";
import type { OpenAction } from "./state/run-state.ts";

export interface PerformDeps extends AttemptDeps, ContextDeps {
  readonly modelHealth: ModelHealth;
  readonly modelLimits: ModelLimits;
  /** The hash of the secret with which another program finishes an action. */
  readonly clientSecretHash: (action: ClientActionRef) => Promise<string>;
}

interface PerformInput extends JudgeContext, ContextInput {
  /** The tools of the run now. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  /** Whether a call can have a result already, because the run retries another one. */
  readonly hasEarlier: boolean;
  /** False on a worker that only ends the run, because its place is gone. */
  readonly isHere: boolean;
  /** The request of the current step. */
  readonly request: (files: readonly AttachedFile[]) => ReturnType<ModelRequests["options"]>;
}

export interface WorkStart {
  /** Before the append that logs the start was sent. */
  readonly decidedAt: Moment;
  /** See `AppendResult`. Undefined if no append for this work returned them. */
  readonly denyingRules: readonly Rule[] | undefined;
}

export type Perform = (work: Work, signal: AbortSignal, start: WorkStart) => Promise<Outcome>;

interface ToolCall {
  readonly tool: Tool;
  readonly action: OpenAction;
  readonly context: EffectContext;
  readonly post: ContextInput["post"];
  readonly start: WorkStart;
}

/**
 * Carries out one piece of work (model call, prepare, read, attempt or reconcile) and resolves with
 * its outcome. It retries outages of Bron's storage. Throws on a defect, and when an outage
 * interrupts a tool that must not run twice.
 */
export function createPerformer(deps: PerformDeps, input: PerformInput): Perform {
  return async (work, signal, start) => {
    if (work.kind === "model") return await performModelCall(deps, input, work, signal);
    if (work.kind === "auxiliary") return await performAuxiliaryCall(deps, work, signal);
    const { action } = work;
    const tool = input.tools().get(action.tool);
    if (work.kind === "keep_result")
      return await performKeepResult(deps, input.run, { action, tool, signal });
    // A run that ends reconciles its attempts on any worker, even on one without the tool or in
    // another place.
    if (!tool || !input.isHere) return reconciled(action, { state: "unknown" });
    const attempt = "attempt" in work ? work.attempt : action.attempts;
    const context = createEffectContext(deps, input, { action, attempt, signal });
    const call = { tool, action, context, post: input.post, start };
    switch (work.kind) {
      case "prepare":
        return await performPrepare(deps, input, call);
      case "read":
        return await performRead(deps, input, call);
      case "attempt":
        return await performAttempt(deps, input, call);
      case "reconcile":
        return await performReconcile(deps, input, call);
      default:
        return unreachable(work);
    }
  };
}

async function performModelCall(
  deps: PerformDeps,
  { run, request, hasEarlier }: PerformInput,
  { step, attempt, model, files }: Extract<Work, { kind: "model" }>,
  signal: AbortSignal,
): Promise<Outcome> {
  let options;
  try {
    options = await request(files);
  } catch (error) {
    const failure = modelFailureOf(error, { canceled: signal.aborted, hasOutput: false });
    return { kind: "model", result: failure };
  }
  const result = await callAndReport(deps, {
    model,
    options,
    signal,
    onDelta: (kind, delta) => deps.onDelta({ runId: run.id, step, attempt, kind, delta }),
  });
  // A rule may deny since then what the retried run read.
  const rules = hasEarlier ? await deps.permissions.rules(run).catch(() => undefined) : undefined;
  return { kind: "model", result, rules };
}

/** What an auxiliary call writes is for Bron, so it is not streamed to anyone. */
async function performAuxiliaryCall(
  deps: PerformDeps,
  { request, options, model }: Extract<Work, { kind: "auxiliary" }>,
  signal: AbortSignal,
): Promise<Outcome> {
  const onDelta = () => undefined;
  const { totalMs } = deps.modelLimits;
  const limits = {
    ...deps.modelLimits,
    totalMs: Math.min(totalMs, request.timeoutMs ?? totalMs),
  };
  const result = await callAndReport(
    { ...deps, modelLimits: limits },
    { model, options, signal, onDelta },
  );
  return { kind: "auxiliary", request, result };
}

async function callAndReport(
  { modelLimits: limits, clock, modelHealth }: PerformDeps,
  call: Omit<ModelCall, "limits" | "clock">,
): Promise<ModelMessage | ModelFailure> {
  const result = await callModel({ ...call, limits, clock });
  if (result.ok) modelHealth.worked(call.model.name);
  else if (isModelOutage(result.error)) modelHealth.failed(call.model.name);
  return result;
}

async function performPrepare(
  deps: PerformDeps,
  input: PerformInput,
  { tool, action, context, post }: ToolCall,
): Promise<Outcome> {
  const valid = validateCall(input.tools(), action.tool, action.input);
  if (!valid.ok) return invalidCall(action, valid.error);
  const limits = { clock: deps.clock, timeoutMs: tool.timeoutMs };
  const prepare = async (): Promise<PrepareResult> => {
    const { edit } = action;
    if (!edit)
      return await prepareEffect(tool, valid.input, context, {
        ...limits,
        judge: (effect, reads) => judgeEffect(deps, input, { tool, effect, reads, context }),
      });
    const outdated = outdatedForm(tool, edit);
    if (outdated) return { state: "failed", error: outdated };
    return await editEffect(tool, edit, context, {
      ...limits,
      judge: (effect, reads, edited) =>
        judgeEffect(deps, input, { tool, effect, reads, context, edited }),
    });
  };
  const result = await retryOutagesAndLog(deps.clock, { context, post }, prepare);
  return { kind: "prepare", actionId: action.id, result: result ?? canceledBeforePrepared };
}

async function performRead(
  deps: PerformDeps,
  { run, tools }: PerformInput,
  { tool, action, context, post, start }: ToolCall,
): Promise<Outcome> {
  const { clock } = deps;
  const valid = validateCall(tools(), action.tool, action.input);
  if (!valid.ok) return invalidCall(action, valid.error);
  const refusal = await retryOutagesAndLog(clock, { context, post }, () =>
    refuseRead(deps, run, { tool, input: valid.input, start }),
  );
  if (refusal !== "allowed")
    return { kind: "read", actionId: action.id, result: refusal ?? { state: "canceled" } };
  if (tool.client) return await handOver(deps, { runId: run.id, actionId: action.id }, valid.input);
  const read = () => runReadTool(tool, valid.input, context, { clock, timeoutMs: tool.timeoutMs });
  const result = tool.repeatable
    ? ((await retryOutagesAndLog(clock, { context, post }, read)) ?? { state: "canceled" as const })
    : await read();
  const { signal } = context;
  return {
    kind: "read",
    actionId: action.id,
    result: await keepOutput(deps, { run, tool, action, signal }, result),
  };
}

/** Rules that an append returned are read again when this time has passed since it was sent. */
const maxRulesAgeMs = 1_000;

/**
 * Judges a call of a tool that only reads by the owner's rules, before it is made. The append of
 * its start has returned them, so this needs no query. A rule denies every read whose start is
 * appended after the rule was committed, in any process. If the append or the worker was held up,
 * it denies at the latest a read that begins `maxRulesAgeMs` after the rule was committed.
 */
async function refuseRead(
  { permissions, clock }: Pick<PerformDeps, "permissions" | "clock">,
  run: RunHeader,
  { tool, input, start }: Pick<ToolCall, "tool" | "start"> & { readonly input: unknown },
): Promise<"allowed" | Extract<ToolResult, { state: "denied" | "failed" }>> {
  try {
    const { denyingRules, decidedAt } = start;
    const isFresh = msSince(clock, decidedAt) < maxRulesAgeMs;
    const rules = isFresh && denyingRules ? { rules: denyingRules } : await permissions.rules(run);
    const { verdict, reasons } = judgeRead(tool.name, rules, tool.targetsOf?.(input));
    return verdict === "deny" ? { state: "denied", reasons } : "allowed";
  } catch (error) {
    return { state: "failed", error: uncheckedError(error) };
  }
}

async function performAttempt(
  deps: PerformDeps,
  input: PerformInput,
  { tool, action, context, start }: ToolCall,
): Promise<Outcome> {
  const { id, effect } = action;
  const { decidedAt } = start;
  const result = await attemptAction(deps, input, { tool, action, context, decidedAt });
  if (result.state === "allowed")
    return await handOver(deps, { runId: input.run.id, actionId: id }, effect?.prepared ?? null);
  const kept = { run: input.run, tool, action, signal: context.signal };
  return { kind: "attempt", actionId: id, result: await keepOutput(deps, kept, result) };
}

/** Lets another program start the action, once this outcome is in the log. */
async function handOver(
  { clientSecretHash }: PerformDeps,
  ref: ClientActionRef,
  input: JsonValue,
): Promise<Outcome> {
  const secretHash = await clientSecretHash(ref);
  return { kind: "hand_over", actionId: ref.actionId, input, secretHash };
}

/** Keeps what a program sent. Any worker can do it, even without the tool. */
async function performKeepResult(
  deps: PerformDeps,
  run: RunHeader,
  { action, tool, signal }: { action: OpenAction; tool: Tool | undefined; signal: AbortSignal },
): Promise<Outcome> {
  const found = longResultOf(action, tool);
  if (!found) throw new BronError("internal", `Action ${action.id} has no long result`);
  const { value, label } = found;
  const kept = await keepOutput(
    deps,
    { run, tool: { name: action.tool, labelOf: () => label }, action, signal },
    { state: "done", ...(await toToolOutput(value, deps.clock)) },
  );
  return { kind: "keep_result", actionId: action.id, ...kept, output: kept.output ?? null };
}

/**
 * Not aborted when its run is canceled. Only a worker that releases the run ends it early, and then
 * nothing is written. An action without an effect is reconciled by its input.
 */
async function performReconcile(
  deps: PerformDeps,
  { run, tools }: PerformInput,
  { tool, action, context, post }: ToolCall,
): Promise<Outcome> {
  const { clock } = deps;
  let form: JsonValue;
  if (action.effect) {
    if (outdatedForm(tool, action.effect)) return reconciled(action, { state: "unknown" });
    form = action.effect.prepared;
  } else {
    const valid = validateCall(tools(), action.tool, action.input);
    if (!valid.ok) return invalidCall(action, valid.error);
    form = valid.input;
  }
  const result = await retryOutagesAndLog(
    clock,
    { context, post },
    () => reconcileEffect(tool, form, context, { clock, timeoutMs: tool.timeoutMs }),
    maxReconcileOutageMs,
  );
  const { signal } = context;
  return reconciled(
    action,
    result ? await keepOutput(deps, { run, tool, action, signal }, result) : { state: "unknown" },
  );
}

const reconciled = (action: OpenAction, result: ReconcileResult): Outcome => ({
  kind: "reconcile",
  actionId: action.id,
  result,
});

const invalidCall = (action: OpenAction, error: ActionError): Outcome => ({
  kind: "read",
  actionId: action.id,
  result: { state: "failed", error },
});

const retryOutagesAndLog = <T>(
  clock: Clock,
  { context: { signal, actionId }, post }: Pick<ToolCall, "context" | "post">,
  work: () => Promise<T>,
  maxMs?: number,
) =>
  retryOutages(
    {
      clock,
      signal,
      ...omitUndefined({ maxMs }),
      onOutage: ({ code }) =>
        post({ type: "log", payload: { level: "warn", kind: "outage", code, actionId } }),
    },
    work,
  );

/**
 * After this time the segment fails. The next one starts another reconcile call, and those are
 * counted.
 */
const maxReconcileOutageMs = 60_000;

const canceledBeforePrepared: PrepareResult = {
  state: "failed",
  error: actionError("interrupted", { code: "prepare_canceled" }),
};
