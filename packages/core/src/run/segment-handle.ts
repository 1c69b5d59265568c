import type { Lease } from "../ports/runs/run-log.ts";

/** What a segment and the worker that runs it tell each other. The worker creates it. */
export interface SegmentHandle {
  /** Set by the claim, before the first append, so that the worker can renew it. */
  lease: Lease | undefined;
  /** How far the segment has read the log. */
  seen: number;
  /** The worker calls this when another writer may have appended to the log. */
  notify: () => void;
}

export function createSegmentHandle(): SegmentHandle {
  return { lease: undefined, seen: 0, notify: () => undefined };
}
