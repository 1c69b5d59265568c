import { mcpProviderOf, type McpServerView, type NewMcpServer } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";

/** What the owner can do with MCP servers. */
export function useMcpChanges() {
  const client = useQueryClient();
  const { queryKey } = queries.mcpServers();
  const onServers = ({ servers }: { readonly servers: McpServerView[] }) =>
    client.setQueryData(queryKey, servers);
  const refetch = () => void client.invalidateQueries({ queryKey });
  const test = useMutation({
    mutationFn: (name: string) =>
      api.call("POST /api/mcp-servers/:name/test", { params: { name }, body: {} }),
    onSuccess: onServers,
  });
  const add = useMutation({
    async mutationFn(server: NewMcpServer) {
      await api.call("POST /api/mcp-servers", { body: server });
      return await api.call("POST /api/mcp-servers/:name/test", {
        params: { name: server.name },
        body: {},
      });
    },
    onSuccess: onServers,
    onError: refetch,
  });
  const accept = useMutation({
    mutationFn: ({ name, digest }: { readonly name: string; readonly digest: string }) =>
      api.call("POST /api/mcp-servers/:name/accept", { params: { name }, body: { digest } }),
    onSuccess: onServers,
    // The tools may have changed in the meantime.
    onError: refetch,
  });
  const remove = useMutation({
    mutationFn: (name: string) => api.call("DELETE /api/mcp-servers/:name", { params: { name } }),
    onSuccess: onServers,
  });
  const signOut = useMutation({
    mutationFn: (name: string) =>
      api.call("POST /api/connections/:provider/disconnect", {
        params: { provider: mcpProviderOf(name) },
      }),
    onSuccess: refetch,
  });
  return { test, add, accept, remove, signOut };
}
