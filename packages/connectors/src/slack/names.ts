import { BronError } from "@bron/core";
import { readFromSlack, type SlackCaller, type SlackDeps } from "./call-slack.ts";

/** Of one owner's workspace, so that one does not see names of another's. */
export interface UserNames {
  /** Looks up those that are not known yet, for a while: a name that cannot be had in it stays an id. */
  learn(
    deps: SlackDeps,
    caller: SlackCaller,
    ids: Iterable<string>,
  ): Promise<ReadonlyMap<string, string>>;
}

const keptMs = 10 * 60_000;
/** So long one that could not be had is not asked for again. */
const missedMs = 30_000;
/** What was read waits for its names no longer than this, all of them together. */
const patienceMs = 10_000;
const atOnce = 5;
const maxKnown = 5_000;

export function createUserNames(): UserNames {
  const known = new Map<string, { readonly name: string | undefined; readonly until: number }>();
  return {
    async learn(parts, caller, ids) {
      const { clock } = parts;
      const now = clock.now();
      const patientUntil = clock.monotonic() + patienceMs;
      const wanted = [...new Set(ids)];
      const keyOf = (id: string) => `${caller.ownerId} ${id}`;
      const missing = wanted.filter((id) => (known.get(keyOf(id))?.until ?? 0) <= now);
      for (let at = 0; at < missing.length && clock.monotonic() < patientUntil; at += atOnce) {
        const found = await Promise.all(
          missing
            .slice(at, at + atOnce)
            .map(async (id) => [id, await nameOf(parts, { ...caller, patientUntil }, id)] as const),
        );
        for (const [id, name] of found)
          known.set(keyOf(id), { name, until: now + (name === undefined ? missedMs : keptMs) });
        // Slack is not asked on and on while it does not answer.
        if (found.some(([, name]) => name === undefined)) break;
      }
      if (known.size > maxKnown)
        for (const [key, { until }] of known) if (until <= now) known.delete(key);
      return new Map(wanted.map((id) => [id, known.get(keyOf(id))?.name ?? id]));
    },
  };
}

/** A name that cannot be had is no reason not to read. */
async function nameOf(
  deps: SlackDeps,
  caller: SlackCaller,
  id: string,
): Promise<string | undefined> {
  try {
    const { user } = await readFromSlack(deps, caller, (client) => client.users.info({ user: id }));
    return user?.profile?.display_name || user?.real_name || user?.name || id;
  } catch (error) {
    if (BronError.is(error, "not_found")) return id;
    if (BronError.is(error, "tool_failed")) return undefined;
    throw error;
  }
}
