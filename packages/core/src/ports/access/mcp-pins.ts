import type { McpDefinition } from "@bron/protocol";

/** What a server offered when it was last asked, and what the owner accepted of it. */
export interface McpPin {
  readonly server: string;
  /** The digest of the entry in the file. With another entry, nothing of this counts. */
  readonly source: string;
  readonly offered: readonly McpDefinition[];
  readonly offeredDigest: string;
  readonly accepted: readonly McpDefinition[];
  /** What Bron does not use of the server, in sentences. */
  readonly notes: readonly string[];
}

/** The definitions of the tools of MCP servers, by owner and server. */
export interface McpPins {
  list(ownerId: string): Promise<McpPin[]>;
  get(ownerId: string, server: string): Promise<McpPin | undefined>;
  /**
   * Records what a server offers now. Nothing of another source stays accepted. What the owner
   * accepted of the same source stays as it is.
   */
  offer(ownerId: string, pin: Omit<McpPin, "accepted">): Promise<void>;
  /**
   * Accepts all that was offered, if it still has this digest and source. Throws conflict otherwise.
   */
  accept(
    ownerId: string,
    offered: Pick<McpPin, "server" | "source" | "offeredDigest">,
  ): Promise<void>;
  /** Returns whether there was anything. */
  remove(ownerId: string, server: string): Promise<boolean>;
}
