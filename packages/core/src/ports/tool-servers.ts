import type { McpServerView, NewMcpServer, Sign } from "@bron/protocol";
import type { Connector } from "../connector/connector.ts";
import type { TokenVault } from "./access/accounts.ts";
import type { McpPins } from "./access/mcp-pins.ts";
import type { NewAudit } from "./audit.ts";
import type { Clock } from "./clock.ts";
import type { ToolSource } from "./tool-source.ts";

export interface ToolServersDeps {
  readonly pins: McpPins;
  readonly vault: TokenVault;
  readonly sign: Sign;
  /** Returns true the first time that a key is used, in any process, and false afterwards. */
  readonly useOnce: (key: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly writeAudit: (ownerId: string, entry: NewAudit) => Promise<void>;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/**
 * MCP servers, whose tools runs can use. All calls but `close` name an owner, and an owner who has
 * no servers gets none.
 */
export interface ToolServers extends ToolSource {
  list(ownerId: string): Promise<readonly McpServerView[]>;
  /** Throws invalid_input, or conflict if the name is taken. */
  add(ownerId: string, server: NewMcpServer): Promise<void>;
  /** Throws not_found for a server that is not in the home's own file. */
  remove(ownerId: string, server: string): Promise<void>;
  /** Starts or reaches a server, and records what it offers. A failure is part of its state. */
  test(ownerId: string, server: string): Promise<void>;
  /** Accepts what the owner saw. Throws conflict if the server offers something else by now. */
  accept(ownerId: string, server: string, digest: string): Promise<void>;
  /** How the owner signs in to a server, by its provider. The provider `mcp` finishes any. */
  connectorOf(provider: string): Connector | undefined;
  /** Ends the connections and the programs of this process. */
  close(): Promise<void>;
}
