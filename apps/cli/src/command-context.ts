import type { Config } from "./config.ts";
import type { Terminal } from "./terminal.ts";

/** What every command works with: who it speaks to, and how it was set up. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly config: Config;
}
