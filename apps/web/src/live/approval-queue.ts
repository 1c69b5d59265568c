import { ClientError } from "@bron/client";
import { useSyncExternalStore } from "react";

/** The wait if the server does not say how long. */
const defaultWaitSeconds = 5;
/** A request that gets no response does not hold up the next one for longer. */
const maxHoldMs = 5_000;

const none: ReadonlySet<string> = new Set();

/**
 * Sends choices one after the other. If the server takes no more for now, the choice and those
 * after it wait until it does. They stay in the queue when the owner goes to another page of the app.
 */
export function createApprovalQueue(
  sleep: (ms: number) => Promise<unknown>,
  hold: () => Promise<unknown> = () => later(maxHoldMs),
) {
  const queued = new Map<object, readonly string[]>();
  const listeners = new Set<() => void>();
  let last: Promise<unknown> = Promise.resolve();
  let isBlocked = false;
  let waiting = none;
  const update = () => {
    const next = isBlocked ? new Set([...queued.values()].flat()) : none;
    if (next.size === 0 && waiting.size === 0) return;
    waiting = next;
    for (const listener of listeners) listener();
  };
  const attempt = async <T>(request: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        const result = await request();
        isBlocked = false;
        return result;
      } catch (error) {
        isBlocked = ClientError.is(error, "rate_limited");
        if (!isBlocked) throw error;
        update();
        await sleep(waitMs(error));
      }
  };
  const untilOver = async (earlier: Promise<unknown>) => {
    let isOver = false;
    const over = earlier.then(() => (isOver = true));
    do await Promise.race([over, hold()]);
    while (!isOver && isBlocked);
  };
  return {
    /** `ids` are the approvals that the request decides. Throws what the request throws. */
    async send<T>(ids: readonly string[], request: () => Promise<T>): Promise<T> {
      const entry = {};
      queued.set(entry, ids);
      update();
      const turn = untilOver(last).then(() => attempt(request));
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        queued.delete(entry);
        update();
      }
    },
    /** The approvals whose choices wait for the server. */
    waiting: () => waiting,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function waitMs(error: unknown): number {
  const seconds = ClientError.is(error) ? error.details["retryAfterSeconds"] : undefined;
  return (typeof seconds === "number" ? seconds : defaultWaitSeconds) * 1_000;
}

function later(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The queue of this page. */
export const approvalQueue = createApprovalQueue(later);

/** The approvals whose choices wait to be sent. */
export function useUnsentApprovals(): ReadonlySet<string> {
  return useSyncExternalStore(approvalQueue.subscribe, approvalQueue.waiting, () => none);
}
