import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from "@ai-sdk/provider";
import type { NewEvent } from "@bron/protocol";
import { attachedFilesNote } from "../context/attached-files.ts";
import { byteLength } from "../context/model-messages.ts";
import { BronError } from "../errors.ts";
import { waitFinished } from "../wait-finished.ts";
import { joined, type RunLabels } from "../policy/run-labels.ts";
import type { CodedError, Ids, Lease, RunHeader, RunLog } from "../ports.ts";
import type { Tool } from "../tool/tool.ts";
import { appendWithRetry } from "./append-with-retry.ts";
import type { EarlierResults } from "./earlier-results.ts";
import { fold } from "./fold.ts";
import { flightKey, type Begin, type Outcome } from "./outcome.ts";
import { momentOf, type Moment } from "./moment.ts";
import { withRetry } from "./with-retry.ts";
import { createPerformer, type PerformDeps } from "./perform.ts";
import { plan, type Move } from "./plan.ts";
import type { RunState } from "./run-state.ts";

export interface SegmentDeps extends PerformDeps {
  readonly log: RunLog;
  readonly ids: Ids;
  readonly leaseMs: number;
  readonly approvalTtlMs: number;
  /** Told after each append of this run, in order. */
  readonly onAppend: (runId: string, appended: Appended) => void;
}

export interface Appended {
  readonly events: readonly NewEvent[];
  readonly lastSeq: number;
  readonly createdAt: string;
}

/** Instruction and tail: what stands before the run's own messages. */
export interface Preamble {
  readonly messages: readonly LanguageModelV4Message[];
  /** What of it others wrote. */
  readonly labels: RunLabels;
}

export interface SegmentInput {
  readonly lease: Lease;
  readonly run: RunHeader;
  readonly state: RunState;
  readonly drawnMicrousd: number;
  readonly databaseNow: number;
  readonly preamble: () => Promise<Preamble>;
  /** Of the run that this one tries again. */
  readonly earlier: EarlierResults;
  /** See `EndingRules`. */
  readonly givenUp?: CodedError;
  /** Aborts when the worker must let go: its lease is at risk, or it shuts down. */
  readonly signal: AbortSignal;
  /** Registers who is to be told when someone else may have written to the log. */
  readonly onNudge: (listener: () => void) => void;
  /** How far this segment knows the log. */
  readonly onSeen: (lastSeq: number) => void;
}

export type SegmentEnd = "ended" | "parked" | "lost" | "let_go";

/** Drives one run from its claim until it ends, parks, or the lease goes. */
export function createSegment(deps: SegmentDeps, input: SegmentInput) {
  const { log, clock } = deps;
  const { lease } = input;
  /** An owner's cap may be set while the run is under way: each append tells it. */
  let run = input.run;
  const declarations = [...deps.tools.values()].map(declare);
  const declaredBytes = byteLength(declarations);
  /** Read before the first question to the model: what has been approved does not wait for it. */
  let preamble: Preamble | undefined;
  let preambleBytes = 0;
  // The database's clock as last heard, carried on by ours: late rather than early, and deaf to steps of the wall clock.
  let anchor = { database: input.databaseNow, monotonic: clock.monotonic() };
  const startedAt = clock.monotonic();
  const baseActiveMs = input.state.activeMs;

  let state = input.state;
  let drawnMicrousd = input.drawnMicrousd;
  let budgetRefused = false;
  let isJustClaimed = true;
  let finished: Outcome[] = [];
  let outbox: Posted[] = [];
  /** Thrown by something that must not throw: ends the segment, counts as a fruitless claim. */
  let defect: unknown;
  let nudged = false;
  let leaving = false;
  const flights = new Map<string, Flight>();
  let woken = Promise.withResolvers<void>();

  const databaseNow = () => anchor.database + clock.monotonic() - anchor.monotonic;
  const activeMs = () => baseActiveMs + Math.round(clock.monotonic() - startedAt);
  const wake = () => woken.resolve();
  input.onNudge(() => {
    nudged = true;
    wake();
  });

  const decide = (): Move =>
    plan({
      state,
      finished,
      outbox: outbox.map(({ event }) => event),
      inFlight: new Set(flights.keys()),
      leaving,
      facts: {
        run,
        tools: deps.tools,
        model: deps.model,
        fixedBytes: declaredBytes + preambleBytes,
        approvalTtlMs: deps.approvalTtlMs,
        now: databaseNow(),
        activeMs: activeMs(),
        drawnMicrousd,
        budgetRefused,
        random: clock.random(),
        contextTrusted: (preamble?.labels.untrusted.length ?? 0) === 0,
        earlier: input.earlier,
        isJustClaimed,
        givenUp: input.givenUp,
        ids: deps.ids,
      },
    });

  const readGap = async () => {
    const gap = await withRetry(clock, input.signal, () => log.read(lease, state.seq));
    for (const event of gap === "given_up" ? [] : gap)
      state = fold(state, event, Date.parse(event.createdAt));
    input.onSeen(state.seq);
  };

  const write = async (move: Move): Promise<"written" | "again" | "lost"> => {
    const request = {
      drawnBefore: drawnMicrousd,
      ownerCapMicrousd: run.ownerCapMicrousd,
      lease,
      seen: state.seq,
      events: move.events,
      leaseMs: deps.leaseMs,
      chargedMicrousd: move.chargedMicrousd,
      ...(move.release ? { release: move.release } : {}),
      ...(move.consume.length > 0 ? { consume: move.consume } : {}),
      ...(move.draw ? { draw: move.draw } : {}),
    };
    const result = await appendWithRetry(log, clock, request, input.signal);
    if (result === "given_up") return "lost";
    if (result.ok) {
      const at = Date.parse(result.createdAt);
      anchor = { database: at, monotonic: clock.monotonic() };
      for (const event of move.events) state = fold(state, event, at);
      drawnMicrousd = result.drawnMicrousd;
      isJustClaimed = false;
      if (result.ownerCapMicrousd !== run.ownerCapMicrousd)
        run = { ...run, ownerCapMicrousd: result.ownerCapMicrousd };
      input.onSeen(result.lastSeq);
      deps.onAppend(run.id, {
        events: move.events,
        lastSeq: result.lastSeq,
        createdAt: result.createdAt,
      });
      return "written";
    }
    if (result.reason === "lost") return "lost";
    if (result.reason === "budget") budgetRefused = true;
    // Refused by the database's clock a moment before ours: let it catch up, then decide on what it says.
    if (result.reason === "approval") await clock.sleep(50, input.signal);
    await readGap();
    return "again";
  };

  const post = (event: NewEvent, onWritten?: () => void) => {
    outbox.push({ event, onWritten });
    wake();
  };
  const postAndWait = (event: NewEvent) => new Promise<void>((resolve) => post(event, resolve));
  const loadPreamble = async () => {
    preamble ??= await input.preamble();
    preambleBytes = byteLength(preamble.messages);
    return preamble;
  };
  const labels = async () => joined((await loadPreamble()).labels, state.labels);
  const perform = createPerformer(deps, {
    run,
    preamble: () => preamble?.messages ?? [],
    declarations,
    messages: () => [...attachedFilesNote(state.files), ...state.messages],
    labels,
    repeats: input.earlier.repeats,
    post: (event) => post(event),
    postAndWait,
  });

  const mayBeRepeated = (work: Begin) =>
    work.kind === "model" ||
    work.kind === "prepare" ||
    (work.kind === "read" && deps.tools.get(work.action.tool)?.repeatable === true);

  const launch = (work: Begin, markedAt: Moment) => {
    const controller = new AbortController();
    const key = flightKey(work);
    flights.set(key, {
      controller,
      stoppable: work.kind !== "attempt" && work.kind !== "reconcile",
      mayBeRepeated: mayBeRepeated(work),
    });
    void perform(work, controller.signal, markedAt)
      .then((outcome) => {
        // Ended by us, and the next holder begins it anew: it did not fail.
        const isAbandoned = leaving && controller.signal.aborted && mayBeRepeated(work);
        if (!isAbandoned) finished.push(outcome);
      })
      .catch((error: unknown) => {
        defect = error;
      })
      .finally(() => {
        flights.delete(key);
        wake();
      });
  };

  const stop = (which: (flight: Flight) => boolean) => {
    for (const flight of flights.values())
      if (which(flight))
        flight.controller.abort(new BronError("interrupted", "The run was stopped"));
  };

  /** Until something ends, someone else writes, or a time comes. */
  const pause = async (waitUntil: number | undefined) => {
    const capLeft = run.caps.activeMs - activeMs();
    const left = Math.min(
      waitUntil === undefined ? Number.POSITIVE_INFINITY : waitUntil - databaseNow(),
      capLeft > 0 ? capLeft : Number.POSITIVE_INFINITY,
    );
    const waited = new AbortController();
    const timer = Number.isFinite(left)
      ? clock.sleep(Math.max(1, left), waited.signal)
      : new Promise<void>(() => undefined);
    await Promise.race([woken.promise, timer, aborted(input.signal, waited.signal)]);
    waited.abort(waitFinished);
  };

  /**
   * When the worker shuts down in order, what has been marked and may not be repeated is begun and waited for, and its end is
   * written down: otherwise every restart would make doubt. When the lease is at risk there is no time for that.
   */
  const leave = async (
    marked: readonly Begin[] = [],
    markedAt = momentOf(clock),
  ): Promise<SegmentEnd> => {
    leaving = true;
    const inOrder = BronError.is(input.signal.reason, "interrupted");
    if (inOrder) for (const work of marked) if (!mayBeRepeated(work)) launch(work, markedAt);
    stop((flight) => flight.mayBeRepeated || !inOrder);
    const deadline = clock.monotonic() + maxLeavingMs;
    const awaited = () => [...flights.values()].some((flight) => !flight.mayBeRepeated);
    while (inOrder && awaited() && clock.monotonic() < deadline) {
      // A look waits until what it found is in the log.
      if (outbox.length > 0) await writeWhatEnded();
      await clock.sleep(20);
    }
    if (inOrder) await writeWhatEnded();
    return "let_go";
  };

  /** Again if the log moved meanwhile: what has ended must not be lost. */
  const writeWhatEnded = async () => {
    for (let written: "written" | "again" | "lost" = "again"; written === "again";) {
      const taken = { finished: finished.length, outbox: outbox.length };
      const move = decide();
      if (move.events.length === 0) return;
      written = await write(move);
      if (written === "written") forget(taken);
    }
  };

  /** What was taken into an append that has been written. */
  const forget = (taken: { readonly finished: number; readonly outbox: number }) => {
    for (const { onWritten } of outbox.slice(0, taken.outbox)) onWritten?.();
    finished = finished.slice(taken.finished);
    outbox = outbox.slice(taken.outbox);
  };

  const loop = async (): Promise<SegmentEnd> => {
    for (;;) {
      if (input.signal.aborted) return await leave();
      if (defect !== undefined) throw defect;
      if (nudged) {
        nudged = false;
        await readGap();
      }
      woken = Promise.withResolvers<void>();
      const taken = { finished: finished.length, outbox: outbox.length };
      const move = decide();
      if (!preamble && move.begin.some(({ kind }) => kind === "model")) {
        await loadPreamble();
        continue;
      }
      const markedAt = momentOf(clock);
      if (move.abort) stop(({ stoppable }) => stoppable);
      if (move.events.length > 0 || move.release) {
        const written = await write(move);
        if (written === "lost") return input.signal.aborted ? "let_go" : "lost";
        if (written === "again") continue;
        forget(taken);
        if (move.release) return move.release === "park" ? "parked" : "ended";
      } else if (taken.finished > 0) {
        finished = finished.slice(taken.finished);
      }
      if (input.signal.aborted) return await leave(move.begin, markedAt);
      for (const work of move.begin) launch(work, markedAt);
      if (finished.length === 0 && outbox.length === 0 && defect === undefined && !nudged)
        await pause(move.waitUntil);
    }
  };

  return {
    async drive(): Promise<SegmentEnd> {
      try {
        return await loop();
      } finally {
        stop(() => true);
      }
    },
  };
}

const maxLeavingMs = 15_000;

interface Posted {
  readonly event: NewEvent;
  readonly onWritten: (() => void) | undefined;
}

interface Flight {
  readonly controller: AbortController;
  /** An attempt at an effect that has begun is left to end when the run is stopped: stopping it would only make doubt. */
  readonly stoppable: boolean;
  /** The next holder can begin it anew. */
  readonly mayBeRepeated: boolean;
}

function declare(tool: Tool): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputJsonSchema,
  };
}

function aborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true, signal: until });
  });
}
