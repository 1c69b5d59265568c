import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from "@ai-sdk/provider";
import type { JsonObject, JsonValue, NewEvent } from "@bron/protocol";
import { omitUndefined, cardSchemas } from "@bron/protocol";
import { inCallOrder } from "../context/model-messages.ts";
import { BronError, isOutage, type CodedError } from "../errors.ts";
import { callModel, type ModelLimits } from "../model/call-model.ts";
import { effectDigest } from "../policy/digest.ts";
import { normalizeAddress } from "../policy/names.ts";
import { grantFor } from "../policy/rules.ts";
import { noLabels, type RunLabels } from "../policy/run-labels.ts";
import type { RulesSource } from "../policy/permissions.ts";
import type { Policy, ProposedEffect } from "../policy/policy.ts";
import type { Artifacts } from "../ports/artifacts.ts";
import type { Clock } from "../ports/clock.ts";
import type { TextDelta, RunModel } from "../ports/model.ts";
import type { RunHeader } from "../ports/run-log.ts";
import { editEffect } from "../tool/edit-effect.ts";
import {
  attemptEffect,
  prepareEffect,
  reconcileEffect,
  runReadTool,
  type AttemptResult,
  type PrepareResult,
} from "../tool/run-tool.ts";
import { outdatedForm } from "../tool/outdated-form.ts";
import type { EffectContext, Tool } from "../tool/tool.ts";
import { validateCall } from "../tool/validate-call.ts";
import { cleanJson, cleanText } from "../context/clean-text.ts";
import { msSince, type Moment } from "./moment.ts";
import type { Work, Outcome } from "./outcome.ts";
import { retryOutages } from "./retry-outages.ts";
import type { OpenAction } from "./run-state.ts";

export interface PerformDeps {
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly rules: RulesSource;
  /** Called with the grants that allowed an effect without approval. Must not throw. */
  readonly onGrantsUsed: (ownerId: string, grantIds: readonly string[]) => void;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly model: RunModel;
  readonly modelLimits: ModelLimits;
  readonly onDelta: (delta: TextDelta) => void;
  /** Whether the approval was given for this digest and an attempt has used it up. */
  readonly proveApproval: (proof: ApprovalProof) => Promise<boolean>;
}

export interface ApprovalProof {
  readonly ownerId: string;
  readonly approvalId: string;
  readonly digest: string;
}

export interface PerformInput {
  readonly run: RunHeader;
  /** The messages before the run's own: the system instruction and the thread's history. */
  readonly preamble: () => readonly LanguageModelV4Message[];
  readonly declarations: readonly LanguageModelV4FunctionTool[];
  /** The run's own messages at the time of the model call. */
  readonly messages: () => readonly LanguageModelV4Message[];
  /** Labels of what the run has read so far, and of the context before it. */
  readonly labels: () => Promise<RunLabels>;
  /** Returns a sentence if the retried run has done, or may have done, an effect of this tool. */
  readonly repeats: (tool: Tool) => string | undefined;
  /** Queues an event from a tool: a progress line, card or artifact. */
  readonly post: (event: NewEvent) => void;
  /** Does the same, and resolves once the event is in the log. */
  readonly postAndWait: (event: NewEvent) => Promise<void>;
}

/**
 * Carries out one piece of work (model call, prepare, read, attempt or reconcile) and resolves with
 * its outcome. It retries outages of Bron's storage. Throws on a defect, and when an outage
 * interrupts a tool that must not run twice.
 */
export function createPerformer(
  deps: PerformDeps,
  {
    run,
    preamble,
    declarations,
    messages,
    labels,
    repeats: repeatsOf,
    post,
    postAndWait,
  }: PerformInput,
): (work: Work, signal: AbortSignal, decidedAt: Moment) => Promise<Outcome> {
  const { clock } = deps;

  const perform = async (work: Work, signal: AbortSignal, decidedAt: Moment): Promise<Outcome> => {
    if (work.kind === "model") return { kind: "model", result: await askModel(work, signal) };
    const { action } = work;
    const tool = deps.tools.get(action.tool);
    const context = contextOf(action, "attempt" in work ? work.attempt : action.attempts, signal);
    if (!tool) return { kind: "reconcile", actionId: action.id, result: { state: "unknown" } };
    const limits = { clock, timeoutMs: tool.timeoutMs };
    if (work.kind === "attempt")
      return {
        kind: "attempt",
        actionId: action.id,
        result: await attempt(tool, action, context, decidedAt),
      };
    if (work.kind === "reconcile" && action.effect)
      return await reconcile(tool, action, action.effect.prepared, context);
    const valid = validateCall(deps.tools, action.tool, action.input);
    if (!valid.ok)
      return { kind: "read", actionId: action.id, result: { state: "failed", error: valid.error } };
    if (work.kind === "prepare")
      return {
        kind: "prepare",
        actionId: action.id,
        result:
          (await retryOutagesAndLog(context, () => prepare(tool, action, valid.input, context))) ??
          canceledBeforePrepared,
      };
    if (work.kind === "reconcile") return await reconcile(tool, action, valid.input, context);
    const read = () => runReadTool(tool, valid.input, context, limits);
    return {
      kind: "read",
      actionId: action.id,
      result: tool.repeatable
        ? ((await retryOutagesAndLog(context, read)) ?? { state: "canceled" })
        : await read(),
    };
  };

  const retryOutagesAndLog = <T>(
    { signal, log }: EffectContext,
    work: () => Promise<T>,
    maxMs?: number,
  ) =>
    retryOutages(
      {
        clock,
        signal,
        ...omitUndefined({ maxMs }),
        onOutage: ({ message }) => log(`${message} Bron keeps trying.`, "warn"),
      },
      work,
    );

  const prepare = async (
    tool: Tool,
    { edit }: OpenAction,
    input: JsonValue,
    context: EffectContext,
  ): Promise<PrepareResult> => {
    const limits = { clock, timeoutMs: tool.timeoutMs };
    const outdated = edit && outdatedForm(tool, edit);
    if (outdated) return { state: "failed", error: outdated };
    if (edit)
      return await editEffect(tool, edit, context, {
        ...limits,
        judge: (effect, edited) => judgeNow(tool, effect, { edited }),
      });
    return await prepareEffect(tool, input, context, {
      ...limits,
      judge: (effect) => judgeNow(tool, effect),
    });
  };

  /**
   * Not aborted when its run is canceled. Only a worker that releases the run ends it early, and
   * then nothing is written.
   */
  const reconcile = async (
    tool: Tool,
    action: OpenAction,
    form: JsonValue,
    context: EffectContext,
  ): Promise<Outcome> => {
    if (action.effect && outdatedForm(tool, action.effect))
      return { kind: "reconcile", actionId: action.id, result: { state: "unknown" } };
    const result = await retryOutagesAndLog(
      context,
      () => reconcileEffect(tool, form, context, { clock, timeoutMs: tool.timeoutMs }),
      maxReconcileOutageMs,
    );
    return { kind: "reconcile", actionId: action.id, result: result ?? { state: "unknown" } };
  };

  /**
   * Judges by the owner's current rules. An approved effect is not judged by labels again, because
   * the owner saw where its values came from.
   */
  const judgeNow = async (
    tool: Tool,
    effect: ProposedEffect,
    {
      isApproved = false,
      edited,
    }: { readonly isApproved?: boolean; readonly edited?: string } = {},
  ) => {
    const [rules, read] = await Promise.all([deps.rules(run), isApproved ? noLabels : labels()]);
    const facts = tool.factsOf(effect.prepared);
    const repeats = isApproved ? undefined : repeatsOf(tool);
    const grants = facts.recipients.flatMap(
      ({ address }) => grantFor(rules, tool.name, normalizeAddress(address)) ?? [],
    );
    return {
      ...deps.policy(effect, {
        facts,
        labels: read,
        rules,
        ...omitUndefined({ edited, repeats }),
      }),
      grants,
    };
  };

  /**
   * Computes the digest again from the exact form that the tool gets, so only what was approved is
   * done.
   */
  const attempt = async (
    tool: Tool,
    action: OpenAction,
    context: EffectContext,
    decidedAt: Moment,
  ): Promise<AttemptResult> => {
    const { effect } = action;
    if (!effect) throw new BronError("internal", "An attempt has no ledger row");
    const outdated = outdatedForm(tool, effect);
    if (outdated) return notDone(outdated.code, outdated.message);
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
      return notDone("digest_mismatch", "This is not what was approved. Nothing was done.");
    const now = await judgeNow(tool, proposed, { isApproved: effect.approval !== undefined }).catch(
      (error: unknown) => ({ verdict: "unread" as const, reasons: [], isOutage: isOutage(error) }),
    );
    if (now.verdict === "unread")
      return {
        ...notDone("effect_not_done", "Your rules could not be checked. Nothing was done."),
        retryable: true,
        isOutage: now.isOutage,
      };
    if (now.verdict === "deny" || (now.verdict === "ask" && !effect.approval))
      return notDone("forbidden", `Your rules no longer allow this: ${now.reasons.join(" ")}`);
    if (!effect.approval && "grants" in now && now.grants.length > 0)
      deps.onGrantsUsed(run.ownerId, [...new Set(now.grants)]);
    // After the deadline another worker may already have reconciled this attempt, so it is too late
    // to start, whatever caused the delay.
    const leftMs = tool.timeoutMs - msSince(clock, decidedAt);
    if (leftMs <= 0)
      return {
        ...notDone("effect_not_done", "The time limit passed before it started."),
        retryable: true,
      };
    return await attemptEffect(tool, effect.prepared, context, { clock, timeoutMs: leftMs });
  };

  const askModel = async (work: Extract<Work, { kind: "model" }>, signal: AbortSignal) =>
    await callModel({
      model: deps.model,
      options: {
        prompt: [...preamble(), ...inCallOrder(messages())],
        ...(declarations.length > 0 ? { tools: [...declarations] } : {}),
      },
      signal,
      limits: deps.modelLimits,
      clock,
      onDelta: (kind, delta) =>
        deps.onDelta({ runId: run.id, step: work.step, attempt: work.attempt, kind, delta }),
    });

  const contextOf = (
    action: OpenAction,
    attemptNumber: number,
    signal: AbortSignal,
  ): EffectContext => {
    // A repeated reconcile call continues from the evidence that the previous one saved.
    let evidence = action.effect?.evidence;
    return {
      runId: run.id,
      ownerId: run.ownerId,
      actionId: action.id,
      effectId: action.effect?.id ?? action.id,
      attempt: attemptNumber,
      maxAttachmentBytes: run.caps.attachmentBytes,
      signal,
      log: (message, level = "info") =>
        post({ type: "log", payload: { level, message: cleanText(message), actionId: action.id } }),
      showCard(kind, payload) {
        const parsed = cardSchemas[kind].safeParse(payload);
        if (!parsed.success) {
          const issue = parsed.error.issues[0];
          throw new BronError(
            "invalid_arguments",
            `Invalid ${kind}: ${issue?.path.join(".") || "payload"}: ${issue?.message ?? "invalid"}`,
          );
        }
        post({ type: "ui", payload: { kind, payload: cleanJson(parsed.data) as JsonObject } });
      },
      readArtifact: (digest) => deps.artifacts.read(run.ownerId, digest),
      async requireApproval() {
        const { effect } = action;
        if (effect && !effect.approval) return;
        const proved =
          effect?.approval &&
          (await asNotDone(
            deps.proveApproval({
              ownerId: run.ownerId,
              approvalId: effect.approval.id,
              digest: effect.digest,
            }),
          ));
        if (!proved) throw new BronError("effect_not_done", "Not done: there is no approval.");
      },
      get evidence() {
        return evidence;
      },
      async keepEvidence(found) {
        const { effect } = action;
        evidence = found;
        if (effect)
          await postAndWait({
            type: "effect",
            payload: {
              effectId: effect.id,
              actionId: action.id,
              tool: action.tool,
              state: "attempting",
              digest: effect.digest,
              evidence: found,
            },
          });
      },
      async saveArtifact(artifact) {
        const { artifactId, digest, sizeBytes } = await deps.artifacts.put({
          ...artifact,
          ownerId: run.ownerId,
          runId: run.id,
        });
        post({
          type: "artifact",
          payload: {
            artifactId,
            kind: artifact.kind,
            name: cleanText(artifact.name),
            mediaType: artifact.mediaType,
            digest,
            sizeBytes,
          },
        });
        return { artifactId, digest };
      },
    };
  };

  return perform;
}

function notDone(
  code: CodedError["code"],
  message: string,
): Extract<AttemptResult, { state: "not_done" }> {
  return {
    state: "not_done",
    error: { code, message },
    retryable: false,
    retryAfterMs: 0,
    isOutage: false,
  };
}

/**
 * Reports an outage during the approval check as not done. The effect has not started, so its
 * outcome is known.
 */
async function asNotDone<T>(proof: Promise<T>): Promise<T> {
  try {
    return await proof;
  } catch (error) {
    if (!isOutage(error)) throw error;
    throw new BronError("effect_not_done", "Not done: the approval could not be checked.", {
      retryable: true,
      cause: error,
    });
  }
}

/**
 * After this time the segment fails. The next one starts another reconcile call, and those are
 * counted.
 */
const maxReconcileOutageMs = 60_000;

const canceledBeforePrepared: PrepareResult = {
  state: "failed",
  error: {
    code: "interrupted",
    message: "Canceled before it was prepared. Nothing was done.",
  },
};
