export { createServer, type BronServer, type ServerOptions } from "./create-server.ts";
export { addressOf, refuseBeyondLoopback } from "./access/loopback.ts";
export { signInLink } from "./access/sign-in-link.ts";
export { terminalToken } from "./access/terminal-token.ts";
export { askWho, serverIdHeader } from "./server-id.ts";
export type { Problem } from "./problem.ts";
export { checkPort } from "./listen.ts";
