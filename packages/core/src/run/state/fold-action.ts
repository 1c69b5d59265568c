import {
  notDoneOf,
  omitUndefined,
  reportOutcomeName,
  skillReadName,
  type ApprovalPayload,
  type ClientActionPayload,
  type EffectPayload,
  type JsonObject,
  type JsonValue,
  type QuestionPayload,
  type Label,
  type ToolEnd,
  type ToolStart,
} from "@bron/protocol";
import { byteLength, toolResultPart } from "../../context/model-messages.ts";
import { BronError } from "../../errors.ts";
import { withOwnerWords, withResult } from "../../policy/run-labels.ts";
import { declaredIn } from "../../tool/report-outcome-tool.ts";
import { pageKey } from "../../output/page-key.ts";
import { narrowedTools } from "../../skill/run-skills.ts";
import type {
  EndedAction,
  OpenAction,
  OpenApproval,
  OpenEffect,
  PendingUserMessage,
  RunState,
} from "./run-state.ts";

/** The part of the fold that is about actions: their calls, effects, approvals and accounts. */

function openAction(state: RunState, actionId: string): OpenAction {
  const action = state.open.get(actionId);
  if (!action)
    throw new BronError("internal", `The log refers to action ${actionId}, which is not open`);
  return action;
}

function withAction(state: RunState, action: OpenAction): RunState {
  return { ...state, open: new Map(state.open).set(action.id, action) };
}

export function withToolStart(state: RunState, payload: ToolStart): RunState {
  const action = openAction(state, payload.actionId);
  const { reconnected: _, ...rest } = action;
  return {
    ...withAction(state, { ...rest, state: "executing", attempts: payload.attempt }),
    status: "executing",
  };
}

export function withAuthNeeded(
  state: RunState,
  { actionId, provider }: { actionId: string; provider: string },
): RunState {
  const { reconnected: _, ...action } = openAction(state, actionId);
  return withAction(state, { ...action, state: "planned", needsAuth: provider });
}

export function withConnected(state: RunState, provider: string): RunState {
  const open = [...state.open.values()].map((action): OpenAction => {
    const { needsAuth, ...rest } = action;
    if (needsAuth === provider) return rest;
    return { ...action, reconnected: provider };
  });
  return { ...state, open: new Map(open.map((action) => [action.id, action])) };
}

/**
 * The label of a result that has none in the log, which is the least trusted one. A tool that
 * declares no label gets it too. The log leaves it out because it would be 3 % of a step's bytes.
 */
export const unlabeled: Label = { origin: "tool", trusted: false, private: true, readers: [] };

export function isUnlabeled({
  origin,
  trusted,
  private: isPrivate,
  readers,
  parts,
}: Label): boolean {
  return (
    origin === unlabeled.origin &&
    !trusted &&
    isPrivate &&
    readers.length === 0 &&
    parts === undefined
  );
}

export function withToolEnd(state: RunState, payload: ToolEnd): RunState {
  const action = openAction(state, payload.actionId);
  const open = new Map(state.open);
  open.delete(action.id);
  const { label = unlabeled } = payload;
  const part = toolResultPart(action.callId, payload, state.modelNames);
  // Results of one step share one message, in whatever order they finish.
  const last = state.messages.at(-1);
  const messages =
    last?.role === "tool"
      ? [...state.messages.slice(0, -1), { ...last, content: [...last.content, part] }]
      : [...state.messages, { role: "tool" as const, content: [part] }];
  const unknownTools =
    payload.error?.code === "unknown_tool"
      ? new Map(state.unknownTools).set(
          payload.name,
          (state.unknownTools.get(payload.name) ?? 0) + 1,
        )
      : state.unknownTools;
  return {
    ...state,
    open,
    messages,
    messageBytes: state.messageBytes + byteLength(part),
    unknownTools,
    keptOutputs: payload.kept
      ? new Map(state.keptOutputs).set(payload.kept.outputId, { ...payload.kept, label })
      : state.keptOutputs,
    pages: withPage(state.pages, action, payload),
    readFiles: withReadFiles(state, action, payload),
    skillTools: withReadSkill(state, action, payload),
    rewrites:
      payload.rewriteKey === undefined
        ? state.rewrites
        : new Set([...state.rewrites, payload.rewriteKey]),
    labels: withResult(state.labels, {
      tool: payload.name,
      actionId: action.id,
      label,
      value: payload.output ?? payload.error?.message ?? null,
    }),
    ...withEnded(state, action, payload),
  };
}

/** The model's report of the outcome does not count as a result of the run. */
function withEnded(
  { ended, declaredOutcome }: RunState,
  action: OpenAction,
  payload: ToolEnd,
): Partial<RunState> {
  if (payload.name === reportOutcomeName)
    return { declaredOutcome: declaredIn(action.input) ?? declaredOutcome };
  const one = {
    tool: payload.name,
    step: action.step,
    outcome: payload.outcome,
    ...notDoneReasonOf(action, payload),
    isReused: payload.reused !== undefined,
    ...omitUndefined({ notDone: notDoneOf(payload) }),
    ...sentBy(payload.output),
  };
  return { ended: [...ended, one] };
}

function notDoneReasonOf(
  { effect }: OpenAction,
  { outcome, unproposed }: ToolEnd,
): Pick<EndedAction, "notDoneReason"> {
  if (outcome === "completed") return {};
  if (effect?.approval?.reply !== undefined) return { notDoneReason: "replied" };
  if (outcome === "failed")
    return effect ? { notDoneReason: "failed" } : unproposed ? { notDoneReason: "unproposed" } : {};
  return outcome === "canceled" && !effect ? {} : { notDoneReason: "denied" };
}

/**
 * Extracts the message id and time that tools report when they send something. The summary card
 * shows them.
 */
function sentBy(output: JsonValue | undefined): Pick<EndedAction, "sent"> {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return {};
  const { sentMessageId, sentAt } = output;
  if (typeof sentMessageId !== "string") return {};
  return { sent: { sentMessageId, ...(typeof sentAt === "string" ? { sentAt } : {}) } };
}

export function withEffect(state: RunState, payload: EffectPayload, at: number): RunState {
  // The owner's undo may come after the end of the action, in a run that is ending.
  if (payload.undone && !state.open.has(payload.actionId)) return state;
  const { edit, ...action } = openAction(state, payload.actionId);
  const before = payload.effectId === action.effect?.id ? action.effect : undefined;
  if (payload.state === "superseded" && before?.approval?.edit)
    return withAction(state, toBeEdited(action, before, before.approval.edit));
  const effect = {
    id: payload.effectId,
    state: payload.state,
    digest: payload.digest,
    prepared: payload.prepared ?? before?.prepared ?? null,
    formVersion: payload.formVersion ?? before?.formVersion,
    preview: payload.preview ?? before?.preview ?? "",
    reasons: payload.reasons ?? before?.reasons ?? [],
    typed: payload.typed ?? before?.typed ?? "",
    changes: before?.changes ?? { ...edit?.earlierChanges, ...edit?.changes },
    reads: payload.reads ?? before?.reads,
    deadline: payload.deadlineMs === undefined ? (before?.deadline ?? 0) : at + payload.deadlineMs,
    retryAt: payload.retryAt ?? 0,
    undoUntil: payload.undoUntil ?? before?.undoUntil ?? 0,
    isUndone: payload.undone ?? before?.isUndone ?? false,
    // `looks` and `evidence` belong to one attempt. The next attempt starts without them.
    looks: payload.look ?? (payload.attempt === undefined ? (before?.looks ?? 0) : 0),
    ...(payload.evidence !== undefined
      ? { evidence: payload.evidence }
      : payload.attempt === undefined && before?.evidence !== undefined
        ? { evidence: before.evidence }
        : {}),
    // The attempt uses up the approval in the same append.
    ...(before?.approval
      ? {
          approval:
            payload.state === "attempting"
              ? { ...before.approval, state: "used" as const }
              : before.approval,
        }
      : {}),
  };
  // A retry leaves the action waiting for its next attempt.
  const actionState = payload.state === "approved" ? "planned" : action.state;
  return withAction(state, { ...action, state: actionState, effect });
}

/**
 * Drops the edited effect, which is closed in the ledger. The action now waits for its replacement.
 */
function toBeEdited(
  { effect: _, ...action }: OpenAction,
  { prepared, formVersion, preview, typed, changes: earlierChanges, reads, approval }: OpenEffect,
  changes: JsonObject,
): OpenAction {
  const isByProgram = approval?.program !== undefined;
  const edit = {
    prepared,
    formVersion,
    preview,
    typed,
    reads,
    changes,
    earlierChanges,
    isByProgram,
  };
  return { ...action, state: "planned", edit };
}

export function withApproval(state: RunState, payload: ApprovalPayload): RunState {
  const action = state.open.get(payload.actionId);
  if (!action?.effect) return state;
  const { reply, context, program } = payload;
  const approval: OpenApproval = {
    id: payload.approvalId,
    state: payload.state,
    reason: payload.reason ?? "",
    expiresAt:
      payload.expiresAt === undefined
        ? (action.effect.approval?.expiresAt ?? 0)
        : Date.parse(payload.expiresAt),
    undoUntil: payload.undoUntil ?? 0,
    reopenUntil: payload.reopenUntil ?? 0,
    undone: payload.undone ?? false,
    ...omitUndefined({ reply, edit: payload.edit, program }),
  };
  return withAction(
    reply === undefined
      ? state
      : withPending(state, { content: reply, ...omitUndefined({ context, program }) }),
    {
      ...action,
      state: "awaiting_confirmation",
      effect: { ...action.effect, approval },
    },
  );
}

/** Keeps what the owner said until the model can get it. */
export function withPending(state: RunState, message: PendingUserMessage): RunState {
  return { ...state, pendingUserMessages: [...state.pendingUserMessages, message] };
}

export function withQuestion(state: RunState, payload: QuestionPayload, at: number): RunState {
  const action = state.open.get(payload.actionId);
  if (!action) return state;
  const { typed, choice, context, program } = payload;
  const { schema = action.question?.schema, default: byDefault = action.question?.default } =
    payload;
  const question = {
    id: payload.questionId,
    state: payload.state,
    ...omitUndefined({ schema, default: byDefault, typed, choice, context, program }),
  };
  const words =
    typed === undefined || program !== undefined
      ? {}
      : { labels: withOwnerWords(state.labels, typed), newWordsAt: at };
  // The answer to a question of a running call is not the result of the action.
  const actionState = action.state === "executing" ? "executing" : "awaiting_confirmation";
  return withAction({ ...state, ...words }, { ...action, state: actionState, question });
}

export function withClientAction(state: RunState, payload: ClientActionPayload): RunState {
  const action = state.open.get(payload.actionId);
  if (!action) return state;
  const before = action.client;
  const { program = before?.program ?? "", ifExpired = before?.ifExpired ?? "unknown" } = payload;
  const client = {
    state: payload.state,
    program,
    ifExpired,
    isTaken: payload.state === "taken" || before?.isTaken === true,
    ...omitUndefined({ result: payload.result, error: payload.error }),
  };
  return withAction(state, { ...action, client });
}

/** Tools know an attached file by its digest. */
function withReadFiles(
  { files, readFiles }: RunState,
  { input }: OpenAction,
  { outcome }: ToolEnd,
): ReadonlySet<string> {
  if (files.length === 0 || outcome !== "completed") return readFiles;
  const text = JSON.stringify(input);
  const used = files.flatMap(({ digest }) => (text.includes(digest) ? [digest] : []));
  return used.length === 0 ? readFiles : new Set([...readFiles, ...used]);
}

/** A skill that was read may leave the run fewer tools. */
function withReadSkill(
  { skillSet, skillTools }: RunState,
  { tool, input }: OpenAction,
  { outcome }: ToolEnd,
): ReadonlySet<string> | undefined {
  if (tool !== skillReadName || outcome !== "completed") return skillTools;
  const name = isObject(input) ? input["skill"] : undefined;
  return typeof name === "string" ? narrowedTools(skillTools, skillSet?.get(name)) : skillTools;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds a result, if it is that of a page. */
function withPage(
  pages: ReadonlyMap<string, ToolEnd>,
  { tool, input }: Pick<OpenAction, "tool" | "input">,
  end: ToolEnd,
): ReadonlyMap<string, ToolEnd> {
  const isPage = end.outcome === "completed" && end.label?.origin === "web";
  return isPage ? new Map(pages).set(pageKey(tool, input), end) : pages;
}
