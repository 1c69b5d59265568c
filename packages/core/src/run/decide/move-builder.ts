import { omitUndefined, type NewEvent } from "@bron/protocol";
import { BronError } from "../../errors.ts";
import type { Draw } from "../../ports/runs/run-log.ts";
import type { Draft } from "./draft.ts";
import type { LoopFacts } from "./loop-facts.ts";
import { flightKey, type Work } from "../outcome.ts";
import { parkStatus } from "./park-status.ts";
import { chargedMicrousd } from "../state/run-state.ts";

/** What to append now, and what to start once it is written. */
export interface Move {
  readonly events: readonly NewEvent[];
  readonly toStart: readonly Work[];
  readonly release?: "park" | "end";
  readonly consume: readonly string[];
  readonly draw?: Draw;
  readonly chargedMicrousd: number;
  /** The run is ending: abort the model call and the tools that only read. */
  readonly abort: boolean;
  /** There is nothing to do before this time, unless work in flight finishes. */
  readonly waitUntil?: number;
}

/** Collects one move. Its events are emitted to `draft`. */
export interface MoveBuilder {
  readonly draft: Draft;
  readonly facts: LoopFacts;
  readonly inFlight: ReadonlySet<string>;
  start(work: Work): void;
  /** Uses up an approval with the append. */
  consume(approvalId: string): void;
  draw(amount: Move["draw"]): void;
  /** The earliest of several times counts. */
  waitUntil(time: number): void;
  /** Whether the action's work is in flight, or starts with this move. */
  isBusy(actionId: string): boolean;
  /** Returns the move. It parks the run if everything that is open waits. Call it once, last. */
  build(extra?: Pick<Partial<Move>, "release" | "abort">): Move;
}

export function createMoveBuilder(
  draft: Draft,
  facts: LoopFacts,
  inFlight: ReadonlySet<string>,
): MoveBuilder {
  const toStart: Work[] = [];
  const consume: string[] = [];
  let draw: Move["draw"];
  let waitUntil: number | undefined;
  return {
    draft,
    facts,
    inFlight,
    start: (work) => void toStart.push(work),
    consume: (approvalId) => void consume.push(approvalId),
    draw(amount) {
      if (amount) draw = addDraw(draw, amount);
    },
    waitUntil(time) {
      waitUntil = Math.min(waitUntil ?? time, time);
    },
    isBusy: (actionId) =>
      inFlight.has(actionId) || toStart.some((work) => flightKey(work) === actionId),
    build(extra = {}) {
      const isIdle = toStart.length === 0 && inFlight.size === 0;
      if (facts.isJustClaimed && isIdle && waitUntil !== undefined && draft.events.length === 0)
        logWait(draft, waitUntil);
      const canPark = extra.release === undefined && isIdle && waitUntil === undefined;
      const isParked = canPark && draft.state().open.size > 0;
      if (canPark && !isParked && draft.events.length === 0)
        throw new BronError("internal", "Nothing left to do, but the run has not ended");
      if (isParked) emitParkStatus(draft, facts.activeMs);
      return {
        events: draft.events,
        toStart,
        consume,
        chargedMicrousd: chargedMicrousd(draft.state()),
        abort: false,
        ...omitUndefined({ draw, waitUntil }),
        ...(isParked ? { release: "park" as const } : {}),
        ...extra,
      };
    },
  };
}

/** A later call of the same move needs at least what the earlier ones need. */
function addDraw(
  before: Move["draw"],
  { steps = before?.steps, settledMicrousd = before?.settledMicrousd, ...money }: Draw,
): Draw {
  return {
    needMicrousd: Math.max(before?.needMicrousd ?? 0, money.needMicrousd),
    blockMicrousd: Math.max(before?.blockMicrousd ?? 0, money.blockMicrousd),
    isInTree: money.isInTree,
    ...omitUndefined({ steps, settledMicrousd }),
  };
}

/**
 * Logs that a newly claimed run only waits. Without this event the claim would count as one without
 * progress, and a few workers that die meanwhile would end the run.
 */
function logWait(draft: Draft, waitUntil: number): void {
  const interrupted = [...draft.state().open.values()].find(
    ({ state, effect }) => state === "executing" && effect !== undefined,
  );
  const delayMs = Math.ceil(waitUntil - draft.now);
  draft.emit({
    type: "log",
    payload: interrupted
      ? {
          level: "info",
          kind: "effect_interrupted",
          tool: interrupted.tool,
          delayMs,
          actionId: interrupted.id,
        }
      : { level: "info", kind: "waiting", delayMs },
  });
}

/** A run that waits for a child run emits its status again only together with other events. */
function emitParkStatus(draft: Draft, activeMs: number): void {
  const status = parkStatus(draft.state());
  const isNew =
    draft.state().status !== status || (status === "executing" && draft.events.length > 0);
  if (isNew) draft.emit({ type: "status", payload: { status, activeMs } });
}
