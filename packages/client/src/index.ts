export { fetchServerId } from "./fetch-server-id.ts";
export { ClientError } from "./client-error.ts";
export { createClient, type Client, type ClientOptions } from "./create-client.ts";
export type { Network } from "./network.ts";
export type { ConnectionState } from "./connection-health.ts";
export { proveServer, serverProof } from "./server-proof.ts";
export { terminalToken, terminalTokenSeconds } from "./terminal-token.ts";
