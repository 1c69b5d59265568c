import { omitUndefined } from "@bron/protocol";
import { afford, reserveMicrousd } from "../budget/reservation.ts";
import { BronError } from "../errors.ts";
import type { AppendRequest, CodedError, Ids, RunHeader, RunModel } from "../ports.ts";
import type { Tool } from "../tool/tool.ts";
import { createDraft, type Draft } from "./draft.ts";
import type { EarlierResults } from "./earlier-results.ts";
import { endAction, endEffect, endInDoubt, withdrawAction } from "./end-action.ts";
import { emitEnd, endingOf, turnCapOf, type Ending } from "./ending.ts";
import { flightKey, type Begin, type Outcome } from "./outcome.ts";
import { record, recordLostCall } from "./record.ts";
import type { OpenAction, OpenApproval, OpenEffect, RunState } from "./run-state.ts";

export interface PlanInput {
  readonly state: RunState;
  readonly finished: readonly Outcome[];
  /** Progress lines, cards and artifacts of tools, to be written with the next append. */
  readonly outbox: readonly RunEventDraft[];
  /** Keys of what is still in flight. */
  readonly inFlight: ReadonlySet<string>;
  /** The worker is leaving: what ended is written down, nothing is begun. */
  readonly leaving: boolean;
  readonly facts: PlanFacts;
}

type RunEventDraft = Parameters<Draft["emit"]>[0];

export interface PlanFacts {
  readonly run: RunHeader;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly model: RunModel;
  /** Bytes of a request beside the run's own messages: instruction, tail, tool declarations. */
  readonly fixedBytes: number;
  readonly approvalTtlMs: number;
  /** The database's clock. */
  readonly now: number;
  readonly activeMs: number;
  readonly drawnMicrousd: number;
  /** The owner's cap had nothing left. */
  readonly budgetRefused: boolean;
  readonly random: number;
  /** Nothing untrusted was there before the run began. */
  readonly contextTrusted: boolean;
  /** Of the run that this one tries again. */
  readonly earlier: EarlierResults;
  /** Nothing has been written since the run was claimed. */
  readonly isJustClaimed: boolean;
  /** See `EndingRules`. */
  readonly givenUp: CodedError | undefined;
  readonly ids: Ids;
}

/** What to write now, and what to begin once it is written. */
export interface Move {
  readonly events: readonly RunEventDraft[];
  readonly begin: readonly Begin[];
  readonly release?: "park" | "end";
  readonly consume: readonly string[];
  readonly draw?: NonNullable<AppendRequest["draw"]>;
  readonly chargedMicrousd: number;
  /** The run is ending: stop the model and the tools that only read. */
  readonly abort: boolean;
  /** Nothing to do before this time, unless something in flight ends. */
  readonly waitUntil?: number;
}

/** Starts of one tool whose worker died each time. */
const maxStarts = 3;
/** Looks into one attempt whose worker died each time. Each is short, and what it finds out is worth more than a start. */
const maxLooks = 20;

/** The whole decision of the loop, as a pure function of the log's state and of what has ended since. */
export function plan(input: PlanInput): Move {
  const { facts, state } = input;
  const draft = createDraft(state, facts.now, facts.ids);
  const stopping = endingOf(state, endingRules(facts)) !== undefined;
  for (const event of input.outbox) if (!isTooLate(event, draft.state())) draft.emit(event);
  for (const outcome of input.finished) {
    record(draft, outcome, {
      tools: facts.tools,
      price: facts.model.price,
      approvalTtlMs: facts.approvalTtlMs,
      random: facts.random,
      stopping,
      contextTrusted: facts.contextTrusted,
      earlier: facts.earlier,
    });
  }
  if (input.leaving)
    return {
      events: draft.events,
      begin: [],
      consume: [],
      chargedMicrousd:
        draft.state().spentMicrousd + (draft.state().openStep?.reservedMicrousd ?? 0),
      abort: false,
    };
  const planner = createPlanner(draft, facts, input.inFlight);
  const ending = endingOf(draft.state(), endingRules(facts));
  if (ending) return planner.wind(ending);
  if (draft.state().answered && draft.state().open.size === 0)
    return planner.end({ outcome: "completed" });
  planner.settleOpen();
  return draft.state().open.size === 0 && input.inFlight.size === 0
    ? planner.nextTurn()
    : planner.move();
}

/** Evidence of a look that went on after its time was over, for an action that has ended meanwhile. */
function isTooLate(event: RunEventDraft, { open }: RunState): boolean {
  return event.type === "effect" && !open.has(event.payload.actionId);
}

function endingRules(facts: PlanFacts) {
  return {
    caps: facts.run.caps,
    tools: facts.tools,
    activeMs: facts.activeMs,
    givenUp: facts.givenUp,
  };
}

function createPlanner(draft: Draft, facts: PlanFacts, inFlight: ReadonlySet<string>) {
  const begin: Begin[] = [];
  const consume: string[] = [];
  let draw: Move["draw"];
  let waitUntil: number | undefined;

  const wait = (until: number) => {
    waitUntil = Math.min(waitUntil ?? until, until);
  };
  const busy = (id: string) => inFlight.has(id) || begin.some((work) => flightKey(work) === id);
  const executing = () =>
    [...draft.state().open.values()].filter(
      (action) => action.state === "executing" && busy(action.id),
    );

  /** A claim that only waits is progress too: without a line in the log, a few workers that die meanwhile would end the run. */
  const noteWait = () => {
    const isIdle = begin.length === 0 && inFlight.size === 0 && draft.events.length === 0;
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
    noteWait();
    const { openStep, spentMicrousd, open } = draft.state();
    const idle = begin.length === 0 && inFlight.size === 0 && waitUntil === undefined;
    if (extra.release === undefined && idle && draft.events.length === 0 && open.size === 0)
      throw new BronError("internal", "Nothing left to do, but the run has not ended");
    // Every open action waits for a person, to decide or to sign in, or for a part of the task: nothing stays running.
    const park = extra.release === undefined && idle && open.size > 0;
    const waiting = [...open.values()];
    const ofParts = waiting.flatMap(
      ({ awaits }) => draft.state().children.get(awaits ?? "")?.status ?? [],
    );
    const isAsked =
      waiting.some(({ state }) => state === "awaiting_confirmation") ||
      ofParts.includes("awaiting_confirmation");
    const needsAccount =
      waiting.some(({ needsAuth }) => needsAuth !== undefined) || ofParts.includes("awaiting_auth");
    const parked = isAsked
      ? ("awaiting_confirmation" as const)
      : needsAccount
        ? ("awaiting_auth" as const)
        : ("executing" as const);
    const isNews =
      draft.state().status !== parked || (parked === "executing" && draft.events.length > 0);
    if (park && isNews)
      draft.emit({ type: "status", payload: { status: parked, activeMs: facts.activeMs } });
    return {
      events: draft.events,
      begin,
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

  /** May this tool start beside what runs already? */
  const hasRoom = (tool: Tool) => {
    const running = executing();
    return (
      running.length === 0 ||
      (tool.parallelSafe &&
        running.every((action) => facts.tools.get(action.tool)?.parallelSafe === true))
    );
  };

  const start = (action: OpenAction, tool: Tool) => {
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
        throw new BronError("internal", "An attempt without its approval");
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
    begin.push({ kind: action.effect ? "attempt" : "read", action, attempt });
  };

  /** Doubt is looked into only when nothing of the attempt can still be under way. */
  const lookInto = (action: OpenAction, effect: OpenEffect) => {
    if (facts.now < effect.deadline) return wait(effect.deadline);
    if (effect.looks >= maxLooks) return endInDoubt(draft, action, effect);
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
    begin.push({ kind: "reconcile", action });
  };

  /** Begun by a worker that is gone, or unclear after its answer. */
  const recover = (action: OpenAction, tool: Tool) => {
    if (action.effect) return lookInto(action, action.effect);
    if (tool.repeatable) {
      if (action.attempts < maxStarts) return start(action, tool);
      return endAction(draft, action, {
        state: "failed",
        error: { code: "tool_failed", message: `The worker died ${maxStarts} times while it ran.` },
      });
    }
    if (tool.reconcile) return begin.push({ kind: "reconcile", action });
    return endAction(draft, action, {
      state: "unknown",
      error: { code: "effect_unknown", message: "It was interrupted while it ran." },
    });
  };

  const decided = (action: OpenAction, tool: Tool) => {
    const { effect } = action;
    const approval = effect?.approval;
    if (!effect || !approval) return;
    const reject = (state: "rejected" | "expired" | "superseded" | "canceled", message: string) =>
      endEffect(draft, action, state, { error: { code: "approval_closed", message } });
    if (approval.state === "denied") return reject("rejected", declined(approval));
    if (approval.state === "expired")
      return reject("expired", "Nobody decided in time; it was not done.");
    if (approval.edit) return prepareEdited(action, effect);
    if (approval.state === "superseded" || approval.state === "canceled")
      return reject(approval.state, "It was replaced or withdrawn; it was not done.");
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
      return reject("expired", "The approval expired before it could be used; it was not done.");
    }
    // Until then it can be taken back; nobody is asked any more, unless about something else.
    if (facts.now < approval.undoUntil) {
      if (
        ![...draft.state().open.values()].some(
          ({ effect: other }) => other?.approval?.state === "pending",
        )
      )
        draft.running("executing");
      return wait(approval.undoUntil);
    }
    start(action, tool);
  };

  /** The ledger closes what was edited; then the tool makes another one of it. */
  const prepareEdited = (action: OpenAction, { id, digest }: OpenEffect) => {
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
    if (edited) begin.push({ kind: "prepare", action: edited });
  };

  const settle = (action: OpenAction) => {
    const tool = facts.tools.get(action.tool);
    if (!tool && (action.effect || action.state === "executing"))
      return withdrawAction(draft, action, false);
    if (!tool)
      return endAction(draft, action, {
        state: "failed",
        error: {
          code: "unknown_tool",
          message: `The tool "${action.tool}" is not there any more.`,
        },
      });
    if (action.needsAuth !== undefined || action.awaits !== undefined) return;
    if (action.state === "executing") return recover(action, tool);
    if (action.state === "awaiting_confirmation") return decided(action, tool);
    if (!tool.sideEffect) return start(action, tool);
    if (!action.effect) return begin.push({ kind: "prepare", action });
    const { approval } = action.effect;
    // Used by an attempt of which nothing came: it allows another one, but not for longer than was said.
    if (approval && facts.now >= approval.expiresAt)
      return endEffect(draft, action, "expired", {
        error: {
          code: "approval_closed",
          message: "The approval expired before it could be done; it was not done.",
        },
      });
    if (facts.now < action.effect.retryAt) return wait(action.effect.retryAt);
    return start(action, tool);
  };

  const settleOpen = () => {
    // By id: settling one may change the state of the draft.
    for (const id of draft.state().open.keys()) {
      const action = draft.state().open.get(id);
      if (action && !busy(id)) settle(action);
    }
  };

  const nextTurn = (): Move => {
    if (!inFlight.has("model")) recordLostCall(draft, true);
    // After the results of their calls, which models want first.
    for (const content of draft.state().pendingUserMessages)
      draft.emit({ type: "message", payload: { role: "user", content } });
    const { retry, step, spentMicrousd, messageBytes, modelFailure } = draft.state();
    if (modelFailure) return end({ outcome: "failed", error: modelFailure });
    if (retry && facts.now < retry.notBefore) {
      wait(retry.notBefore);
      return move();
    }
    const capped = retry ? undefined : turnCapOf(draft.state(), facts.run.caps);
    if (capped) return end(capped);
    const reservedMicrousd = reserveMicrousd(
      facts.fixedBytes + messageBytes,
      facts.model.maxOutputTokens,
      facts.model.price,
    );
    const purse = {
      caps: facts.run.caps,
      ownerCapMicrousd: facts.run.ownerCapMicrousd,
      drawnMicrousd: facts.drawnMicrousd,
      spentMicrousd,
    };
    const affordable = afford(purse, reservedMicrousd, facts.model.price, facts.model.name);
    if (!affordable.ok) return end({ outcome: "failed", error: affordable });
    if (affordable.draw && facts.budgetRefused)
      return end({
        outcome: "failed",
        error: {
          code: "budget_exhausted",
          message: "The owner's money cap does not allow another model call.",
        },
      });
    draw = affordable.draw;
    draft.running("planning");
    const mark = retry ? { step, attempt: retry.attempt } : { step: step + 1, attempt: 1 };
    draft.emit({
      type: "step",
      payload: {
        phase: "start",
        ...mark,
        model: facts.model.name,
        reservedMicrousd,
        activeMs: facts.activeMs,
      },
    });
    begin.push({ kind: "model", ...mark });
    return move();
  };

  /** Ends the run as soon as nothing is in flight and nothing is in doubt. Nothing new begins; only doubt is looked into. */
  const wind = (ending: Ending): Move => {
    for (const action of draft.state().open.values()) {
      if (busy(action.id)) continue;
      if (action.state === "executing" && action.effect) lookInto(action, action.effect);
      else withdrawAction(draft, action, facts.tools.get(action.tool)?.repeatable === true);
    }
    if (!inFlight.has("model")) recordLostCall(draft, false);
    if (draft.state().open.size > 0 || inFlight.size > 0) return move({ abort: true });
    return end(ending);
  };

  return { settleOpen, nextTurn, wind, end, move };
}

/** What the model is told of a no. */
function declined({ answer, undone, reason }: OpenApproval): string {
  if (answer !== undefined) return `The user answered: ${answer}`;
  if (undone) return "The user took their approval back; it was not done.";
  return `The user declined${reason ? `: ${reason}` : "."}`;
}
