import type { AccessStore, Clock } from "@bron/core";
import type { Cleanups } from "./cleanups.ts";
import type { RuntimeAccess } from "./runtime.ts";
import { accessServices, type AccessServices } from "./services/access-services.ts";
import { createSessions } from "./sessions.ts";
import { createStreamSlots } from "./stream-slots.ts";
import { createTokens } from "./tokens.ts";

export interface OpenAccess {
  readonly access: RuntimeAccess;
  readonly services: AccessServices;
}

/** Opens sign-in and limits on their store. */
export function openAccess(
  { sessions, apiTokens, rates, streamSlots }: AccessStore,
  clock: Clock,
  cleanups: Cleanups,
): OpenAccess {
  const slots = createStreamSlots({ slots: streamSlots, clock });
  cleanups.add(slots.close);
  const listeners = new Set<(ids: readonly string[]) => void>();
  const tokens = createTokens(apiTokens);
  return {
    access: {
      sessions: createSessions(sessions),
      tokens,
      rates,
      streamSlots: { take: slots.take },
      onAccessEnded(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    services: accessServices({
      sessions,
      apiTokens,
      tokens,
      onAccessEnded: (ids) => listeners.forEach((listener) => listener(ids)),
    }),
  };
}
