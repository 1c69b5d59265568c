import { requestError, type McpPins } from "@bron/core";
import { ensureOwner, keyOf, type MemoryState } from "./memory-state.ts";

export function memoryMcpPins(state: MemoryState): McpPins {
  const { mcpPins, audit } = state;
  return {
    list: async (ownerId) =>
      [...mcpPins.values()]
        .filter((pin) => pin.ownerId === ownerId)
        .map(({ ownerId: _, ...pin }) => pin)
        .toSorted((a, b) => (a.server < b.server ? -1 : 1)),
    async get(ownerId, server) {
      const found = mcpPins.get(keyOf(ownerId, server));
      if (!found) return undefined;
      const { ownerId: _, ...pin } = found;
      return pin;
    },
    async offer(ownerId, offered) {
      ensureOwner(state, ownerId);
      const key = keyOf(ownerId, offered.server);
      const before = mcpPins.get(key);
      const accepted = before?.source === offered.source ? before.accepted : [];
      mcpPins.set(key, { ...offered, ownerId, accepted });
    },
    async accept(ownerId, { server, source, offeredDigest }) {
      const key = keyOf(ownerId, server);
      const pin = mcpPins.get(key);
      if (pin?.source !== source || pin.offeredDigest !== offeredDigest)
        throw requestError("conflict", { code: "mcp_tools_changed", server });
      mcpPins.set(key, { ...pin, accepted: pin.offered });
      const details = { server, tools: pin.offered.length };
      audit.add(ownerId, [
        { what: "mcp_server.accepted", by: "owner", digest: offeredDigest, details },
      ]);
    },
    remove: async (ownerId, server) => mcpPins.delete(keyOf(ownerId, server)),
  };
}
