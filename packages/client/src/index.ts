export { askWho } from "./ask-who.ts";
export { ClientError } from "./client-error.ts";
export type { ClientTimes } from "./client-times.ts";
export { createClient, type Client, type ClientOptions } from "./create-client.ts";
export type { FollowOptions } from "./follow-events.ts";
export { proveServer, serverProof } from "./server-proof.ts";
export type { Sign } from "./sign.ts";
export { terminalToken, terminalTokenSeconds } from "./terminal-token.ts";
