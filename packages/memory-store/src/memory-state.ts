import type {
  Contacts,
  OlderSummary,
  SkillRow,
  McpPin,
  Schedule,
  StoredModelKey,
  StoredOauthClient,
  StoredTokens,
  ThreadMessage,
  Waker,
} from "@bron/core";
import type {
  AllowedView,
  EffectSetting,
  GrantView,
  PartialText,
  PersonaSource,
  RuleView,
  ServedPlace,
  SkillContent,
  TrustLevel,
  UploadView,
} from "@bron/protocol";
import { createMemoryAudit, type MemoryAudit } from "./memory-audit.ts";
import { createMemoryFeed, type MemoryFeed } from "./memory-feed.ts";
import type { MemoryRun } from "./memory-run.ts";
import type { StoredStatement } from "./stored-statement.ts";

export interface MemoryOwner {
  cap: number | null;
  drawn: number;
  zone: string;
  dayCap: number | null;
  monthCap: number | null;
  /** What was drawn on each day in its zone. */
  readonly days: Map<string, number>;
}

export interface MemoryBron {
  readonly id: string;
  readonly ownerId: string;
  name: string;
  avatarColor: string;
  systemPrompt: string;
  personaSource: PersonaSource;
  memorySummary: string;
  memoryBefore: string | null;
  memoryUpdatedAt: string | null;
  /** Changes with each change of the summary. */
  memoryVersion: number;
  memoryOn: boolean;
  trustLevel: TrustLevel;
  tools: readonly string[] | null;
  model: string | null;
  skills: readonly string[] | null;
  maxCostMicrousd: number | null;
  readonly isDefault: boolean;
  archivedAt: string | null;
  readonly createdAt: string;
}

export interface MemoryThread {
  readonly id: string;
  readonly ownerId: string;
  readonly bronId: string;
  title: string;
  readonly createdAt: string;
  /** When the owner last wrote in it. Null for the thread of a child run. */
  updatedAt: string | null;
  archivedAt: string | null;
  pinnedAt: string | null;
  messages: (ThreadMessage & { readonly runId: string })[];
  older: OlderSummary | undefined;
}

/** A schedule, and where the last poll of a watch ended. */
export interface MemorySchedule {
  row: Schedule;
  cursor: string | null;
}

export interface MemoryUpload {
  readonly ownerId: string;
  view: UploadView;
  readonly expiresAt: number;
}

export type Owned<View> = View & { readonly ownerId: string };
type Contact = Awaited<ReturnType<Contacts["find"]>>[number];

/** How much a store keeps. */
export interface MemoryLimits {
  readonly maxRuns: number;
  /** Logs and files, approximately. */
  readonly maxBytes: number;
  readonly maxAuditRows: number;
  readonly maxUsedKeys: number;
}

export interface MemoryStoreOptions {
  /** Epoch milliseconds. The default is the clock of this machine. */
  readonly now?: () => number;
  readonly uuid?: () => string;
  readonly limits?: Partial<MemoryLimits>;
}

/** What the tables of a database would hold, and where its time and ids come from. */
export interface MemoryState {
  readonly now: () => number;
  readonly uuid: () => string;
  readonly limits: MemoryLimits;
  readonly feed: MemoryFeed;
  waker: Waker | undefined;
  /** Oldest first, like the other maps. */
  readonly runs: Map<string, MemoryRun>;
  readonly owners: Map<string, MemoryOwner>;
  readonly brons: Map<string, MemoryBron>;
  readonly threads: Map<string, MemoryThread>;
  readonly memory: Map<string, StoredStatement>;
  /** Of the newest message of all threads. */
  lastMessageId: number;
  readonly schedules: Map<string, MemorySchedule>;
  /** Keyed by `keyOf(ownerId, digest)`. */
  readonly blobs: Map<string, Uint8Array>;
  readonly uploads: Map<string, MemoryUpload>;
  readonly rules: Map<string, Owned<RuleView>>;
  readonly allowed: Map<string, Owned<AllowedView>>;
  readonly grants: Map<string, Owned<GrantView>>;
  /** By owner and kind. */
  readonly effectSettings: Map<string, EffectSetting>;
  /** Keyed by run. */
  readonly partialTexts: Map<string, PartialText>;
  readonly usedKeys: Set<string>;
  /** Runs that wrote a thing, and whether they had read only the owner's words. */
  readonly written: Map<string, Map<string, boolean>>;
  readonly workers: Map<
    string,
    { readonly places: readonly ServedPlace[]; readonly seenAt: number }
  >;
  /** Keyed by `keyOf(ownerId, source, address)`. */
  readonly contacts: Map<string, Contact>;
  /** Keyed by `keyOf(ownerId, provider)`, like the next one. */
  readonly oauthTokens: Map<string, StoredTokens>;
  /** By owner and name. */
  readonly skills: Map<string, Owned<SkillRow>>;
  /** By owner and digest. */
  readonly skillContents: Map<string, SkillContent>;
  readonly modelKeys: Map<string, Owned<StoredModelKey & { readonly updatedAt: string }>>;
  /** By provider. */
  readonly oauthClients: Map<string, StoredOauthClient & { readonly updatedAt: string }>;
  /** Keyed by `keyOf(ownerId, server)`. */
  readonly mcpPins: Map<string, Owned<McpPin>>;
  /** By effect: until when the restoring of what it replaced is reserved. */
  readonly restoring: Map<string, number>;
  readonly audit: MemoryAudit;
  /** The size of all logs and files. */
  bytes: number;
}

const defaultMemoryLimits: MemoryLimits = {
  maxRuns: 1_000,
  maxBytes: 256 * 1024 * 1024,
  maxAuditRows: 10_000,
  maxUsedKeys: 10_000,
};

export function createMemoryState({
  now = Date.now,
  uuid = () => crypto.randomUUID(),
  limits,
}: MemoryStoreOptions): MemoryState {
  const allLimits = { ...defaultMemoryLimits, ...limits };
  return {
    now,
    uuid,
    limits: allLimits,
    feed: createMemoryFeed(),
    waker: undefined,
    runs: new Map(),
    owners: new Map(),
    brons: new Map(),
    threads: new Map(),
    memory: new Map(),
    lastMessageId: 0,
    schedules: new Map(),
    blobs: new Map(),
    uploads: new Map(),
    rules: new Map(),
    allowed: new Map(),
    grants: new Map(),
    effectSettings: new Map(),
    partialTexts: new Map(),
    usedKeys: new Set(),
    written: new Map(),
    workers: new Map(),
    contacts: new Map(),
    oauthTokens: new Map(),
    skills: new Map(),
    skillContents: new Map(),
    modelKeys: new Map(),
    oauthClients: new Map(),
    mcpPins: new Map(),
    restoring: new Map(),
    audit: createMemoryAudit(() => new Date(now()).toISOString(), allLimits.maxAuditRows),
    bytes: 0,
  };
}

export const stamp = ({ now }: Pick<MemoryState, "now">) => new Date(now()).toISOString();

export const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);

export function findRun(
  { runs }: MemoryState,
  ownerId: string,
  runId: string,
): MemoryRun | undefined {
  const run = runs.get(runId);
  return run?.view.ownerId === ownerId ? run : undefined;
}

/** Whether a run is the root, or one of the runs below it. */
export function isInTree({ runs }: MemoryState, rootId: string, runId: string): boolean {
  for (let id: string | null | undefined = runId; id; id = runs.get(id)?.view.parentRunId)
    if (id === rootId) return true;
  return false;
}

export const runsOf = ({ runs }: MemoryState, ownerId: string) =>
  [...runs.values()].filter(({ view }) => view.ownerId === ownerId);

/** Creates the owner's row if there is none. */
export function ensureOwner({ owners }: MemoryState, ownerId: string): MemoryOwner {
  const found = owners.get(ownerId) ?? {
    cap: null,
    drawn: 0,
    zone: "UTC",
    dayCap: null,
    monthCap: null,
    days: new Map<string, number>(),
  };
  owners.set(ownerId, found);
  return found;
}

/** Message ids increase in the order in which messages are added. */
export function nextMessageId(state: MemoryState): string {
  return String(++state.lastMessageId);
}
