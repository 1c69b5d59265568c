import { BronError } from "@bron/core";
import { z } from "zod";

/** Where a poll ended: the time of the newest thing, and the ids that were there. */
const seenSchema = z.object({ at: z.number(), ids: z.array(z.string()).max(1_000) });
export type Seen = z.infer<typeof seenSchema>;

export function readSeen(cursor: string): Seen {
  const parsed = seenSchema.safeParse(JSON.parse(cursor));
  if (parsed.success) return parsed.data;
  throw new BronError("internal", "The cursor of a watch is not readable.");
}

interface Dated {
  readonly id: string;
  readonly at: number;
}

/**
 * What is new, oldest first. A thing that is older than what was there counts as known: it matches
 * only now, because it was moved or labeled.
 */
export function newSince<T extends Dated>(things: readonly T[], seen: Seen): T[] {
  const known = new Set(seen.ids);
  return things
    .filter(({ id, at }) => !known.has(id) && at >= seen.at)
    .toSorted((a, b) => a.at - b.at);
}

export function cursorOf(things: readonly Dated[], before: Seen): string {
  const at = things.reduce((newest, thing) => Math.max(newest, thing.at), before.at);
  return JSON.stringify({ at, ids: things.map(({ id }) => id).slice(0, 1_000) } satisfies Seen);
}
