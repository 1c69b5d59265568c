import { BronError } from "@bron/core";
import { Command, CommanderError } from "commander";
import { asCalled } from "./called-as.ts";
import type { Config } from "./config.ts";
import type { ConfigReading } from "./config-reading.ts";
import type { ExitCode } from "./exit-code.ts";
import { addBronCommands, addModelCommands } from "./program/bron-commands.ts";
import { addApprovalCommands } from "./program/approval-commands.ts";
import { addArtifactCommands } from "./program/artifact-commands.ts";
import { addAuditCommands } from "./program/audit-commands.ts";
import { addCompletionCommand } from "./program/completion-command.ts";
import { addEffectCommands } from "./program/effect-commands.ts";
import { addMemoryCommands } from "./program/memory-commands.ts";
import { addMcpCommands } from "./program/mcp-commands.ts";
import { addBudgetCommands } from "./program/budget-commands.ts";
import { addScheduleCommands } from "./program/schedule-commands.ts";
import { addPermissionCommands } from "./program/permission-commands.ts";
import { addQuestionCommands } from "./program/question-commands.ts";
import { addRunCommands } from "./program/run-commands.ts";
import type { Runner } from "./program/runner.ts";
import { addSettingsCommands } from "./program/settings-commands.ts";
import { addSetupCommands } from "./program/setup-commands.ts";
import { addStartCommands } from "./program/start-commands.ts";
import { addStopCommand } from "./program/stop-command.ts";
import { addTokenCommands } from "./program/token-commands.ts";
import { addThreadCommands } from "./program/thread-commands.ts";
import { addSkillCommands } from "./program/skill-commands.ts";
import { addTrustCommands } from "./program/trust-commands.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Where commands get their configuration from. */
export interface ConfigSource {
  /** Throws config_invalid. */
  load(): Promise<Config>;
  read(): Promise<ConfigReading>;
  /** One variable of the environment, whatever its name. */
  readVariable?(name: string): string | undefined;
}

/** Parses the arguments and runs the command. Throws invalid_input when they cannot be parsed. */
export async function runProgram(
  args: readonly string[],
  terminal: Terminal,
  source: ConfigSource,
): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const readVariable = (name: string) => source.readVariable?.(name);
  const program = createProgram({
    async run(load, call) {
      const context = { terminal, config: await source.load(), readVariable };
      exitCode = await call(await load(), context);
    },
    async runWithSettings(load, call) {
      exitCode = await call(await load(), terminal, await source.read());
    },
    async runAnyway(load, call) {
      const { config, problems } = await source.read();
      exitCode = await call(await load(), { terminal, config, readVariable }, problems);
    },
  });
  for (const command of allOf(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => terminal.out(asCalled(terminal, text)),
        writeErr: () => undefined,
      })
      .showSuggestionAfterError(true);
  }
  if (args.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander also throws when the user asked for help, which is not an error.
    if (error.exitCode === 0) return 0;
    const group = allOf(program).find(
      (command) => command.commands.length > 0 && command.name() === args[0],
    );
    if (error.code === "commander.help" && group) {
      group.outputHelp();
      return 2;
    }
    throw usageError(error, program, args);
  }
}

function usageError(error: CommanderError, program: Command, args: readonly string[]): BronError {
  const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  return new BronError("invalid_input", message, {
    details: { hint: `See bron ${helpFor(program, args).join(" ")}` },
  });
}

/** The arguments that print help for the closest command that the user named correctly. */
function helpFor(program: Command, args: readonly string[]): string[] {
  const group = program.commands.find((command) => command.name() === args[0]);
  const command = group?.commands.find((inner) => inner.name() === args[1]);
  if (!group) return ["help"];
  return command ? [group.name(), "help", command.name()] : ["help", group.name()];
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

/** The command tree. Help lists commands in this order. */
export function createProgram(runner: Runner): Command {
  const program = new Command("bron")
    .description("Bron: a personal agent that works in the background and asks before it acts.")
    .version(version, "-V, --version", "Show the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .addHelpText("after", environmentHelp);
  addStartCommands(program, runner);
  addRunCommands(program, runner);
  addArtifactCommands(program, runner);
  addThreadCommands(program, runner);
  addBronCommands(program, runner);
  addMemoryCommands(program, runner);
  addSkillCommands(program, runner);
  addModelCommands(program, runner);
  addApprovalCommands(program, runner);
  addQuestionCommands(program, runner);
  addStopCommand(program, runner);
  addEffectCommands(program, runner);
  addAuditCommands(program, runner);
  addTokenCommands(program, runner);
  addPermissionCommands(program, runner);
  addMcpCommands(program, runner);
  addScheduleCommands(program, runner);
  addBudgetCommands(program, runner);
  addSettingsCommands(program, runner);
  addTrustCommands(program, runner);
  addSetupCommands(program, runner);
  addCompletionCommand(program, runner);
  return program;
}

const environmentHelp = `
Get started:
  bron run What is 17% of 2340        Run a task (uses the demo model if no key is set)
  bron chat                           Talk with Bron
  bron demo                           See a full email task in a simulated mailbox
  bron start                          Start the server and web app

Settings: bron settings show. Environment variables win over settings files:
  GEMINI_API_KEY, ANTHROPIC_API_KEY   Model key (or OPENAI_BASE_URL for your own server)
  BRON_MODEL                          Model, for example anthropic/claude-sonnet-5
  BRON_HOME                           Data folder (default: ~/.bron)
  HOST, PORT                          Address of the web app (default: 127.0.0.1, 4310)
  DATABASE_URL, BRON_SECRET_KEY       Postgres database shared by several machines
  GOOGLE_CLIENT_ID, _SECRET           Google OAuth client (email and calendar)
  BRON_UNDO_SECONDS                   How long an approval can be undone (default: 5; 0 to 60)
  BRON_CAP_*, BRON_LIMIT_*            Limits per run, and limits across runs

Exit codes: 0 everything was done, 1 failed or not everything was done, 2 usage or config error,
3 waiting for your approval, answer or sign-in, 4 unconfirmed action, 5 you declined,
130 interrupted or canceled`;
