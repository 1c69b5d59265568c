import { BronError } from "@bron/core";
import { readFromSlack, type SlackCaller, type SlackParts } from "./call-slack.ts";

/** Of one owner's workspace, so that one does not see names of another's. */
export interface UserNames {
  /** Looks up those that are not known yet. */
  learn(parts: SlackParts, caller: SlackCaller, ids: Iterable<string>): Promise<ReadonlyMap<string, string>>;
}

const keptMs = 10 * 60_000;
const atOnce = 5;

export function createUserNames(): UserNames {
  const known = new Map<string, { readonly name: string; readonly until: number }>();
  return {
    async learn(parts, caller, ids) {
      const now = parts.clock.now();
      const wanted = [...new Set(ids)];
      const keyOf = (id: string) => `${caller.ownerId} ${id}`;
      const missing = wanted.filter((id) => (known.get(keyOf(id))?.until ?? 0) <= now);
      for (let at = 0; at < missing.length; at += atOnce) {
        const names = await Promise.all(missing.slice(at, at + atOnce).map(async (id) => [id, await nameOf(parts, caller, id)] as const));
        for (const [id, name] of names) known.set(keyOf(id), { name, until: now + keptMs });
      }
      if (known.size > 5_000) for (const [key, { until }] of known) if (until <= now) known.delete(key);
      return new Map(wanted.map((id) => [id, known.get(keyOf(id))?.name ?? id]));
    },
  };
}

/** A name that cannot be had is no reason not to read. */
async function nameOf(parts: SlackParts, caller: SlackCaller, id: string): Promise<string> {
  try {
    const { user } = await readFromSlack(parts, caller, (client) => client.users.info({ user: id }));
    return user?.profile?.display_name || user?.real_name || user?.name || id;
  } catch (error) {
    if (BronError.is(error, "tool_failed")) return id;
    throw error;
  }
}
