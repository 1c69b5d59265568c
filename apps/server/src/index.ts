export { createServer, type BronServer, type ServerOptions } from "./create-server.ts";
export { addressOf } from "./access/loopback.ts";
export { signInLink } from "./access/sign-in-link.ts";
export { exportThread } from "./export/thread-export.ts";
export { checkPort } from "./listen.ts";
export { createMetrics, type Metrics } from "./operations/metrics.ts";
export type { RequestEntry } from "./operations/request-entry.ts";
