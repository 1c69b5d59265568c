import {
  omitUndefined,
  reportOutcomeName,
  resultIn,
  withoutReport,
  type ActionError,
  type ActionState,
  type ApprovalPayload,
  type ApprovalState,
  type CardLine,
  type ClientActionPayload,
  type ClientActionState,
  type EffectGroup,
  type FieldDiff,
  type EffectPayload,
  type EffectState,
  type EventPayloads,
  type Failure,
  type JsonValue,
  type NewEvent,
  type Place,
  type PolicyReason,
  type AnswerSchema,
  type QuestionPayload,
  type QuestionState,
  type Risk,
  type RunResult,
  type RunStatus,
  type SummaryPayload,
  type ToolEnd,
  type WrittenThing,
} from "@bron/protocol";
import { contextNote } from "../../context/context-note.ts";
import { approvalLine, cardLine } from "./card-line.ts";

/**
 * Changes that a batch of events makes to the query tables. Stores write them in the same
 * transaction as the events. Each row appears once, however many events concern it.
 */
export interface Projection {
  readonly run: Partial<RunResult> & {
    status?: RunStatus;
    summary?: string;
    error?: Failure;
    cancelRequested?: true;
    place?: Place | null;
    /** The newest card. */
    card?: CardLine;
    /** Tokens that this batch adds. */
    inputTokens?: number;
    cachedInputTokens?: number;
    outputTokens?: number;
    /** The number of started steps. */
    steps?: number;
  };
  readonly newActions: NewActionRow[];
  readonly actions: ActionChange[];
  readonly newEffects: NewEffectRow[];
  readonly effects: EffectChange[];
  readonly newApprovals: NewApprovalRow[];
  readonly approvals: ApprovalChange[];
  readonly newQuestions: NewQuestionRow[];
  readonly questions: QuestionChange[];
  readonly newClientActions: NewClientActionRow[];
  readonly clientActions: ClientActionChange[];
  readonly written: WrittenRow[];
  readonly messages: {
    role: "user" | "assistant";
    content: string;
    trusted: boolean;
    asTyped?: true;
  }[];
  readonly artifacts: EventPayloads["artifact"][];
  readonly memorySummaries: Pick<SummaryOf<"memory">, "text" | "version">[];
  readonly threadSummaries: Pick<SummaryOf<"conversation">, "text" | "upTo" | "trusted">[];
}

type SummaryOf<Of extends SummaryPayload["of"]> = Extract<SummaryPayload, { of: Of }>;

interface ActionChange {
  id: string;
  state: ActionState;
  error?: ActionError;
}

interface NewActionRow extends ActionChange {
  step: number;
  callId: string;
  tool: string;
}

interface EffectChange {
  id: string;
  state: EffectState;
  attempts?: number;
  deadlineMs?: number;
  outcome?: JsonValue;
  error?: ActionError;
  /** Epoch milliseconds. */
  undoUntil?: number;
}

interface NewEffectRow extends EffectChange {
  actionId: string;
  tool: string;
  digest: string;
  prepared: JsonValue;
}

interface WrittenRow extends WrittenThing {
  trusted: boolean;
}

interface ApprovalChange {
  id: string;
  state: ApprovalState;
  decisionReason?: string;
}

interface NewApprovalRow extends ApprovalChange {
  actionId: string;
  effectId: string;
  tool: string;
  digest: string;
  reasons: readonly PolicyReason[];
  preview: string;
  expiresAt: string;
  kind: EffectGroup | null;
  risks: readonly Risk[];
  diff: readonly FieldDiff[];
}

interface QuestionChange {
  id: string;
  state: QuestionState;
  answer?: string;
}

interface NewQuestionRow extends QuestionChange {
  actionId: string;
  text: string;
  choices: readonly string[];
  schema: AnswerSchema | null;
  default: string | null;
  expiresAt: string;
}

interface ClientActionChange {
  id: string;
  state: ClientActionState;
  takenBy?: string;
}

interface NewClientActionRow extends ClientActionChange {
  tool: string;
  program: string;
  input: JsonValue;
  secretHash: string;
  expiresAt: string;
}

export function project(events: readonly NewEvent[]): Projection {
  const projection: Projection = {
    run: {},
    newActions: [],
    actions: [],
    newEffects: [],
    effects: [],
    newApprovals: [],
    approvals: [],
    newQuestions: [],
    questions: [],
    newClientActions: [],
    clientActions: [],
    written: [],
    messages: [],
    artifacts: [],
    memorySummaries: [],
    threadSummaries: [],
  };
  for (const event of events) projectEvent(projection, event);
  return projection;
}

function projectEvent(projection: Projection, event: NewEvent): void {
  switch (event.type) {
    case "status":
      return projectStatus(projection, event.payload);
    case "message":
      return projectMessage(projection, event.payload);
    case "step":
      if (event.payload.phase === "start") {
        projection.run.status = "planning";
        projection.run.steps = event.payload.step;
      } else
        for (const { actionId, callId, tool } of withoutReport(event.payload.calls))
          projection.newActions.push({
            id: actionId,
            callId,
            tool,
            step: event.payload.step,
            state: "planned",
          });
      return;
    case "tool":
      if (event.payload.name === reportOutcomeName) return;
      if (event.payload.phase === "end") return projectToolEnd(projection, event.payload);
      projection.run.status = "executing";
      return change<ActionChange>(projection.newActions, projection.actions, {
        id: event.payload.actionId,
        state: "executing",
      });
    case "effect":
      return projectEffect(projection, event.payload);
    case "approval":
      return projectApproval(projection, event.payload);
    case "question":
      return projectQuestion(projection, event.payload);
    case "client_action":
      return projectClientAction(projection, event.payload);
    case "artifact":
      projection.artifacts.push(event.payload);
      return;
    case "auth":
      if (event.payload.state === "needed")
        change<ActionChange>(projection.newActions, projection.actions, {
          id: event.payload.actionId,
          state: "planned",
        });
      return;
    case "place":
      projection.run.place = event.payload.place;
      return;
    case "cancel":
      projection.run.cancelRequested = true;
      return;
    case "ui":
      // The approval, which precedes its card, has set the line.
      if (event.payload.kind !== "ApprovalCard") projection.run.card = cardLine(event.payload);
      return;
    case "usage":
      return projectUsage(projection, event.payload);
    case "log":
    case "auxiliary_call":
    case "tool_set":
    case "skill_set":
    case "child_run":
    case "owner_message":
    case "intent":
      return;
    case "summary":
      return projectSummary(projection, event.payload);
  }
}

function projectMessage({ run, messages }: Projection, message: EventPayloads["message"]): void {
  const { role, content } = message;
  if (role === "assistant" && !message.final) return;
  const isOwner = role === "user" && message.from === undefined && message.program === undefined;
  const asTyped = isOwner ? message.asTyped : undefined;
  const trusted = isOwner || message.trusted === true;
  messages.push({ role, content, trusted, ...omitUndefined({ asTyped }) });
  if (role === "assistant") run.summary = content;
  else if (message.context)
    messages.push({ role, content: contextNote(message.context), trusted: false });
}

function projectSummary(
  { memorySummaries, threadSummaries }: Projection,
  summary: SummaryPayload,
): void {
  if (summary.of === "memory") {
    const { text, version } = summary;
    memorySummaries.push({ text, version });
  } else if (summary.of === "conversation") {
    const { text, upTo, trusted } = summary;
    threadSummaries.push({ text, upTo, trusted });
  }
}

function projectUsage(
  { run }: Projection,
  { inputTokens, cachedInputTokens = 0, outputTokens }: EventPayloads["usage"],
): void {
  run.inputTokens = (run.inputTokens ?? 0) + Math.round(inputTokens);
  run.cachedInputTokens = (run.cachedInputTokens ?? 0) + Math.round(cachedInputTokens);
  run.outputTokens = (run.outputTokens ?? 0) + Math.round(outputTokens);
}

function projectStatus(projection: Projection, payload: EventPayloads["status"]): void {
  projection.run.status = payload.status;
  Object.assign(projection.run, resultIn(payload));
  const { code, why, message } = payload;
  if (code) projection.run.error = { code, ...omitUndefined({ why, message }) };
}

function projectToolEnd(projection: Projection, { actionId, outcome, error }: ToolEnd): void {
  change<ActionChange>(projection.newActions, projection.actions, {
    id: actionId,
    state: outcome,
    ...omitUndefined({ error }),
  });
}

function projectEffect(projection: Projection, payload: EffectPayload): void {
  const {
    effectId: id,
    actionId,
    tool,
    state,
    digest,
    attempt,
    deadlineMs,
    undoUntil,
    outcome,
    error,
  } = payload;
  const row: EffectChange = {
    id,
    state,
    ...omitUndefined({ attempts: attempt, deadlineMs, outcome, undoUntil, error }),
  };
  const { things = [], trusted = false } = payload.wrote ?? {};
  projection.written.push(...things.map((thing) => ({ ...thing, trusted })));
  // Only the first event about an effect carries the prepared form.
  if (payload.prepared === undefined)
    change<EffectChange>(projection.newEffects, projection.effects, row);
  else projection.newEffects.push({ ...row, actionId, tool, digest, prepared: payload.prepared });
  // An attempt that will be repeated, or an edited effect that must be prepared again, leaves its
  // action waiting.
  if ((state === "approved" || state === "superseded") && payload.prepared === undefined)
    change<ActionChange>(projection.newActions, projection.actions, {
      id: actionId,
      state: "planned",
    });
}

function projectApproval(projection: Projection, payload: ApprovalPayload): void {
  const { approvalId: id, actionId, effectId, tool, digest, state } = payload;
  // The store has changed its row when it took the decision back.
  if (payload.reopened) return;
  if (state === "pending") {
    projection.run.card = approvalLine(payload);
    projection.newApprovals.push({
      id,
      state: "pending",
      actionId,
      effectId,
      tool,
      digest,
      reasons: payload.reasons ?? [],
      preview: payload.preview ?? "",
      expiresAt: payload.expiresAt ?? "",
      kind: payload.kind ?? null,
      risks: payload.risks ?? [],
      diff: payload.diff ?? [],
    });
    change<ActionChange>(projection.newActions, projection.actions, {
      id: actionId,
      state: "awaiting_confirmation",
    });
  } else {
    change<ApprovalChange>(projection.newApprovals, projection.approvals, {
      id,
      state,
      ...omitUndefined({ decisionReason: payload.reason }),
    });
  }
}

function projectQuestion(projection: Projection, payload: QuestionPayload): void {
  const { questionId: id, actionId, state, typed, choice } = payload;
  if (state === "pending") {
    const { text = "", choices = [], schema = null, expiresAt = "" } = payload;
    const byDefault = payload.default ?? null;
    const row = { id, actionId, state, text, choices, schema, default: byDefault, expiresAt };
    projection.newQuestions.push(row);
    if (payload.duringCall) return;
    change<ActionChange>(projection.newActions, projection.actions, {
      id: actionId,
      state: "awaiting_confirmation",
    });
  } else {
    change<QuestionChange>(projection.newQuestions, projection.questions, {
      id,
      state,
      ...omitUndefined({ answer: typed ?? choice }),
    });
  }
}

function projectClientAction(projection: Projection, payload: ClientActionPayload): void {
  const { actionId: id, state, takenBy } = payload;
  if (state === "pending") {
    const { tool = "", program = "", input = null, secretHash = "", expiresAt = "" } = payload;
    projection.newClientActions.push({ id, state, tool, program, input, secretHash, expiresAt });
  } else {
    change<ClientActionChange>(projection.newClientActions, projection.clientActions, {
      id,
      state,
      ...omitUndefined({ takenBy }),
    });
  }
}

/** Updates the row that this batch creates, or else the row's single change. */
function change<Change extends { id: string }>(
  made: Change[],
  changes: Change[],
  next: Change,
): void {
  const row = made.find(({ id }) => id === next.id) ?? changes.find(({ id }) => id === next.id);
  if (row) Object.assign(row, next);
  else changes.push(next);
}
