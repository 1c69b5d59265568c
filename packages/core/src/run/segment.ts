import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from "@ai-sdk/provider";
import type { NewEvent } from "@bron/protocol";
import { attachedFilesNote } from "../context/attached-files.ts";
import { byteLength } from "../context/model-messages.ts";
import { BronError, type CodedError } from "../errors.ts";
import { waitFinished } from "../wait-finished.ts";
import { mergeLabels, type RunLabels } from "../policy/run-labels.ts";
import type { Ids } from "../ports/clock.ts";
import type { Lease, RunHeader, RunLog } from "../ports/run-log.ts";
import type { Tool } from "../tool/tool.ts";
import { appendWithRetry } from "./append-with-retry.ts";
import type { EarlierResults } from "./earlier-results.ts";
import { fold } from "./fold.ts";
import { flightKey, type Work, type Outcome } from "./outcome.ts";
import { momentOf, type Moment } from "./moment.ts";
import { withRetry } from "./with-retry.ts";
import { createPerformer, type PerformDeps } from "./perform.ts";
import { decideNext, type Move } from "./decide-next.ts";
import type { RunState } from "./run-state.ts";

export interface SegmentDeps extends PerformDeps {
  readonly log: RunLog;
  readonly ids: Ids;
  readonly leaseMs: number;
  readonly approvalTtlMs: number;
  /** Called after each append of this run, in order. */
  readonly onAppend: (runId: string, appended: Appended) => void;
}

export interface Appended {
  readonly events: readonly NewEvent[];
  readonly lastSeq: number;
  readonly createdAt: string;
}

/** System instruction and thread history: the messages before the run's own. */
export interface Preamble {
  readonly messages: readonly LanguageModelV4Message[];
  /** Labels of the parts that other people wrote. */
  readonly labels: RunLabels;
}

export interface SegmentInput {
  readonly lease: Lease;
  readonly run: RunHeader;
  readonly state: RunState;
  readonly drawnMicrousd: number;
  readonly databaseNow: number;
  readonly preamble: () => Promise<Preamble>;
  /** Results of the run that this one retries. */
  readonly earlier: EarlierResults;
  /** See `EndingRules`. */
  readonly giveUpError?: CodedError;
  /** Aborts when the worker must release the run: its lease is at risk, or it shuts down. */
  readonly signal: AbortSignal;
  /** Registers a listener for the case that another writer may have appended to the log. */
  readonly onLogChanged: (listener: () => void) => void;
  /** Reports how far this segment has read the log. */
  readonly onSeen: (lastSeq: number) => void;
}

export type SegmentEnd = "ended" | "parked" | "lease_lost" | "released";

/** Drives one run from its claim until it ends, parks, or the lease is lost or released. */
export function createSegment(deps: SegmentDeps, input: SegmentInput) {
  const { log, clock } = deps;
  const { lease } = input;
  /** Replaced when an append reports that the owner's cap has changed. */
  let run = input.run;
  const declarations = [...deps.tools.values()].map(declare);
  const declaredBytes = byteLength(declarations);
  /** Loaded before the first model call only, so that approved effects need not wait for it. */
  let preamble: Preamble | undefined;
  let preambleBytes = 0;
  // The last known database time, advanced by the monotonic clock. It runs late rather than early
  // and ignores steps of the wall clock.
  let anchor = { database: input.databaseNow, monotonic: clock.monotonic() };
  const startedAt = clock.monotonic();
  const baseActiveMs = input.state.activeMs;

  let state = input.state;
  let drawnMicrousd = input.drawnMicrousd;
  let budgetRefused = false;
  let isJustClaimed = true;
  let finished: Outcome[] = [];
  let outbox: Posted[] = [];
  /**
   * An error from work that must not throw. It ends the segment, and the claim counts as one
   * without progress.
   */
  let defect: unknown;
  let logChanged = false;
  let shuttingDown = false;
  const flights = new Map<string, Flight>();
  let woken = Promise.withResolvers<void>();

  const databaseNow = () => anchor.database + clock.monotonic() - anchor.monotonic;
  const activeMs = () => baseActiveMs + Math.round(clock.monotonic() - startedAt);
  const wake = () => woken.resolve();
  input.onLogChanged(() => {
    logChanged = true;
    wake();
  });

  const decide = (): Move =>
    decideNext({
      state,
      finished,
      outbox: outbox.map(({ event }) => event),
      inFlight: new Set(flights.keys()),
      shuttingDown,
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
        giveUpError: input.giveUpError,
        ids: deps.ids,
      },
    });

  const readGap = async () => {
    const gap = await withRetry(clock, input.signal, () => log.read(lease, state.seq));
    for (const event of gap === "gave_up" ? [] : gap)
      state = fold(state, event, Date.parse(event.createdAt));
    input.onSeen(state.seq);
  };

  const write = async (move: Move): Promise<"written" | "again" | "lease_lost"> => {
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
    if (result === "gave_up") return "lease_lost";
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
    if (result.reason === "lost") return "lease_lost";
    if (result.reason === "budget") budgetRefused = true;
    // The database's clock was slightly behind ours. Wait for it to catch up, then decide again.
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
  const labels = async () => mergeLabels((await loadPreamble()).labels, state.labels);
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

  const isRepeatable = (work: Work) =>
    work.kind === "model" ||
    work.kind === "prepare" ||
    (work.kind === "read" && deps.tools.get(work.action.tool)?.repeatable === true);

  const launch = (work: Work, decidedAt: Moment) => {
    const controller = new AbortController();
    const key = flightKey(work);
    flights.set(key, {
      controller,
      abortOnCancel: work.kind !== "attempt" && work.kind !== "reconcile",
      isRepeatable: isRepeatable(work),
    });
    void perform(work, controller.signal, decidedAt)
      .then((outcome) => {
        // We aborted this work, and the next lease holder starts it again. It did not fail.
        const isAbandoned = shuttingDown && controller.signal.aborted && isRepeatable(work);
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

  const abortFlights = (which: (flight: Flight) => boolean) => {
    for (const flight of flights.values())
      if (which(flight))
        flight.controller.abort(new BronError("interrupted", "The run was canceled"));
  };

  /** Waits until work in flight finishes, another writer appends, or the given time comes. */
  const waitForChange = async (waitUntil: number | undefined) => {
    const capLeftMs = run.caps.activeMs - activeMs();
    const waitMs = Math.min(
      waitUntil === undefined ? Number.POSITIVE_INFINITY : waitUntil - databaseNow(),
      capLeftMs > 0 ? capLeftMs : Number.POSITIVE_INFINITY,
    );
    const waited = new AbortController();
    const timer = Number.isFinite(waitMs)
      ? clock.sleep(Math.max(1, waitMs), waited.signal)
      : new Promise<void>(() => undefined);
    await Promise.race([woken.promise, timer, aborted(input.signal, waited.signal)]);
    waited.abort(waitFinished);
  };

  /**
   * Ends the segment. On an orderly shutdown, work that has its start event in the log and must not
   * be repeated is started, awaited and recorded. Otherwise every restart would leave effects with
   * an unknown outcome. There is no time for this when the lease is at risk.
   */
  const shutDown = async (
    logged: readonly Work[] = [],
    decidedAt = momentOf(clock),
  ): Promise<SegmentEnd> => {
    shuttingDown = true;
    const isOrderly = BronError.is(input.signal.reason, "interrupted");
    if (isOrderly) for (const work of logged) if (!isRepeatable(work)) launch(work, decidedAt);
    abortFlights((flight) => flight.isRepeatable || !isOrderly);
    const deadline = clock.monotonic() + maxShutdownMs;
    const isWaiting = () => [...flights.values()].some((flight) => !flight.isRepeatable);
    while (isOrderly && isWaiting() && clock.monotonic() < deadline) {
      // A reconcile call waits until its evidence is in the log.
      if (outbox.length > 0) await writeFinished();
      await clock.sleep(20);
    }
    if (isOrderly) await writeFinished();
    return "released";
  };

  /** Repeats when the log has advanced meanwhile, because finished work must not be lost. */
  const writeFinished = async () => {
    for (let written: "written" | "again" | "lease_lost" = "again"; written === "again";) {
      const counts = { finished: finished.length, outbox: outbox.length };
      const move = decide();
      if (move.events.length === 0) return;
      written = await write(move);
      if (written === "written") dropWritten(counts);
    }
  };

  /** Removes the outcomes and events that the last append has written. */
  const dropWritten = (counts: { readonly finished: number; readonly outbox: number }) => {
    for (const { onWritten } of outbox.slice(0, counts.outbox)) onWritten?.();
    finished = finished.slice(counts.finished);
    outbox = outbox.slice(counts.outbox);
  };

  const loop = async (): Promise<SegmentEnd> => {
    for (;;) {
      if (input.signal.aborted) return await shutDown();
      if (defect !== undefined) throw defect;
      if (logChanged) {
        logChanged = false;
        await readGap();
      }
      woken = Promise.withResolvers<void>();
      const counts = { finished: finished.length, outbox: outbox.length };
      const move = decide();
      if (!preamble && move.toStart.some(({ kind }) => kind === "model")) {
        await loadPreamble();
        continue;
      }
      const decidedAt = momentOf(clock);
      if (move.abort) abortFlights(({ abortOnCancel }) => abortOnCancel);
      if (move.events.length > 0 || move.release) {
        const written = await write(move);
        if (written === "lease_lost") return input.signal.aborted ? "released" : "lease_lost";
        if (written === "again") continue;
        dropWritten(counts);
        if (move.release) return move.release === "park" ? "parked" : "ended";
      } else if (counts.finished > 0) {
        finished = finished.slice(counts.finished);
      }
      if (input.signal.aborted) return await shutDown(move.toStart, decidedAt);
      for (const work of move.toStart) launch(work, decidedAt);
      if (finished.length === 0 && outbox.length === 0 && defect === undefined && !logChanged)
        await waitForChange(move.waitUntil);
    }
  };

  return {
    async drive(): Promise<SegmentEnd> {
      try {
        return await loop();
      } finally {
        abortFlights(() => true);
      }
    },
  };
}

const maxShutdownMs = 15_000;

interface Posted {
  readonly event: NewEvent;
  readonly onWritten: (() => void) | undefined;
}

interface Flight {
  readonly controller: AbortController;
  /**
   * False for effect attempts. A canceled run lets them finish, because aborting them would leave
   * their outcome unknown.
   */
  readonly abortOnCancel: boolean;
  /** The next lease holder can start this work again. */
  readonly isRepeatable: boolean;
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
