export { createToolServers, type ToolServersOptions } from "./create-tool-servers.ts";
export { handleMcpRequest } from "./door/handle-request.ts";
export { serveMcpStdio } from "./door/serve-stdio.ts";
export { findServerProblems } from "./server-catalog.ts";
