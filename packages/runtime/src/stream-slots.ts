import type { Clock, StreamSlots } from "@bron/core";
import { randomUUID } from "node:crypto";

export interface StreamSlotService {
  /**
   * Takes a slot for one open stream if the owner has fewer than `max` in all processes together. 0
   * means no limit. The returned function releases the slot. It does not wait and never throws, and
   * further calls have no effect.
   */
  take(ownerId: string, max: number): Promise<(() => void) | undefined>;
}

interface StreamSlotsDeps {
  readonly slots: StreamSlots;
  readonly clock: Clock;
  /** How long a slot outlives a process that crashed, and how often a process renews its slots. */
  readonly times?: { readonly ttlMs: number; readonly heartbeatMs: number };
}

/**
 * After a crash, a page gets its stream back within ten seconds. Two heartbeats in a row may fail.
 */
const defaultTimes = { ttlMs: 8_000, heartbeatMs: 2_500 };

export function createStreamSlots({
  slots,
  clock,
  times: { ttlMs, heartbeatMs } = defaultTimes,
}: StreamSlotsDeps): StreamSlotService & { close(): Promise<void> } {
  const holder = randomUUID();
  /** The owner of each slot. */
  const held = new Map<string, string>();
  const releasing = new Set<Promise<void>>();
  const closing = new AbortController();
  let renewing = Promise.resolve();
  let heartbeatRunning: Promise<void> | undefined;

  const heartbeat = async () => {
    while (held.size > 0 && !closing.signal.aborted) {
      await clock.sleep(heartbeatMs, closing.signal);
      if (held.size === 0 || closing.signal.aborted) continue;
      // A failed heartbeat is made up for by the next one.
      renewing = slots.renew(holder, held, ttlMs).catch(() => undefined);
      await renewing;
    }
    heartbeatRunning = undefined;
  };

  const release = (id: string) => {
    if (!held.delete(id)) return;
    // Wait for a renewal that still includes the slot. If the removal fails, the slot expires.
    const left = renewing
      .then(() => slots.remove(id))
      .catch(() => undefined)
      .finally(() => releasing.delete(left));
    releasing.add(left);
  };

  return {
    async take(ownerId, max) {
      if (max === 0) return () => undefined;
      // A reloading page releases a slot and takes one at the same time.
      await Promise.all(releasing);
      const id = randomUUID();
      if (!(await slots.take({ id, ownerId, max, holder, ttlMs }))) return undefined;
      held.set(id, ownerId);
      heartbeatRunning ??= heartbeat();
      return () => release(id);
    },
    async close() {
      closing.abort();
      await heartbeatRunning;
      await Promise.all(releasing);
      held.clear();
      await slots.removeAll(holder).catch(() => undefined);
    },
  };
}
