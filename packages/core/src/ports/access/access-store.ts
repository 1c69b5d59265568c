import type { ApiTokens } from "./api-tokens.ts";
import type { Rates } from "./rates.ts";
import type { Sessions } from "./sessions.ts";
import type { StreamSlots } from "./stream-slots.ts";

/** Who may call a runtime over a network, and how often. A runtime in one process needs none. */
export interface AccessStore {
  readonly sessions: Sessions;
  readonly apiTokens: ApiTokens;
  readonly rates: Rates;
  readonly streamSlots: StreamSlots;
}
