import type { Failure } from "@bron/protocol";
import { BronError } from "../errors.ts";
import { mergeLabels } from "../policy/run-labels.ts";
import type { ModelSet } from "../model/model-set.ts";
import type { Ids } from "../ports/clock.ts";
import type { DigestText } from "../ports/digest-text.ts";
import { labelsOfWriter } from "../context/build-preamble.ts";
import {
  noAuxiliaryRequests,
  type AuxiliaryRequests,
} from "../auxiliary-call/auxiliary-requests.ts";
import type { Tool } from "../tool/tool.ts";
import { checkpointRequests } from "../context/checkpoint.ts";
import { createCallQuestions } from "../question/call-questions.ts";
import { createCurrentTools, type CurrentTools } from "../tool-set/current-tools.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { decideNext } from "./decide/decide-next.ts";
import type { EarlierResults } from "../retry/earlier-results.ts";
import { createFlights, isRepeatable, type Flights } from "./flights.ts";
import type { JudgeContext } from "../effect/judge-effect.ts";
import type { LoopFacts } from "./decide/loop-facts.ts";
import { createModelRequests, type ModelRequests } from "../context/model-requests.ts";
import { momentOf } from "./moment.ts";
import type { Move } from "./decide/move-builder.ts";
import type { Work } from "./outcome.ts";
import { createPendingResults, type PendingBatch, type PendingResults } from "./pending-results.ts";
import { createPerformer, type PerformDeps, type WorkStart } from "./perform.ts";
import { createLazyPreamble, type LazyPreamble, type Preamble } from "../context/preamble.ts";
import { readingsIn } from "../intent/read-words.ts";
import type { RunTools, RunToolsDeps } from "../tool-set/run-tools.ts";
import {
  createSegmentLog,
  type SegmentLog,
  type SegmentLogDeps,
  type SegmentLogInput,
  type Written,
} from "./segment-log.ts";
import { createTaskDenials } from "../effect/task-denials.ts";
import { createWakeup, type Wakeup } from "./wakeup.ts";

export interface SegmentDeps extends PerformDeps, SegmentLogDeps, RunToolsDeps {
  readonly ids: Ids;
  readonly digestText: DigestText;
  readonly models: ModelSet;
  /** See `LoopFacts`. The default is none. */
  readonly auxiliaryRequests?: AuxiliaryRequests;
  readonly approvalTtlMs: number;
}

/** `signal` aborts when the worker must release the run: its lease is at risk, or it shuts down. */
interface SegmentInput extends SegmentLogInput {
  readonly databaseNow: number;
  readonly preamble: () => Promise<Preamble>;
  /** The tools of the run at the claim. */
  readonly tools: RunTools;
  /** Whether this worker serves the place of the run. */
  readonly isHere: boolean;
  /** Results of the run that this one retries. */
  readonly earlier: EarlierResults;
  /** See `EndingRules`. */
  readonly giveUpError?: Failure;
}

export type SegmentEnd = "ended" | "parked" | "lease_lost" | "released";

/** Drives one run from its claim until it ends, parks, or the lease is lost or released. */
export async function driveSegment(deps: SegmentDeps, input: SegmentInput): Promise<SegmentEnd> {
  const segment = openSegment(deps, input);
  try {
    return await loop(segment);
  } finally {
    segment.flights.abortAll();
  }
}

interface Segment {
  readonly deps: SegmentDeps;
  readonly signal: AbortSignal;
  readonly log: SegmentLog;
  readonly preamble: LazyPreamble;
  readonly pending: PendingResults;
  readonly flights: Flights;
  readonly wakeup: Wakeup;
  readonly tools: CurrentTools;
  decide(batch: PendingBatch): Move;
  /** Reads the log if another writer may have appended to it. */
  readNews(): Promise<void>;
  /** Waits until there is something to decide about, or until the given database time. */
  wait(waitUntil: number | undefined): Promise<void>;
}

/** Returns a function for the active time of the run, of which `beforeMs` were in other segments. */
function measureActive(clock: SegmentDeps["clock"], beforeMs: number): () => number {
  const startedAt = clock.monotonic();
  return () => beforeMs + Math.round(clock.monotonic() - startedAt);
}

function openSegment(deps: SegmentDeps, input: SegmentInput): Segment {
  const { clock, digestText, artifacts } = deps;
  const { signal, handle } = input;
  const activeMs = measureActive(clock, input.state.activeMs);
  const databaseClock = createDatabaseClock(clock, input.databaseNow);
  const log = createSegmentLog(deps, input, databaseClock);
  const preamble = createLazyPreamble(input.preamble);
  const wakeup = createWakeup(clock, signal);
  const pending = createPendingResults(wakeup.wake);
  const tools = createCurrentTools(deps, input);
  const readFile = (digest: string) => artifacts.read(input.run.ownerId, digest);
  const requests = createModelRequests(tools, preamble, { digestText, readFile });
  const questions = createCallQuestions({ ...pending, ids: deps.ids, now: databaseClock.now });
  const flights = createFlights({
    perform: createPerformer(deps, {
      run: input.run,
      tools: tools.known,
      request: (files) => requests.options(log.state(), files),
      isHere: input.isHere,
      ...judgeContextOf(deps, { preamble, log, tools }),
      ...readable(log),
      ...earlierCalls(input.earlier, tools),
      post: pending.post,
      postAndWait: pending.postAndWait,
      ask: questions.ask,
    }),
    tools: tools.known,
    onOutcome: pending.finish,
    onLanded: wakeup.wake,
  });
  let logChanged = false;
  handle.notify = () => {
    logChanged = true;
    wakeup.wake();
  };
  return {
    deps,
    signal,
    log,
    preamble,
    pending,
    flights,
    wakeup,
    tools,
    async readNews() {
      if (!logChanged) return;
      logChanged = false;
      await log.readGap();
    },
    async wait(waitUntil = Number.POSITIVE_INFINITY) {
      questions.settle(log.state());
      if (!pending.isEmpty() || flights.defect() !== undefined || logChanged) return;
      const capLeftMs = log.run().caps.activeMs - activeMs();
      const waitMs = waitUntil - databaseClock.now();
      await wakeup.wait(capLeftMs > 0 ? Math.min(waitMs, capLeftMs) : waitMs);
    },
    decide: ({ finished, outbox }) =>
      decideNext({
        state: log.state(),
        finished,
        outbox,
        inFlight: flights.keys(),
        shuttingDown: flights.isShuttingDown(),
        facts: {
          ...logFacts(log),
          tools: tools.now(),
          ...modelFacts(deps, requests, preamble),
          approvalTtlMs: deps.approvalTtlMs,
          now: databaseClock.now(),
          activeMs: activeMs(),
          hasCappedAncestors: input.lease.cappedAncestors.length > 0,
          random: clock.random(),
          contextTrusted: preamble.isTrusted(),
          earlier: input.earlier,
          giveUpError: input.giveUpError,
          ids: deps.ids,
        },
      }),
  };
}

function logFacts(
  log: SegmentLog,
): Pick<LoopFacts, "run" | "drawnMicrousd" | "budgetRefusal" | "isJustClaimed"> {
  return {
    run: log.run(),
    drawnMicrousd: log.drawnMicrousd(),
    budgetRefusal: log.budgetRefusal(),
    isJustClaimed: log.isJustClaimed(),
  };
}

function modelFacts(
  { models, modelHealth, auxiliaryRequests = noAuxiliaryRequests }: SegmentDeps,
  requests: ModelRequests,
  preamble: LazyPreamble,
): Pick<
  LoopFacts,
  | "models"
  | "isModelDown"
  | "requests"
  | "auxiliaryRequests"
  | "upkeep"
  | "ownerTexts"
  | "readingsAbove"
  | "skills"
> {
  return {
    models,
    isModelDown: modelHealth.isDown,
    requests,
    auxiliaryRequests: (state) =>
      state.kind === "upkeep"
        ? []
        : [
            ...preamble.requests(),
            ...checkpointRequests(state, preamble.isTrusted()),
            ...auxiliaryRequests(state),
          ],
    upkeep: preamble.upkeep(),
    ownerTexts: ({ labels }) => preamble.ownerTexts(labels),
    readingsAbove: () => preamble.readingsAbove(),
    skills: preamble.skills(),
  };
}

/** What tools can read of the run. */
function readable({ state }: Pick<SegmentLog, "state">) {
  return { keptOutputs: () => state().keptOutputs, skillSet: () => state().skillSet };
}

/** What the retried run means for new calls. */
function earlierCalls({ repeats, hasAny }: EarlierResults, tools: CurrentTools) {
  return { repeats: (tool: Tool) => repeats(tool, tools.known()), hasEarlier: hasAny };
}

/** The context in which the policy judges effects, besides the owner's rules. */
function judgeContextOf(
  deps: Pick<SegmentDeps, "denials" | "log">,
  { preamble, log, tools }: Pick<Segment, "preamble" | "log" | "tools">,
): Pick<JudgeContext, "labels" | "words" | "denials" | "labelsOfRun" | "openBefore"> {
  return {
    openBefore({ tool, actionId }) {
      const open = [...log.state().open.values()].filter((action) => action.tool === tool);
      return Math.max(
        0,
        open.findIndex(({ id }) => id === actionId),
      );
    },
    labelsOfRun: (runId) => labelsOfWriter(deps, log.run().ownerId, runId),
    labels: async () => mergeLabels((await preamble.load()).labels, log.state().labels),
    async words() {
      const { rootRunId, readings } = await preamble.load();
      const state = log.state();
      return {
        rootRunId,
        texts: preamble.ownerTexts(state.labels),
        readings: new Map([...readingsIn(state), ...readings]),
      };
    },
    denials: createTaskDenials(deps.denials, {
      ownerId: log.run().ownerId,
      rootRunId: async () => (await preamble.load()).rootRunId,
      tools: tools.known,
      state: log.state,
    }),
  };
}

/** Work whose request or decision depends on what was said before the run. */
const needsPreamble: ReadonlySet<Work["kind"]> = new Set(["model", "auxiliary", "prepare"]);

async function loop(segment: Segment): Promise<SegmentEnd> {
  const { deps, signal, log, preamble, pending, flights, wakeup } = segment;
  for (;;) {
    if (signal.aborted) return await shutDown(segment);
    if (flights.defect() !== undefined) throw flights.defect();
    await segment.readNews();
    await segment.tools.refresh();
    wakeup.rearm();
    const batch = pending.take();
    const move = segment.decide(batch);
    if (!preamble.isLoaded() && move.toStart.some(({ kind }) => needsPreamble.has(kind))) {
      await preamble.load();
      continue;
    }
    let start: WorkStart = { decidedAt: momentOf(deps.clock), denyingRules: undefined };
    if (move.abort) flights.abortCanceled();
    if (move.events.length > 0 || move.release) {
      const written = await log.write(move);
      if (written === "lease_lost") return signal.aborted ? "released" : "lease_lost";
      if (written === "again") continue;
      batch.markWritten();
      start = { ...start, denyingRules: log.denyingRules() };
      if (move.release) return move.release === "park" ? "parked" : "ended";
    } else {
      batch.drop();
    }
    if (signal.aborted) return await shutDown(segment, move.toStart, start);
    for (const work of move.toStart) flights.launch(work, start);
    await segment.wait(move.waitUntil);
  }
}

const maxShutdownMs = 15_000;

/**
 * Ends the segment. On an orderly shutdown, work that has its start event in the log and must not
 * be repeated is started, awaited and recorded. Otherwise every restart would leave effects with an
 * unknown outcome. There is no time for this when the lease is at risk.
 */
async function shutDown(
  segment: Segment,
  logged: readonly Work[] = [],
  start: WorkStart = { decidedAt: momentOf(segment.deps.clock), denyingRules: undefined },
): Promise<SegmentEnd> {
  const { deps, signal, pending, flights } = segment;
  const { clock } = deps;
  const isOrderly = BronError.is(signal.reason, "interrupted");
  flights.shutDown(isOrderly);
  if (!isOrderly) return "released";
  const { known } = segment.tools.now();
  for (const work of logged) if (!isRepeatable(work, known)) flights.launch(work, start);
  const deadline = clock.monotonic() + maxShutdownMs;
  while (flights.hasUnrepeatable() && clock.monotonic() < deadline) {
    // A reconcile call waits until its evidence is in the log.
    if (pending.hasPosted()) await writePending(segment);
    await clock.sleep(20);
  }
  await writePending(segment);
  return "released";
}

/** Repeats when the log has advanced meanwhile, because finished work must not be lost. */
async function writePending({ log, pending, decide }: Segment): Promise<void> {
  for (let written: Written = "again"; written === "again";) {
    const batch = pending.take();
    const move = decide(batch);
    if (move.events.length === 0) return;
    written = await log.write(move);
    if (written === "written") batch.markWritten();
  }
}
