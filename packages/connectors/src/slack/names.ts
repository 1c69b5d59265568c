import { BronError } from "@bron/core";
import { readFromSlack, type SlackCaller, type SlackDeps } from "./call-slack.ts";

/** User names, cached per owner so that owners never see names from another workspace. */
export interface UserNames {
  /** Looks up unknown names within a time limit. A name that cannot be read in time stays an id. */
  resolve(
    deps: SlackDeps,
    caller: SlackCaller,
    ids: Iterable<string>,
  ): Promise<ReadonlyMap<string, string>>;
}

const cacheMs = 10 * 60_000;
/** How long a name that could not be read is not requested again. */
const retryMissingMs = 30_000;
/** Time limit for all names of one read together. */
const totalTimeoutMs = 10_000;
const batchSize = 5;
const maxCached = 5_000;

export function createUserNames(): UserNames {
  const cache = new Map<string, { readonly name: string | undefined; readonly until: number }>();
  return {
    async resolve(deps, caller, ids) {
      const { clock } = deps;
      const now = clock.now();
      const retryDeadline = clock.monotonic() + totalTimeoutMs;
      const uniqueIds = [...new Set(ids)];
      const keyOf = (id: string) => `${caller.ownerId} ${id}`;
      const missing = uniqueIds.filter((id) => (cache.get(keyOf(id))?.until ?? 0) <= now);
      for (let at = 0; at < missing.length && clock.monotonic() < retryDeadline; at += batchSize) {
        const found = await Promise.all(
          missing
            .slice(at, at + batchSize)
            .map(async (id) => [id, await nameOf(deps, { ...caller, retryDeadline }, id)] as const),
        );
        for (const [id, name] of found)
          cache.set(keyOf(id), {
            name,
            until: now + (name === undefined ? retryMissingMs : cacheMs),
          });
        // Stop asking while Slack does not respond.
        if (found.some(([, name]) => name === undefined)) break;
      }
      if (cache.size > maxCached)
        for (const [key, { until }] of cache) if (until <= now) cache.delete(key);
      return new Map(uniqueIds.map((id) => [id, cache.get(keyOf(id))?.name ?? id]));
    },
  };
}

/** Returns undefined if the name cannot be read now, because a missing name must not fail the read. */
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
