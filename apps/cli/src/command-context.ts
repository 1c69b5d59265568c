import type { Config } from "./config.ts";
import type { Terminal } from "./terminal.ts";

/** What every command needs: the terminal and the configuration. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly config: Config;
  /** Reads a variable of the environment for an entry of `.mcp.json` that names it. */
  readonly readVariable?: (name: string) => string | undefined;
}
