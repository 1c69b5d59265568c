import { createClient } from "@bron/client";

/** The server that this page came from; the browser's cookie says whose page it is. */
export const api = createClient({ url: globalThis.location.origin });
