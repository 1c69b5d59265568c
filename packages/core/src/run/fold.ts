import type { LanguageModelV4Message } from "@ai-sdk/provider";
import {
  omitUndefined,
  isTerminal,
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
import { withAttached, withCalls, withResult, withWords } from "../policy/run-labels.ts";
import type {
  Child,
  EndedAction,
  OpenAction,
  OpenApproval,
  OpenEffect,
  RunState,
} from "./run-state.ts";

/** `at`: when the event was committed, epoch milliseconds by the database's clock. */
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
        : withAnswer(state, event.payload);
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

/** What a run hands over to a part of itself is its own words; whose they were before, its labels say. */
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
  // The end stays the end: word of it may come twice, or after the word that somebody waits.
  const isOver = before !== undefined && isTerminal(before.status);
  const child: Child = isOver
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
    { ...state, pendingUserMessages, labels: withWords(state.labels, words) },
    userMessage(words),
  );
}

/** Its calls come with the step's end, in the same append. */
function withAnswer(state: RunState, payload: AssistantMessage): RunState {
  return {
    ...state,
    answerParts: payload.parts,
    lastText: payload.content || state.lastText,
    answered: payload.final,
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
    before.answerParts.length > 0
      ? withMessage(
          { ...before, answerParts: [] },
          assistantMessage(before.answerParts, payload.calls),
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
    throw new BronError("internal", `The log speaks of action ${actionId}, which is not open`);
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

/** Logs from before there were labels: nobody knows. */
export const unlabelled: Label = { origin: "tool", trusted: false, private: true, readers: [] };

function withToolEnd(state: RunState, payload: ToolEnd): RunState {
  const action = openAction(state, payload.actionId);
  const open = new Map(state.open);
  open.delete(action.id);
  const part = toolResultPart(action.callId, payload);
  // Results of one step share a message, whatever the order in which they end.
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
      label: payload.label ?? unlabelled,
      value: payload.output ?? payload.error?.message ?? null,
    }),
    ended: [
      ...state.ended,
      {
        tool: payload.name,
        step: action.step,
        outcome: payload.outcome,
        ...unmadeBy(action, payload),
        isReused: payload.reused !== undefined,
        ...(payload.error ? { error: payload.error } : {}),
        ...sentBy(payload.output),
      },
    ],
  };
}

function unmadeBy(
  { effect }: OpenAction,
  { outcome, unproposed }: ToolEnd,
): Pick<EndedAction, "unmade"> {
  if (outcome === "completed") return {};
  if (effect?.approval?.answer !== undefined) return { unmade: "answered" };
  if (outcome === "failed")
    return effect ? { unmade: "failed" } : unproposed ? { unmade: "unproposed" } : {};
  return outcome === "canceled" && !effect ? {} : { unmade: "declined" };
}

/** What the run's card names: tools that send say under which id and when. */
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
    // Both are about one attempt: the next one begins without them.
    looks: payload.look ?? (payload.attempt === undefined ? (before?.looks ?? 0) : 0),
    ...(payload.evidence !== undefined
      ? { evidence: payload.evidence }
      : payload.attempt === undefined && before?.evidence !== undefined
        ? { evidence: before.evidence }
        : {}),
    // The attempt uses the approval up, in the same append.
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

/** The ledger is done with the effect that was edited; the action waits for the one that takes its place. */
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
    ...omitUndefined({ answer: payload.answer, edit: payload.edit }),
  };
  const pendingUserMessages =
    payload.answer === undefined
      ? state.pendingUserMessages
      : [...state.pendingUserMessages, payload.answer];
  return withAction(
    { ...state, pendingUserMessages },
    { ...action, state: "awaiting_confirmation", effect: { ...action.effect, approval } },
  );
}
