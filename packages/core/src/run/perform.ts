import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from "@ai-sdk/provider";
import type { JsonObject, JsonValue, NewEvent } from "@bron/protocol";
import { omitUndefined, cardSchemas } from "@bron/protocol";
import { inCallOrder } from "../context/model-messages.ts";
import { BronError, isOutage } from "../errors.ts";
import { callModel, type ModelLimits } from "../model/call-model.ts";
import { effectDigest } from "../policy/digest.ts";
import { normaliseAddress } from "../policy/names.ts";
import { grantFor } from "../policy/rules.ts";
import { noLabels, type RunLabels } from "../policy/run-labels.ts";
import type {
  TextDelta,
  Artifacts,
  Clock,
  CodedError,
  Policy,
  ProposedEffect,
  RulesSource,
  RunHeader,
  RunModel,
} from "../ports.ts";
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
import type { Begin, Outcome } from "./outcome.ts";
import { retryOutages } from "./retry-outages.ts";
import type { OpenAction } from "./run-state.ts";

export interface PerformDeps {
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly rules: RulesSource;
  /** Told of grants that let something through unasked. Must not throw. */
  readonly onGrantsUsed: (ownerId: string, grantIds: readonly string[]) => void;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly model: RunModel;
  readonly modelLimits: ModelLimits;
  readonly onDelta: (delta: TextDelta) => void;
  /** Whether the approval was given for this digest and has been used up by an attempt. */
  readonly proveApproval: (proof: ApprovalProof) => Promise<boolean>;
}

export interface ApprovalProof {
  readonly ownerId: string;
  readonly approvalId: string;
  readonly digest: string;
}

export interface PerformInput {
  readonly run: RunHeader;
  readonly preamble: () => readonly LanguageModelV4Message[];
  readonly declarations: readonly LanguageModelV4FunctionTool[];
  /** The run's own conversation as it stands when the model is asked. */
  readonly messages: () => readonly LanguageModelV4Message[];
  /** What the run has read so far, and what was there before it. */
  readonly labels: () => Promise<RunLabels>;
  /** A sentence, if the run that this one tries again has done, or perhaps done, an effect of the tool. */
  readonly repeats: (tool: Tool) => string | undefined;
  /** Takes what a tool wants written: progress lines, cards, artifacts. */
  readonly post: (event: NewEvent) => void;
  /** The same, and resolves once it is in the log. */
  readonly postAndWait: (event: NewEvent) => Promise<void>;
}

/**
 * Does what was begun: asks the model, prepares, reads, attempts, reconciles. Resolves with how it ended. An outage of Bron's storage is
 * retried here. Throws on a defect, and when an outage interrupts a tool that may not run twice.
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
): (work: Begin, signal: AbortSignal, markedAt: Moment) => Promise<Outcome> {
  const { clock } = deps;

  const perform = async (work: Begin, signal: AbortSignal, markedAt: Moment): Promise<Outcome> => {
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
        result: await attempt(tool, action, context, markedAt),
      };
    if (work.kind === "reconcile" && action.effect)
      return await lookInto(tool, action, action.effect.prepared, context);
    const valid = validateCall(deps.tools, action.tool, action.input);
    if (!valid.ok)
      return { kind: "read", actionId: action.id, result: { state: "failed", error: valid.error } };
    if (work.kind === "prepare")
      return {
        kind: "prepare",
        actionId: action.id,
        result:
          (await throughOutages(context, () => prepare(tool, action, valid.input, context))) ??
          stoppedBeforePrepared,
      };
    if (work.kind === "reconcile") return await lookInto(tool, action, valid.input, context);
    const read = () => runReadTool(tool, valid.input, context, limits);
    return {
      kind: "read",
      actionId: action.id,
      result: tool.repeatable
        ? ((await throughOutages(context, read)) ?? { state: "canceled" })
        : await read(),
    };
  };

  const throughOutages = <T>(
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

  /** Not asked to stop with its run: only a worker that lets go of the run ends it early, and then nothing is written. */
  const lookInto = async (
    tool: Tool,
    action: OpenAction,
    form: JsonValue,
    context: EffectContext,
  ): Promise<Outcome> => {
    if (action.effect && outdatedForm(tool, action.effect))
      return { kind: "reconcile", actionId: action.id, result: { state: "unknown" } };
    const result = await throughOutages(
      context,
      () => reconcileEffect(tool, form, context, { clock, timeoutMs: tool.timeoutMs }),
      maxLookOutageMs,
    );
    return { kind: "reconcile", actionId: action.id, result: result ?? { state: "unknown" } };
  };

  /** By the rules as they stand now. Whoever approved it saw where its values came from: labels are asked about no second time. */
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
      ({ address }) => grantFor(rules, tool.name, normaliseAddress(address)) ?? [],
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

  /** What was approved is what is done: the digest is computed again from the very bytes that are handed to the tool. */
  const attempt = async (
    tool: Tool,
    action: OpenAction,
    context: EffectContext,
    markedAt: Moment,
  ): Promise<AttemptResult> => {
    const { effect } = action;
    if (!effect) throw new BronError("internal", "An attempt without a ledger row");
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
      return notDone("digest_mismatch", "It is not what was approved. Nothing was done.");
    const now = await judgeNow(tool, proposed, { isApproved: effect.approval !== undefined }).catch(
      (error: unknown) => ({ verdict: "unread" as const, reasons: [], isOutage: isOutage(error) }),
    );
    if (now.verdict === "unread")
      return {
        ...notDone(
          "effect_not_done",
          "It could not be checked against your rules. Nothing was done.",
        ),
        retryable: true,
        isOutage: now.isOutage,
      };
    if (now.verdict === "deny" || (now.verdict === "ask" && !effect.approval))
      return notDone("forbidden", `A rule does not allow it any more: ${now.reasons.join(" ")}`);
    if (!effect.approval && "grants" in now && now.grants.length > 0)
      deps.onGrantsUsed(run.ownerId, [...new Set(now.grants)]);
    // After its deadline someone else may have looked into it: too late to begin, whatever held us up.
    const left = tool.timeoutMs - msSince(clock, markedAt);
    if (left <= 0)
      return {
        ...notDone("effect_not_done", "Its time was over before it began."),
        retryable: true,
      };
    return await attemptEffect(tool, effect.prepared, context, { clock, timeoutMs: left });
  };

  const askModel = async (work: Extract<Begin, { kind: "model" }>, signal: AbortSignal) =>
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
    // A look that is tried again goes on from what the try before it kept.
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
            `${kind} does not fit: ${issue?.path.join(".") || "payload"}: ${issue?.message ?? "invalid"}`,
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
        if (!proved)
          throw new BronError("effect_not_done", "Not done: there is no approval for it.");
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

/** An outage while the approval is proved: the effect has not begun, so it is not in doubt. */
async function asNotDone<T>(proof: Promise<T>): Promise<T> {
  try {
    return await proof;
  } catch (error) {
    if (!isOutage(error)) throw error;
    throw new BronError("effect_not_done", "Not done: its approval could not be checked.", {
      retryable: true,
      cause: error,
    });
  }
}

/** Then the segment fails, and the next one begins another look: those are counted. */
const maxLookOutageMs = 60_000;

const stoppedBeforePrepared: PrepareResult = {
  state: "failed",
  error: {
    code: "interrupted",
    message: "It was stopped before it was prepared. Nothing happened.",
  },
};
