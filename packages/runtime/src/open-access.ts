import type { AccessStore, Clock } from "@bron/core";
import type { Cleanups } from "./cleanups.ts";
import type { RuntimeAccess } from "./runtime.ts";
import { createSessions } from "./sessions.ts";
import { createStreamSlots } from "./stream-slots.ts";
import { createTokens } from "./tokens.ts";

/** Opens sign-in and limits on their store. */
export function openAccess(
  { sessions, apiTokens, rates, streamSlots }: AccessStore,
  clock: Clock,
  cleanups: Cleanups,
): RuntimeAccess {
  const slots = createStreamSlots({ slots: streamSlots, clock });
  cleanups.add(slots.close);
  return {
    sessions: createSessions(sessions),
    tokens: createTokens(apiTokens),
    rates,
    streamSlots: { take: slots.take },
  };
}
