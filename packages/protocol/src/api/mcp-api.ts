import { z } from "zod";
import { mcpServerViewSchema, newMcpServerSchema } from "../mcp.ts";
import { emptyBodySchema, endpoints } from "./endpoint.ts";

const servers = z.object({ servers: z.array(mcpServerViewSchema) });
const tag = "MCP";

export const mcpApi = endpoints({
  "GET /api/mcp-servers": {
    summary: "List MCP servers with their tools. Others than the owner of the server see none.",
    tag,
    scope: "manage",
    response: servers,
  },
  "POST /api/mcp-servers": {
    summary: "Add an MCP server. Not for tokens. Only a terminal can add one that is a command.",
    tag,
    scope: "manage",
    alsoScope: "approve",
    rate: "connect",
    body: newMcpServerSchema,
    response: servers,
  },
  "DELETE /api/mcp-servers/:name": {
    summary: "Remove an MCP server of the home, with everything that was accepted of it.",
    tag,
    scope: "manage",
    response: servers,
  },
  "POST /mcp": {
    summary:
      "Bron as an MCP server (streamable HTTP, without sessions). Needs an API token. It starts and reads tasks, and never approves.",
    tag,
    scope: "read",
    body: z.unknown(),
    also: { 202: { summary: "A notification was received.", response: "nothing" } },
    response: z.unknown(),
  },
  "POST /api/mcp-servers/:name/test": {
    summary: "Start or reach an MCP server, and read its tools. It accepts nothing.",
    tag,
    scope: "manage",
    rate: "connect",
    body: emptyBodySchema,
    response: servers,
  },
  "POST /api/mcp-servers/:name/accept": {
    summary: "Accept the tools of an MCP server exactly as they were listed. Not for tokens.",
    tag,
    scope: "manage",
    alsoScope: "approve",
    body: z.strictObject({ digest: z.string().max(100) }),
    response: servers,
  },
});
