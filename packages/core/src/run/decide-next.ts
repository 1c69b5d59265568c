import { omitUndefined } from "@bron/protocol";
import { afford, reserveMicrousd } from "../budget/reservation.ts";
import { BronError, type CodedError } from "../errors.ts";
import type { Ids } from "../ports/clock.ts";
import type { RunModel } from "../ports/model.ts";
import type { AppendRequest, RunHeader } from "../ports/run-log.ts";
import type { Tool } from "../tool/tool.ts";
import { createDraft, type Draft } from "./draft.ts";
import type { EarlierResults } from "./earlier-results.ts";
import { endAction, endEffect, endUnknown, cancelAction } from "./end-action.ts";
import { emitEnd, endingOf, stepCapOf, type Ending } from "./ending.ts";
import { flightKey, type Work, type Outcome } from "./outcome.ts";
import { record, recordLostCall } from "./record.ts";
import type { OpenAction, OpenApproval, OpenEffect, RunState } from "./run-state.ts";

export interface DecideInput {
  readonly state: RunState;
  readonly finished: readonly Outcome[];
  /** Progress lines, cards and artifacts from tools. They are written with the next append. */
  readonly outbox: readonly RunEventDraft[];
  /** Keys of the work in flight. */
  readonly inFlight: ReadonlySet<string>;
  /** The worker shuts down: record finished work and start nothing. */
  readonly shuttingDown: boolean;
  readonly facts: LoopFacts;
}

type RunEventDraft = Parameters<Draft["emit"]>[0];

export interface LoopFacts {
  readonly run: RunHeader;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly model: RunModel;
  /**
   * Request bytes besides the run's own messages: instruction, thread history and tool
   * declarations.
   */
  readonly fixedBytes: number;
  readonly approvalTtlMs: number;
  /** The database's clock. */
  readonly now: number;
  readonly activeMs: number;
  readonly drawnMicrousd: number;
  /** The database rejected a draw because the owner's cap is used up. */
  readonly budgetRefused: boolean;
  readonly random: number;
  /** True if the context before the run contains nothing untrusted. */
  readonly contextTrusted: boolean;
  /** Results of the run that this one retries. */
  readonly earlier: EarlierResults;
  /** Nothing has been appended since the claim. */
  readonly isJustClaimed: boolean;
  /** See `EndingRules`. */
  readonly giveUpError: CodedError | undefined;
  readonly ids: Ids;
}

/** What to append now, and what to start once it is written. */
export interface Move {
  readonly events: readonly RunEventDraft[];
  readonly toStart: readonly Work[];
  readonly release?: "park" | "end";
  readonly consume: readonly string[];
  readonly draw?: NonNullable<AppendRequest["draw"]>;
  readonly chargedMicrousd: number;
  /** The run is ending: abort the model call and the tools that only read. */
  readonly abort: boolean;
  /** There is nothing to do before this time, unless work in flight finishes. */
  readonly waitUntil?: number;
}

/** How often a tool may start when its worker died each time. */
const maxStarts = 3;
/**
 * How often one attempt may be reconciled when the worker died each time. The limit is higher than
 * `maxStarts` because reconciling is short and its result is worth more than another start.
 */
const maxReconcileCalls = 20;

/**
 * Makes every decision of the loop. A pure function of the log's state and of the work that has
 * finished since.
 */
export function decideNext(input: DecideInput): Move {
  const { facts, state } = input;
  const draft = createDraft(state, facts.now, facts.ids);
  const isEnding = endingOf(state, endingRules(facts)) !== undefined;
  for (const event of input.outbox) if (!isTooLate(event, draft.state())) draft.emit(event);
  for (const outcome of input.finished) {
    record(draft, outcome, {
      tools: facts.tools,
      price: facts.model.price,
      approvalTtlMs: facts.approvalTtlMs,
      random: facts.random,
      isEnding,
      contextTrusted: facts.contextTrusted,
      earlier: facts.earlier,
    });
  }
  if (input.shuttingDown)
    return {
      events: draft.events,
      toStart: [],
      consume: [],
      chargedMicrousd:
        draft.state().spentMicrousd + (draft.state().openStep?.reservedMicrousd ?? 0),
      abort: false,
    };
  const builder = createMoveBuilder(draft, facts, input.inFlight);
  const ending = endingOf(draft.state(), endingRules(facts));
  if (ending) return builder.windDown(ending);
  if (draft.state().hasFinalMessage && draft.state().open.size === 0)
    return builder.end({ outcome: "completed" });
  builder.advanceOpenActions();
  return draft.state().open.size === 0 && input.inFlight.size === 0
    ? builder.nextStep()
    : builder.move();
}

/**
 * True for evidence from a reconcile call that outlived its time limit, when the action has already
 * ended.
 */
function isTooLate(event: RunEventDraft, { open }: RunState): boolean {
  return event.type === "effect" && !open.has(event.payload.actionId);
}

function endingRules(facts: LoopFacts) {
  return {
    caps: facts.run.caps,
    tools: facts.tools,
    activeMs: facts.activeMs,
    giveUpError: facts.giveUpError,
  };
}

function createMoveBuilder(draft: Draft, facts: LoopFacts, inFlight: ReadonlySet<string>) {
  const toStart: Work[] = [];
  const consume: string[] = [];
  let draw: Move["draw"];
  let waitUntil: number | undefined;

  const wait = (until: number) => {
    waitUntil = Math.min(waitUntil ?? until, until);
  };
  const busy = (id: string) => inFlight.has(id) || toStart.some((work) => flightKey(work) === id);
  const executing = () =>
    [...draft.state().open.values()].filter(
      (action) => action.state === "executing" && busy(action.id),
    );

  /**
   * Logs that a newly claimed run only waits. Without this event the claim would count as one
   * without progress, and a few workers that die meanwhile would end the run.
   */
  const logWait = () => {
    const isIdle = toStart.length === 0 && inFlight.size === 0 && draft.events.length === 0;
    if (!facts.isJustClaimed || !isIdle || waitUntil === undefined) return;
    const interrupted = [...draft.state().open.values()].find(
      ({ state, effect }) => state === "executing" && effect !== undefined,
    );
    const seconds = Math.ceil((waitUntil - facts.now) / 1_000);
    const message = interrupted
      ? `${interrupted.tool} was interrupted. Bron will check in ${seconds} s whether it happened.`
      : `Continues in ${seconds} s.`;
    draft.emit({
      type: "log",
      payload: { level: "info", message, ...(interrupted ? { actionId: interrupted.id } : {}) },
    });
  };

  const move = (extra: Partial<Move> = {}): Move => {
    logWait();
    const { openStep, spentMicrousd, open } = draft.state();
    const idle = toStart.length === 0 && inFlight.size === 0 && waitUntil === undefined;
    if (extra.release === undefined && idle && draft.events.length === 0 && open.size === 0)
      throw new BronError("internal", "Nothing left to do, but the run has not ended");
    // Every open action waits for the owner (to decide or sign in) or for a child run, so nothing
    // is running.
    const park = extra.release === undefined && idle && open.size > 0;
    const waiting = [...open.values()];
    const childStatuses = waiting.flatMap(
      ({ awaits }) => draft.state().children.get(awaits ?? "")?.status ?? [],
    );
    const isAsked =
      waiting.some(({ state }) => state === "awaiting_confirmation") ||
      childStatuses.includes("awaiting_confirmation");
    const needsAccount =
      waiting.some(({ needsAuth }) => needsAuth !== undefined) ||
      childStatuses.includes("awaiting_auth");
    const parkedStatus = isAsked
      ? ("awaiting_confirmation" as const)
      : needsAccount
        ? ("awaiting_auth" as const)
        : ("executing" as const);
    const isNewStatus =
      draft.state().status !== parkedStatus ||
      (parkedStatus === "executing" && draft.events.length > 0);
    if (park && isNewStatus)
      draft.emit({ type: "status", payload: { status: parkedStatus, activeMs: facts.activeMs } });
    return {
      events: draft.events,
      toStart,
      consume,
      chargedMicrousd: spentMicrousd + (openStep?.reservedMicrousd ?? 0),
      abort: false,
      ...(draw ? { draw } : {}),
      ...omitUndefined({ waitUntil }),
      ...(park ? { release: "park" as const } : {}),
      ...extra,
    };
  };

  const end = (ending: Ending | { outcome: "completed" }): Move => {
    emitEnd(draft, ending);
    return move({ release: "end" });
  };

  /** Whether this tool may start beside the running ones. */
  const hasRoom = (tool: Tool) => {
    const running = executing();
    return (
      running.length === 0 ||
      (tool.parallelSafe &&
        running.every((action) => facts.tools.get(action.tool)?.parallelSafe === true))
    );
  };

  const startAction = (action: OpenAction, tool: Tool) => {
    if (!hasRoom(tool)) return;
    const attempt = action.attempts + 1;
    draft.running("executing");
    if (action.effect) {
      const { effect } = action;
      if (
        effect.approval &&
        effect.approval.state !== "approved" &&
        effect.approval.state !== "used"
      )
        throw new BronError("internal", "An attempt has no approval");
      if (effect.approval?.state === "approved") consume.push(effect.approval.id);
      draft.emit({
        type: "effect",
        payload: {
          effectId: effect.id,
          actionId: action.id,
          tool: tool.name,
          state: "attempting",
          digest: effect.digest,
          attempt,
          deadlineMs: tool.timeoutMs,
        },
      });
    }
    draft.emit({
      type: "tool",
      payload: { phase: "start", actionId: action.id, name: tool.name, attempt },
    });
    toStart.push({ kind: action.effect ? "attempt" : "read", action, attempt });
  };

  /** Reconciles only after the deadline, when no part of the attempt can still be running. */
  const startReconcile = (action: OpenAction, effect: OpenEffect) => {
    if (facts.now < effect.deadline) return wait(effect.deadline);
    if (effect.looks >= maxReconcileCalls) return endUnknown(draft, action, effect);
    draft.emit({
      type: "effect",
      payload: {
        effectId: effect.id,
        actionId: action.id,
        tool: action.tool,
        state: "attempting",
        digest: effect.digest,
        look: effect.looks + 1,
      },
    });
    toStart.push({ kind: "reconcile", action });
  };

  /** Continues an action whose worker died, or whose attempt ended without a clear result. */
  const recover = (action: OpenAction, tool: Tool) => {
    if (action.effect) return startReconcile(action, action.effect);
    if (tool.repeatable) {
      if (action.attempts < maxStarts) return startAction(action, tool);
      return endAction(draft, action, {
        state: "failed",
        error: {
          code: "tool_failed",
          message: `The worker crashed ${maxStarts} times while this ran.`,
        },
      });
    }
    if (tool.reconcile) return toStart.push({ kind: "reconcile", action });
    return endAction(draft, action, {
      state: "unknown",
      error: { code: "effect_unknown", message: "It was interrupted while running." },
    });
  };

  const applyApproval = (action: OpenAction, tool: Tool) => {
    const { effect } = action;
    const approval = effect?.approval;
    if (!effect || !approval) return;
    const reject = (state: "rejected" | "expired" | "superseded" | "canceled", message: string) =>
      endEffect(draft, action, state, { error: { code: "approval_closed", message } });
    if (approval.state === "denied") return reject("rejected", denialMessage(approval));
    if (approval.state === "expired")
      return reject("expired", "The approval expired before it was decided. Nothing was done.");
    if (approval.edit) return prepareEditedEffect(action, effect);
    if (approval.state === "superseded" || approval.state === "canceled")
      return reject(approval.state, "This action was replaced or canceled. Nothing was done.");
    if (approval.state !== "approved") return;
    if (facts.now >= approval.expiresAt) {
      draft.emit({
        type: "approval",
        payload: {
          approvalId: approval.id,
          actionId: action.id,
          effectId: effect.id,
          tool: action.tool,
          digest: effect.digest,
          state: "expired",
        },
      });
      return reject("expired", "The approval expired before it could be used. Nothing was done.");
    }
    // The owner can still undo the approval. The run counts as running meanwhile, unless another
    // approval is pending.
    if (facts.now < approval.undoUntil) {
      if (
        ![...draft.state().open.values()].some(
          ({ effect: other }) => other?.approval?.state === "pending",
        )
      )
        draft.running("executing");
      return wait(approval.undoUntil);
    }
    startAction(action, tool);
  };

  /** Closes the edited effect in the ledger, then lets the tool prepare its replacement. */
  const prepareEditedEffect = (action: OpenAction, { id, digest }: OpenEffect) => {
    draft.running("executing");
    draft.emit({
      type: "effect",
      payload: {
        effectId: id,
        actionId: action.id,
        tool: action.tool,
        state: "superseded",
        digest,
      },
    });
    const edited = draft.state().open.get(action.id);
    if (edited) toStart.push({ kind: "prepare", action: edited });
  };

  const advanceAction = (action: OpenAction) => {
    const tool = facts.tools.get(action.tool);
    if (!tool && (action.effect || action.state === "executing"))
      return cancelAction(draft, action, false);
    if (!tool)
      return endAction(draft, action, {
        state: "failed",
        error: {
          code: "unknown_tool",
          message: `The tool "${action.tool}" is no longer available.`,
        },
      });
    if (action.needsAuth !== undefined || action.awaits !== undefined) return;
    if (action.state === "executing") return recover(action, tool);
    if (action.state === "awaiting_confirmation") return applyApproval(action, tool);
    if (!tool.sideEffect) return startAction(action, tool);
    if (!action.effect) return toStart.push({ kind: "prepare", action });
    const { approval } = action.effect;
    // A failed attempt used this approval. It allows another attempt, but only until it expires.
    if (approval && facts.now >= approval.expiresAt)
      return endEffect(draft, action, "expired", {
        error: {
          code: "approval_closed",
          message: "The approval expired before it could be used. Nothing was done.",
        },
      });
    if (facts.now < action.effect.retryAt) return wait(action.effect.retryAt);
    return startAction(action, tool);
  };

  const advanceOpenActions = () => {
    // Looks each action up by id, because handling one may change the draft's state.
    for (const id of draft.state().open.keys()) {
      const action = draft.state().open.get(id);
      if (action && !busy(id)) advanceAction(action);
    }
  };

  const nextStep = (): Move => {
    if (!inFlight.has("model")) recordLostCall(draft, true);
    // Models require tool results before the next user message.
    for (const content of draft.state().pendingUserMessages)
      draft.emit({ type: "message", payload: { role: "user", content } });
    const { retry, step, spentMicrousd, messageBytes, modelFailure } = draft.state();
    if (modelFailure) return end({ outcome: "failed", error: modelFailure });
    if (retry && facts.now < retry.notBefore) {
      wait(retry.notBefore);
      return move();
    }
    const capped = retry ? undefined : stepCapOf(draft.state(), facts.run.caps);
    if (capped) return end(capped);
    const reservedMicrousd = reserveMicrousd(
      facts.fixedBytes + messageBytes,
      facts.model.maxOutputTokens,
      facts.model.price,
    );
    const budget = {
      caps: facts.run.caps,
      ownerCapMicrousd: facts.run.ownerCapMicrousd,
      drawnMicrousd: facts.drawnMicrousd,
      spentMicrousd,
    };
    const affordable = afford(budget, reservedMicrousd, facts.model.price, facts.model.name);
    if (!affordable.ok) return end({ outcome: "failed", error: affordable });
    if (affordable.draw && facts.budgetRefused)
      return end({
        outcome: "failed",
        error: {
          code: "budget_exhausted",
          message: "Your spending limit does not allow another model call.",
        },
      });
    draw = affordable.draw;
    draft.running("planning");
    const attemptOfStep = retry ? { step, attempt: retry.attempt } : { step: step + 1, attempt: 1 };
    draft.emit({
      type: "step",
      payload: {
        phase: "start",
        ...attemptOfStep,
        model: facts.model.name,
        reservedMicrousd,
        activeMs: facts.activeMs,
      },
    });
    toStart.push({ kind: "model", ...attemptOfStep });
    return move();
  };

  /**
   * Ends the run as soon as nothing is in flight and every effect has a known outcome. Only
   * reconcile calls are started.
   */
  const windDown = (ending: Ending): Move => {
    for (const action of draft.state().open.values()) {
      if (busy(action.id)) continue;
      if (action.state === "executing" && action.effect) startReconcile(action, action.effect);
      else cancelAction(draft, action, facts.tools.get(action.tool)?.repeatable === true);
    }
    if (!inFlight.has("model")) recordLostCall(draft, false);
    if (draft.state().open.size > 0 || inFlight.size > 0) return move({ abort: true });
    return end(ending);
  };

  return { advanceOpenActions, nextStep, windDown, end, move };
}

/** The message that tells the model why an approval was denied. */
function denialMessage({ reply, undone, reason }: OpenApproval): string {
  if (reply !== undefined) return `The user answered: ${reply}`;
  if (undone) return "The user undid the approval, so it was not done.";
  return `The user declined${reason ? `: ${reason}` : "."}`;
}
