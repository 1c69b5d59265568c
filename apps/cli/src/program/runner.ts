import type { CommandContext } from "../command-context.ts";
import type { ConfigReading } from "../config-reading.ts";
import type { ConfigProblem } from "../variable-pairs.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Runs a command and keeps its exit code. Commands are loaded when they are run, so that help and
 * usage errors load no database and no model.
 */
export interface Runner {
  /** Reads the settings first, so that a wrong setting is reported before the command is loaded. */
  run<Commands>(
    load: () => Promise<Commands>,
    call: (commands: Commands, context: CommandContext) => Promise<ExitCode>,
  ): Promise<void>;
  /** For commands that show or change where the configuration comes from. */
  runWithSettings<Commands>(
    load: () => Promise<Commands>,
    call: (commands: Commands, terminal: Terminal, reading: ConfigReading) => Promise<ExitCode>,
  ): Promise<void>;
  /** For commands that work with wrong settings. */
  runAnyway<Commands>(
    load: () => Promise<Commands>,
    call: (
      commands: Commands,
      context: CommandContext,
      problems: readonly ConfigProblem[],
    ) => Promise<ExitCode> | ExitCode,
  ): Promise<void>;
}
