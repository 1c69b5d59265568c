import { createClient } from "@bron/client";

/** The server that this page came from; the browser's cookie says whose page it is. A page waits for its server for as long as it is open. */
export const api = createClient({ url: globalThis.location.origin, times: { patienceMs: Number.POSITIVE_INFINITY } });
