import type { Clock } from "@bron/core";
import type { StreamSlots } from "@bron/store";
import { randomUUID } from "node:crypto";

export interface StreamSlotService {
  /**
   * A place for one open stream of the owner, if fewer than `max` are open in all processes together; 0 for no limit.
   * The function gives it back: at most once, without waiting and without ever throwing.
   */
  take(ownerId: string, max: number): Promise<(() => void) | undefined>;
}

interface StreamSlotsDeps {
  readonly slots: StreamSlots;
  readonly clock: Clock;
  /** How long a slot outlives a process that died, and how often a living one renews its own. */
  readonly times?: { readonly goodMs: number; readonly heartbeatMs: number };
}

/** After a kill a page has its stream back within ten seconds; two beats in a row may fail. */
const defaultTimes = { goodMs: 8_000, heartbeatMs: 2_500 };

export function createStreamSlots({
  slots,
  clock,
  times: { goodMs, heartbeatMs } = defaultTimes,
}: StreamSlotsDeps): StreamSlotService & { close(): Promise<void> } {
  const holder = randomUUID();
  /** Owners by slot. */
  const held = new Map<string, string>();
  const leaving = new Set<Promise<void>>();
  const closing = new AbortController();
  let renewing = Promise.resolve();
  let heartbeatRunning: Promise<void> | undefined;

  const heartbeat = async () => {
    while (held.size > 0 && !closing.signal.aborted) {
      await clock.sleep(heartbeatMs, closing.signal);
      if (held.size === 0 || closing.signal.aborted) continue;
      // A beat that fails is made up for by the next one.
      renewing = slots.renew(holder, held, goodMs).catch(() => undefined);
      await renewing;
    }
    heartbeatRunning = undefined;
  };

  const giveBack = (id: string) => {
    if (!held.delete(id)) return;
    // After a renewal that still names it; if it cannot be removed, it runs out by itself.
    const left = renewing
      .then(() => slots.remove(id))
      .catch(() => undefined)
      .finally(() => leaving.delete(left));
    leaving.add(left);
  };

  return {
    async take(ownerId, max) {
      if (max === 0) return () => undefined;
      // A page that loads again gives one back and takes one at the same time.
      await Promise.all(leaving);
      const id = randomUUID();
      if (!(await slots.take({ id, ownerId, max, holder, goodMs }))) return undefined;
      held.set(id, ownerId);
      heartbeatRunning ??= heartbeat();
      return () => giveBack(id);
    },
    async close() {
      closing.abort();
      await heartbeatRunning;
      await Promise.all(leaving);
      held.clear();
      await slots.removeAll(holder).catch(() => undefined);
    },
  };
}
