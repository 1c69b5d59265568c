import type { LanguageModelV4Message } from "@ai-sdk/provider";
import {
  omitUndefined,
  isTerminal,
  withoutReport,
  uploadKind,
  type AssistantMessage,
  type ChildRun,
  type NewEvent,
  type StepEnd,
  type StepStart,
  type SummaryPayload,
  type ToolSetPayload,
  type UsagePayload,
  type UserMessage,
} from "@bron/protocol";
import { attachedFilesNote, type AttachedFile } from "../../context/attached-files.ts";
import { assistantMessage, byteLength, userMessage } from "../../context/model-messages.ts";
import { unreachable } from "../../errors.ts";
import { filePart, withAttached, withContext, withOwnerWords } from "../../policy/run-labels.ts";
import {
  withApproval,
  withAuthNeeded,
  withClientAction,
  withConnected,
  withEffect,
  withPending,
  withQuestion,
  withToolEnd,
  withToolStart,
} from "./fold-action.ts";
import {
  failedAttemptsAfter,
  retryOf,
  withAuxiliaryCall,
  withAuxiliaryUsage,
} from "./fold-auxiliary-call.ts";
import type { Child, OpenAction, RunState } from "./run-state.ts";

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
        kind: event.payload.kind ?? state.kind,
        chosenModel: event.payload.model ?? state.chosenModel,
        allowedTools: event.payload.allowedTools
          ? new Set(event.payload.allowedTools)
          : state.allowedTools,
      };
    case "message":
      return event.payload.role === "user"
        ? withUserMessage(state, event.payload)
        : withAssistantMessage(state, event.payload);
    case "tool_set":
      return withToolSet(state, event.payload);
    case "skill_set":
      return { ...state, skillSet: new Map(Object.entries(event.payload.skills)) };
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
    case "question":
      return withQuestion(state, event.payload, at);
    case "client_action":
      return withClientAction(state, event.payload);
    case "owner_message": {
      const { by: _, ...message } = event.payload;
      const said = withPending(state, message);
      return message.program === undefined ? { ...said, newWordsAt: at } : said;
    }
    case "artifact":
      return event.payload.kind === uploadKind ? withFile(state, event.payload) : state;
    case "child_run":
      return withChild(state, event.payload);
    case "auxiliary_call":
      return withAuxiliaryCall(state, event.payload, at);
    case "summary":
      return event.payload.of === "run" ? withCheckpoint(state, event.payload) : state;
    case "log":
    case "ui":
    // The row of the run has it, because claims need it before the log is read.
    case "place":
    // For the owner. Effects are judged by the output of the auxiliary call.
    case "intent":
      return state;
    default:
      return unreachable(event);
  }
}

function withCheckpoint(
  state: RunState,
  { of: _, ...checkpoint }: Extract<SummaryPayload, { of: "run" }>,
): RunState {
  return { ...state, checkpoint };
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
 * What a program sent, and what came with a message, is not the owner's.
 */
function withUserMessage(state: RunState, message: UserMessage): RunState {
  const { context, from } = message;
  const shown = withMessage(state, userMessage(message.content, message));
  const heard = from === "parent" ? shown : withUserWords(shown, message);
  return context ? { ...heard, labels: withContext(heard.labels, "pasted", [...context]) } : heard;
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
        ...omitUndefined({ error, insteadOf: replaced }),
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

function withUserWords(state: RunState, message: UserMessage): RunState {
  const { content, program } = message;
  const [first, ...others] = state.pendingUserMessages;
  const isPending = first?.content === content;
  // A reply to an approval is often a refusal, such as "Never write to mallory@evil.example". So
  // the addresses in it do not count as named by the owner.
  const isReply = isPending && first.messageId === undefined;
  return {
    ...state,
    pendingUserMessages: isPending ? others : state.pendingUserMessages,
    labels:
      program === undefined
        ? isReply
          ? state.labels
          : withOwnerWords(state.labels, content, message)
        : withContext(state.labels, "program", content),
    hasFinalMessage: false,
    declaredOutcome: undefined,
  };
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

function withToolSet(state: RunState, { tools, aliases = {} }: ToolSetPayload): RunState {
  const modelNames = new Map(state.modelNames);
  for (const name of Object.keys(tools)) modelNames.set(name, aliases[name] ?? name);
  return { ...state, toolSet: new Map(Object.entries(tools)), modelNames };
}

function withStepStart(state: RunState, payload: StepStart): RunState {
  const { step, attempt, model, reservedMicrousd, activeMs, files = [] } = payload;
  return {
    ...withShownFiles(state, files),
    status: "planning",
    step,
    lastModel: model,
    openStep: { step, attempt, model, reservedMicrousd, hasFiles: files.length > 0 },
    retry: undefined,
    modelFailure: undefined,
    failedAttempts: step === state.step ? state.failedAttempts : 0,
    activeMs,
  };
}

/** The model reads these files itself, so that no tool labels what is in them. */
function withShownFiles(state: RunState, digests: readonly string[]): RunState {
  const added = state.files.filter(
    ({ digest }) => digests.includes(digest) && !state.shownFiles.has(digest),
  );
  if (added.length === 0) return state;
  return {
    ...state,
    shownFiles: new Set([...state.shownFiles, ...added.map(({ digest }) => digest)]),
    labels: added.reduce(
      (labels, { name: filename, digest }) =>
        withContext(labels, "attached", { filename, digest }, [filePart({ filename, digest })]),
      state.labels,
    ),
  };
}

function withStepEnd(before: RunState, payload: StepEnd): RunState {
  const state =
    before.openMessageParts.length > 0
      ? withMessage(
          { ...before, openMessageParts: [] },
          assistantMessage(before.openMessageParts, payload.calls, before.modelNames),
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
      ...omitUndefined({ toolDigest: state.toolSet?.get(call.tool) }),
    });
    names.set(call.tool, (names.get(call.tool) ?? 0) + 1);
  }
  return {
    ...state,
    open,
    openStep: undefined,
    toolCalls: state.toolCalls + withoutReport(payload.calls).length,
    toolCallNames: names,
  };
}

function withUsage(state: RunState, payload: UsagePayload): RunState {
  if (payload.auxiliaryCallId !== undefined) return withAuxiliaryUsage(state, payload);
  const spent = { spentMicrousd: state.spentMicrousd + payload.costMicrousd };
  if (payload.outcome === "settled") return { ...state, ...spent, failedAttempts: 0 };
  return {
    ...state,
    ...spent,
    openStep: undefined,
    hidesFiles: state.hidesFiles || payload.withoutFiles === true,
    failedAttempts: failedAttemptsAfter(state.failedAttempts, payload),
    retry: retryOf(payload),
    modelFailure: payload.retryAt === undefined ? payload.error : undefined,
  };
}
