/** The provider under which the owner signs in to a server. */
export const mcpProviderPrefix = "mcp.";

export function mcpProviderOf(server: string): string {
  return `${mcpProviderPrefix}${server}`;
}
