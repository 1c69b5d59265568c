import type { LanguageModelV4Message } from "@ai-sdk/provider";
import {
  omitUndefined,
  isTerminal,
  notDoneOf,
  uploadKind,
  type ApprovalPayload,
  type AssistantMessage,
  type ChildRun,
  type EffectPayload,
  type JsonObject,
  type JsonValue,
  type Label,
  type NewEvent,
  type StepEnd,
  type StepStart,
  type ToolEnd,
  type ToolStart,
  type UsagePayload,
  type UserMessage,
} from "@bron/protocol";
import { attachedFilesNote, type AttachedFile } from "../context/attached-files.ts";
import {
  assistantMessage,
  byteLength,
  toolResultPart,
  userMessage,
} from "../context/model-messages.ts";
import { BronError, unreachable } from "../errors.ts";
import { withAttached, withCalls, withResult, withOwnerWords } from "../policy/run-labels.ts";
import type {
  Child,
  EndedAction,
  OpenAction,
  OpenApproval,
  OpenEffect,
  RunState,
} from "./run-state.ts";

/** Applies one event. `at` is the commit time in epoch milliseconds by the database's clock. */
export function fold(state: RunState, event: NewEvent, at: number): RunState {
  return { ...apply(state, event, at), seq: state.seq + 1 };
}

function apply(state: RunState, event: NewEvent, at: number): RunState {
  switch (event.type) {
    case "status":
      return {
        ...state,
        status: event.payload.status,
        activeMs: event.payload.activeMs ?? state.activeMs,
        retryOf: event.payload.retry ?? state.retryOf,
        parentRunId: event.payload.parentRunId ?? state.parentRunId,
      };
    case "message":
      return event.payload.role === "user"
        ? withUserMessage(state, event.payload)
        : withAssistantMessage(state, event.payload);
    case "step":
      return event.payload.phase === "start"
        ? withStepStart(state, event.payload)
        : withStepEnd(state, event.payload);
    case "usage":
      return withUsage(state, event.payload);
    case "tool":
      return event.payload.phase === "start"
        ? withToolStart(state, event.payload)
        : withToolEnd(state, event.payload);
    case "effect":
      return withEffect(state, event.payload, at);
    case "approval":
      return withApproval(state, event.payload);
    case "auth":
      return event.payload.state === "needed"
        ? withAuthNeeded(state, event.payload)
        : withConnected(state, event.payload.provider);
    case "cancel":
      return { ...state, cancelRequested: true };
    case "artifact":
      return event.payload.kind === uploadKind ? withFile(state, event.payload) : state;
    case "child_run":
      return withChild(state, event.payload);
    case "log":
    case "ui":
      return state;
    default:
      return unreachable(event);
  }
}

function withMessage(state: RunState, message: LanguageModelV4Message): RunState {
  return {
    ...state,
    messages: [...state.messages, message],
    messageBytes: state.messageBytes + byteLength(message),
  };
}

function withFile(state: RunState, { name, mediaType, sizeBytes, digest }: AttachedFile): RunState {
  const files = [...state.files, { name, mediaType, sizeBytes, digest }];
  const moreBytes =
    byteLength(attachedFilesNote(files)) - byteLength(attachedFilesNote(state.files));
  return {
    ...state,
    files,
    messageBytes: state.messageBytes + moreBytes,
    labels: withAttached(state.labels, { filename: name, digest }),
  };
}

/**
 * A task from a parent run is the parent's text. The parent's labels say whether it can be trusted.
 */
function withUserMessage(state: RunState, { content, from }: UserMessage): RunState {
  return from === "parent"
    ? withMessage(state, userMessage(content))
    : withUserWords(state, content);
}

function withChild(
  state: RunState,
  { childRunId, title, status, error, notDone = 0, failureMode, insteadOf, actionId }: ChildRun,
): RunState {
  const before = state.children.get(childRunId);
  const replaced = insteadOf ?? before?.insteadOf;
  // A final status never changes. It may arrive twice, or after the event that a parent waits.
  const hasFinished = before !== undefined && isTerminal(before.status);
  const child: Child = hasFinished
    ? before
    : {
        title,
        status,
        notDone,
        failureMode: failureMode ?? before?.failureMode ?? "best_effort",
        ...(error ? { error } : {}),
        ...omitUndefined({ insteadOf: replaced }),
      };
  const children = new Map(state.children).set(childRunId, child);
  const open = [...state.open.values()].map((action): OpenAction => {
    const { awaits, ...rest } = action;
    if (isTerminal(child.status))
      return action.id === actionId
        ? { ...rest, state: "planned" }
        : awaits === childRunId
          ? rest
          : action;
    return action.id === actionId ? { ...rest, state: "planned", awaits: childRunId } : action;
  });
  return { ...state, children, open: new Map(open.map((action) => [action.id, action])) };
}

function withUserWords(state: RunState, words: string): RunState {
  const pendingUserMessages =
    state.pendingUserMessages[0] === words
      ? state.pendingUserMessages.slice(1)
      : state.pendingUserMessages;
  return withMessage(
    { ...state, pendingUserMessages, labels: withOwnerWords(state.labels, words) },
    userMessage(words),
  );
}

/** The calls come with the step's end, in the same append. */
function withAssistantMessage(state: RunState, payload: AssistantMessage): RunState {
  return {
    ...state,
    openMessageParts: payload.parts,
    lastText: payload.content || state.lastText,
    hasFinalMessage: payload.final,
  };
}

function withStepStart(state: RunState, payload: StepStart): RunState {
  const { step, attempt, model, reservedMicrousd, activeMs } = payload;
  return {
    ...state,
    status: "planning",
    step,
    openStep: { step, attempt, model, reservedMicrousd },
    retry: undefined,
    modelFailure: undefined,
    failedAttempts: step === state.step ? state.failedAttempts : 0,
    activeMs,
  };
}

function withStepEnd(before: RunState, payload: StepEnd): RunState {
  const state =
    before.openMessageParts.length > 0
      ? withMessage(
          { ...before, openMessageParts: [] },
          assistantMessage(before.openMessageParts, payload.calls),
        )
      : before;
  const open = new Map(state.open);
  const names = new Map(state.toolCallNames);
  for (const call of payload.calls) {
    open.set(call.actionId, {
      id: call.actionId,
      callId: call.callId,
      step: payload.step,
      tool: call.tool,
      input: call.input,
      state: "planned",
      attempts: 0,
    });
    names.set(call.tool, (names.get(call.tool) ?? 0) + 1);
  }
  return {
    ...state,
    open,
    openStep: undefined,
    labels: withCalls(state.labels, payload.calls),
    toolCalls: state.toolCalls + payload.calls.length,
    toolCallNames: names,
  };
}

function withUsage(state: RunState, payload: UsagePayload): RunState {
  const spent = { spentMicrousd: state.spentMicrousd + payload.costMicrousd };
  if (payload.outcome === "settled") return { ...state, ...spent, failedAttempts: 0 };
  return {
    ...state,
    ...spent,
    openStep: undefined,
    failedAttempts: state.failedAttempts + (payload.interrupted ? 0 : 1),
    retry:
      payload.retryAt === undefined
        ? undefined
        : { attempt: payload.attempt + 1, notBefore: payload.retryAt },
    modelFailure: payload.retryAt === undefined ? payload.error : undefined,
  };
}

function openAction(state: RunState, actionId: string): OpenAction {
  const action = state.open.get(actionId);
  if (!action)
    throw new BronError("internal", `The log refers to action ${actionId}, which is not open`);
  return action;
}

function withAction(state: RunState, action: OpenAction): RunState {
  return { ...state, open: new Map(state.open).set(action.id, action) };
}

function withToolStart(state: RunState, payload: ToolStart): RunState {
  const action = openAction(state, payload.actionId);
  const { reconnected: _, ...rest } = action;
  return {
    ...withAction(state, { ...rest, state: "executing", attempts: payload.attempt }),
    status: "executing",
  };
}

function withAuthNeeded(
  state: RunState,
  { actionId, provider }: { actionId: string; provider: string },
): RunState {
  const { reconnected: _, ...action } = openAction(state, actionId);
  return withAction(state, { ...action, state: "planned", needsAuth: provider });
}

function withConnected(state: RunState, provider: string): RunState {
  const open = [...state.open.values()].map((action): OpenAction => {
    const { needsAuth, ...rest } = action;
    if (needsAuth === provider) return rest;
    return { ...action, reconnected: provider };
  });
  return { ...state, open: new Map(open.map((action) => [action.id, action])) };
}

/**
 * For results in logs that predate labels. Their origin is unknown, so they count as untrusted and
 * private.
 */
export const unlabeled: Label = { origin: "tool", trusted: false, private: true, readers: [] };

function withToolEnd(state: RunState, payload: ToolEnd): RunState {
  const action = openAction(state, payload.actionId);
  const open = new Map(state.open);
  open.delete(action.id);
  const part = toolResultPart(action.callId, payload);
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
    labels: withResult(state.labels, {
      tool: payload.name,
      actionId: action.id,
      label: payload.label ?? unlabeled,
      value: payload.output ?? payload.error?.message ?? null,
    }),
    ended: [
      ...state.ended,
      {
        tool: payload.name,
        step: action.step,
        outcome: payload.outcome,
        ...notDoneReasonOf(action, payload),
        isReused: payload.reused !== undefined,
        ...omitUndefined({ notDone: notDoneOf(payload) }),
        ...sentBy(payload.output),
      },
    ],
  };
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

function withEffect(state: RunState, payload: EffectPayload, at: number): RunState {
  const { edit: _, ...action } = openAction(state, payload.actionId);
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
    deadline: payload.deadlineMs === undefined ? (before?.deadline ?? 0) : at + payload.deadlineMs,
    retryAt: payload.retryAt ?? 0,
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
  { prepared, formVersion, preview, typed }: OpenEffect,
  changes: JsonObject,
): OpenAction {
  return { ...action, state: "planned", edit: { prepared, formVersion, preview, typed, changes } };
}

function withApproval(state: RunState, payload: ApprovalPayload): RunState {
  const action = state.open.get(payload.actionId);
  if (!action?.effect) return state;
  const reply = payload.reply ?? payload.answer;
  const approval: OpenApproval = {
    id: payload.approvalId,
    state: payload.state === "requested" ? "pending" : payload.state,
    reason: payload.reason ?? "",
    expiresAt:
      payload.expiresAt === undefined
        ? (action.effect.approval?.expiresAt ?? 0)
        : Date.parse(payload.expiresAt),
    undoUntil: payload.undoUntil ?? 0,
    undone: payload.undone ?? false,
    ...omitUndefined({ reply, edit: payload.edit }),
  };
  const pendingUserMessages =
    reply === undefined ? state.pendingUserMessages : [...state.pendingUserMessages, reply];
  return withAction(
    { ...state, pendingUserMessages },
    { ...action, state: "awaiting_confirmation", effect: { ...action.effect, approval } },
  );
}
