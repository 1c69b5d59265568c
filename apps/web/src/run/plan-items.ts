import type { EventView } from "@bron/protocol";
import type { Item, PlannedAsk } from "./item.ts";

/** Adds what Bron read in the owner's words, or marks a request that the owner crossed out. */
export function addIntent(
  items: Item[],
  { seq, payload }: Extract<EventView, { type: "intent" }>,
): void {
  const key = String(seq);
  if (payload.state === "crossed_out") return setAsk(items, payload.key, "crossed_out");
  if (payload.state === "unread")
    return void items.push({
      kind: "line",
      key,
      line: { level: "warn", kind: "words_not_read" },
    });
  const { asks, prohibitions } = payload;
  items.push({
    kind: "plan",
    key,
    asks: asks.map((ask) => ({ ...ask, state: "open" })),
    prohibitions,
  });
}

/** A request for one effect per person stays open until it is crossed out. */
export function setAsk(items: Item[], key: string, state: PlannedAsk["state"]): void {
  for (const [index, item] of items.entries())
    if (item.kind === "plan")
      items[index] = {
        ...item,
        asks: item.asks.map((ask) =>
          ask.key === key && !(state === "used" && ask.times === "each") ? { ...ask, state } : ask,
        ),
      };
}

/** Nothing can be crossed out once the task has ended. */
export function endPlans(items: Item[]): void {
  for (const [index, item] of items.entries())
    if (item.kind === "plan") items[index] = { ...item, isOver: true };
}
