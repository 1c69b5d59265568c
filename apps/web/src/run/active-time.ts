import { isParked, isTerminal, type EventView } from "@bron/protocol";

/** How long a run has worked. Time in which it waited for its owner does not count. */
export interface ActiveTime {
  /** The finished spans of work. */
  readonly ms: number;
  /** When the current span began. Undefined while it waits, and after its end. */
  readonly since: string | undefined;
}

export const noActiveTime: ActiveTime = { ms: 0, since: undefined };

export function addActiveTime(active: ActiveTime, event: EventView): ActiveTime {
  if (event.type === "status") {
    const { status } = event.payload;
    if (isParked(status) || isTerminal(status))
      return { ms: activeMs(active, Date.parse(event.createdAt)), since: undefined };
    return status === "queued" ? active : started(active, event);
  }
  const isStart =
    (event.type === "step" || event.type === "tool") && event.payload.phase === "start";
  return isStart ? started(active, event) : active;
}

/** The time at work until `now`. */
export function activeMs({ ms, since }: ActiveTime, now: number): number {
  return since === undefined ? ms : ms + Math.max(0, now - Date.parse(since));
}

function started(active: ActiveTime, { createdAt }: EventView): ActiveTime {
  return active.since === undefined ? { ...active, since: createdAt } : active;
}
