export { fetchServerId } from "./fetch-server-id.ts";
export { ClientError } from "./client-error.ts";
export { createClient, type Client } from "./create-client.ts";
export { httpTransport, type HttpTransportOptions } from "./http-transport.ts";
export type { Change } from "./subscribe-to-changes.ts";
export type { Transport } from "./transport.ts";
export type { Network } from "./network.ts";
export type { ConnectionState } from "./connection-health.ts";
export { proveServer } from "./server-proof.ts";
