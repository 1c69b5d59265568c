export { createToolServers, type ToolServersOptions } from "./create-tool-servers.ts";
