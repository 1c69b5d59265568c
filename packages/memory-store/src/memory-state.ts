import type { ThreadMessage, Waker } from "@bron/core";
import type { UploadView } from "@bron/protocol";
import { createMemoryAudit, type MemoryAudit } from "./memory-audit.ts";
import type { MemoryRun } from "./memory-run.ts";

interface MemoryOwner {
  cap: number | null;
  drawn: number;
}

interface MemoryThread {
  readonly ownerId: string;
  readonly bronId: string;
  readonly messages: (ThreadMessage & { readonly runId: string })[];
}

export interface MemoryUpload {
  readonly ownerId: string;
  view: UploadView;
  readonly expiresAt: number;
}

export interface MemoryStoreOptions {
  readonly now: () => number;
  readonly uuid: () => string;
  readonly waker?: Waker;
}

/** What the tables of a database would hold, and where its time and ids come from. */
export interface MemoryState {
  readonly now: () => number;
  readonly uuid: () => string;
  readonly waker: Waker | undefined;
  readonly runs: Map<string, MemoryRun>;
  readonly owners: Map<string, MemoryOwner>;
  /** The owner of each Bron. */
  readonly brons: Map<string, string>;
  readonly threads: Map<string, MemoryThread>;
  /** Keyed by `blobKey`. */
  readonly blobs: Map<string, Uint8Array>;
  readonly uploads: Map<string, MemoryUpload>;
  readonly audit: MemoryAudit;
}

export function createMemoryState({ now, uuid, waker }: MemoryStoreOptions): MemoryState {
  return {
    now,
    uuid,
    waker,
    runs: new Map(),
    owners: new Map(),
    brons: new Map(),
    threads: new Map(),
    blobs: new Map(),
    uploads: new Map(),
    audit: createMemoryAudit(() => new Date(now()).toISOString()),
  };
}

export const stamp = ({ now }: MemoryState) => new Date(now()).toISOString();

export const blobKey = (ownerId: string, digest: string) => `${ownerId} ${digest}`;

export function findRun(
  { runs }: MemoryState,
  ownerId: string,
  runId: string,
): MemoryRun | undefined {
  const run = runs.get(runId);
  return run?.view.ownerId === ownerId ? run : undefined;
}

export const runsOf = ({ runs }: MemoryState, ownerId: string) =>
  [...runs.values()].filter(({ view }) => view.ownerId === ownerId);

/** Creates the owner's row if there is none. */
export function ensureOwner({ owners }: MemoryState, ownerId: string): MemoryOwner {
  const found = owners.get(ownerId) ?? { cap: null, drawn: 0 };
  owners.set(ownerId, found);
  return found;
}
