import { createClient } from "@bron/client";
import { network } from "./live/network.ts";
import { fetchByClock } from "./live/server-clock.ts";
import { limitStreams, type Locks } from "./live/stream-slots.ts";

/** The server that this page came from; the browser's cookie says whose page it is. A page waits for its server for as long as it is open. */
export const api = createClient({
  url: globalThis.location.origin,
  times: { giveUpAfterMs: Number.POSITIVE_INFINITY },
  network,
  fetch: limitStreams(fetchByClock, (navigator as { readonly locks?: Locks }).locks),
});
