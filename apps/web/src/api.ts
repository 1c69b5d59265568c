import { createClient, httpTransport } from "@bron/client";
import { network } from "./live/network.ts";
import { fetchByClock } from "./live/server-clock.ts";
import { limitStreams, type Locks } from "./live/stream-slots.ts";

/**
 * The client of the server that served this page. The browser's cookie identifies the owner. A page
 * keeps trying to reach its server for as long as it is open.
 */
export const api = createClient({
  transport: httpTransport({
    url: () => globalThis.location.origin,
    times: { giveUpAfterMs: Number.POSITIVE_INFINITY },
    network,
    fetch: limitStreams(fetchByClock, (navigator as { readonly locks?: Locks }).locks),
  }),
});
