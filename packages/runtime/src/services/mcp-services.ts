import { BronError, requestError, type ToolServers } from "@bron/core";
import type { ServiceCaller, ServicesOf } from "./service.ts";

type McpKeys =
  | "GET /api/mcp-servers"
  | "POST /api/mcp-servers"
  | "DELETE /api/mcp-servers/:name"
  | "POST /api/mcp-servers/:name/test"
  | "POST /api/mcp-servers/:name/accept";

/** The MCP servers of the owner: what they offer, and what the owner accepts of it. */
export function mcpServices({
  toolServers,
}: {
  readonly toolServers: ToolServers | undefined;
}): ServicesOf<McpKeys> {
  const find = (): ToolServers => {
    if (toolServers) return toolServers;
    throw new BronError("not_found", "This runtime has no MCP servers.");
  };
  const list = async (ownerId: string) => ({
    servers: [...((await toolServers?.list(ownerId)) ?? [])],
  });
  return {
    "GET /api/mcp-servers": ({ caller: { ownerId } }) => list(ownerId),
    async "POST /api/mcp-servers"({ caller, body }) {
      requirePerson(caller);
      // Adding a command runs any program as the user of this server.
      if (body.command !== undefined && caller.via !== "terminal")
        throw new BronError(
          "forbidden",
          "A server that is a command can only be added in a terminal: bron mcp add",
        );
      await find().add(caller.ownerId, body);
      return await list(caller.ownerId);
    },
    async "DELETE /api/mcp-servers/:name"({ caller: { ownerId }, params }) {
      await find().remove(ownerId, params.name);
      return await list(ownerId);
    },
    async "POST /api/mcp-servers/:name/test"({ caller: { ownerId }, params }) {
      await find().test(ownerId, params.name);
      return await list(ownerId);
    },
    async "POST /api/mcp-servers/:name/accept"({ caller, params, body }) {
      requirePerson(caller);
      await find().accept(caller.ownerId, params.name, body.digest);
      return await list(caller.ownerId);
    },
  };
}

/** Adding and accepting decide which programs Bron trusts, so a program cannot do it. */
function requirePerson({ via }: ServiceCaller): void {
  if (via === "token") throw requestError("forbidden", { code: "person_needed" });
}
