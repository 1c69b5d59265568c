import type { ClientActionRow, DayUse, ReportedStatus } from "@bron/core";
import {
  emptyRunResult,
  type ActionView,
  type ApprovalView,
  type ArtifactView,
  type AttachedContext,
  type CardLine,
  type EffectView,
  type QuestionView,
  type JsonValue,
  type RunEvent,
  type RunView,
  type TrustLevel,
} from "@bron/protocol";

/** The action that holds an ask. */
export interface MemoryAskUse {
  readonly runId: string;
  readonly actionId: string;
}

/** An action, and when it was planned. */
interface MemoryAction {
  view: ActionView;
  readonly createdAt: string;
}

/** A run with everything that its database rows would hold. */
export interface MemoryRun {
  view: RunView;
  attachedContext: AttachedContext[] | undefined;
  readonly kind: "upkeep" | undefined;
  /** See `deservesSummary`. */
  upkeepDue: boolean;
  /** The run that renews the summary. */
  upkeepRunId: string | undefined;
  idempotencyKey: string | undefined;
  logVersion: number;
  events: RunEvent[];
  actions: Map<string, MemoryAction>;
  effects: Map<string, EffectView>;
  /** The prepared form of each effect. */
  prepared: Map<string, JsonValue>;
  approvals: Map<string, ApprovalView>;
  questions: Map<string, QuestionView>;
  clientActions: Map<string, ClientActionRow>;
  /** The owner's asks that effects of this run and its child runs use, by key. Null: crossed out. */
  readonly askUses: Map<string, MemoryAskUse | null>;
  /** What was read in the owner's words of this task, by the number of texts. */
  readonly readings: Map<number, JsonValue>;
  /** The token hash of each approval that the owner gave. */
  tokenHashes: Map<string, string>;
  artifacts: ArtifactView[];
  /** Files that the run stored. Not all of them have become artifacts. */
  readonly storedDigests: Set<string>;
  card: CardLine | null;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  runnable: boolean;
  wakes: number;
  wakeAt: number;
  /** When a wake or a sweep last marked the run. */
  markedAt: number;
  lease: { owner: string; until: number } | undefined;
  epoch: number;
  claims: number;
  drawnMicrousd: number;
  /** Steps so far. */
  steps: number;
  readonly cappedAncestors: readonly string[];
  readonly maxTrustLevel: TrustLevel | null;
  /** The schedule that started it has not counted its end yet. */
  isScheduleOpen: boolean;
  /** What it has drawn from its owner's budget of a day. */
  dayUse: DayUse;
  /** What the runs below have drawn from the caps of this run. */
  treeDrawnMicrousd: number;
  treeSteps: number;
  reportedToParent: ReportedStatus;
  /** The size of the events as JSON. */
  bytes: number;
}

interface RunHead {
  readonly view: RunView;
  readonly attachedContext: AttachedContext[] | undefined;
  readonly kind?: "upkeep" | undefined;
  readonly upkeepDue?: boolean;
  readonly idempotencyKey: string | undefined;
  readonly logVersion: number;
  readonly wakeAt: number;
  readonly markedAt: number;
  readonly cappedAncestors: readonly string[];
  readonly maxTrustLevel: TrustLevel | null;
}

/** The runs with a cap on money or steps that count what a child run of this run uses. */
export function cappedRuns({ view, cappedAncestors }: MemoryRun): string[] {
  const { costMicrousd, steps } = view.caps;
  const isCapped = costMicrousd !== undefined || steps !== undefined;
  return [...cappedAncestors, ...(isCapped ? [view.id] : [])];
}

/** What the view of a run says before its first event. */
export const emptyRunView = {
  status: "queued",
  cancelRequested: false,
  waitsFor: null,
  place: null,
  summary: null,
  error: null,
  ...emptyRunResult,
  lastSeq: 0,
  startedAt: null,
  finishedAt: null,
} as const satisfies Partial<RunView>;

/** A run with an empty log. */
export function newMemoryRun(head: RunHead): MemoryRun {
  return {
    ...head,
    kind: head.kind,
    upkeepDue: head.upkeepDue ?? false,
    upkeepRunId: undefined,
    events: [],
    actions: new Map(),
    effects: new Map(),
    prepared: new Map(),
    approvals: new Map(),
    questions: new Map(),
    clientActions: new Map(),
    askUses: new Map(),
    readings: new Map(),
    tokenHashes: new Map(),
    artifacts: [],
    storedDigests: new Set(),
    card: null,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    runnable: head.view.runnable,
    wakes: 1,
    lease: undefined,
    epoch: 0,
    claims: 0,
    drawnMicrousd: 0,
    dayUse: { day: null, drawnMicrousd: 0, baseMicrousd: 0 },
    isScheduleOpen: head.view.scheduleId !== null,
    steps: 0,
    treeDrawnMicrousd: 0,
    treeSteps: 0,
    reportedToParent: "running",
    bytes: 0,
  };
}
