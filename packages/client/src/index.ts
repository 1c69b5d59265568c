export { askWho } from "./ask-who.ts";
export { ClientError } from "./client-error.ts";
export type { ClientTimes } from "./client-times.ts";
export { createClient, type Client, type ClientOptions } from "./create-client.ts";
export type { FollowOptions } from "./follow-events.ts";
export { terminalToken, terminalTokenSeconds, type Sign } from "./terminal-token.ts";
