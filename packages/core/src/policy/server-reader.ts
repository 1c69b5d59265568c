/**
 * The entry in a label's readers for an MCP server: the server knows what it returned. It has no @,
 * so no address is equal to it.
 */
export function serverReader(server: string): string {
  return `server:${server}`;
}
