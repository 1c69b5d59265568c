import { BronError } from "@bron/core";
import { auditFilters, ruleVerdicts, scopes, trustLevels } from "@bron/protocol";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { Commands } from "./commands.ts";
import type { Verdict } from "./commands/decide-approval.ts";
import { commandTree } from "./completion/command-tree.ts";
import type { ExitCode } from "./exit-code.ts";
import { shells } from "./shells.ts";
import { version } from "./version.ts";

interface Output {
  write(text: string): void;
}

/** Parses the arguments and runs the command. Throws invalid_input when they cannot be parsed. */
export async function runProgram(
  args: readonly string[],
  commands: Commands,
  output: Output,
): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const finish = async (command: Promise<ExitCode>) => {
    exitCode = await command;
  };
  const program = createProgram(commands, finish);
  for (const command of allOf(program)) {
    command
      .exitOverride()
      .configureOutput({ writeOut: output.write, writeErr: () => undefined })
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
  const isTaskCut = args[0] === "run" && error.code === "commander.excessArguments";
  return new BronError("invalid_input", message, {
    details: {
      hint: isTaskCut
        ? 'Put the task in quotes: bron run "What is 17% of 2340?"'
        : `See bron ${helpFor(program, args).join(" ")}`,
    },
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

function createProgram(
  commands: Commands,
  end: (ended: Promise<ExitCode>) => Promise<void>,
): Command {
  const program = new Command("bron")
    .description("Bron: a personal agent that works in the background and asks before it acts.")
    .version(version, "-V, --version", "Show the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .addHelpText("after", environmentHelp);

  leaf(
    program.command("start"),
    "Start Bron (server, worker and database)",
    "bron start\n  PORT=5000 BRON_HOME=./home bron start",
  ).action((options) => end(commands.start(options)));
  leaf(
    program.command("worker"),
    "Start an extra worker on a shared database (DATABASE_URL)",
    "DATABASE_URL=postgres://bron:...@db/bron BRON_SECRET_KEY=... bron worker",
  ).action((options) => end(commands.worker(options)));

  leaf(program.command("open"), "Print a sign-in link for your browser", "bron open").action(
    (options) => end(commands.open(options)),
  );

  leaf(program.command("run"), "Run a task and show its progress", runExample)
    .argument("<task>", "The task, in quotes. Use - to read it from standard input")
    .option("--title <text>", "Title (default: first line of the task)")
    .option("--thread <id>", "Continue a conversation (bron runs show prints its thread)", fullId)
    .option("--max-dollars <amount>", "Spending limit in US dollars", dollars)
    .option("--detach", "Run in the background and print the ID")
    .action((task, options) => end(commands.run(task, options)));

  const runs = program
    .command("runs")
    .description("List, show, stop and retry runs")
    .addHelpText(
      "after",
      examples("bron runs list --status needs_approval\n  bron runs show 3f9a1c20"),
    );
  leaf(runs.command("list"), "List runs, newest first", "bron runs list --status needs_approval")
    .addOption(
      new Option("--status <status>", "Only runs with this status")
        .choices(commands.statusWords)
        .argParser(oneOf(commands.statusWords)),
    )
    .option("--limit <n>", "Maximum number of runs", integer(1, 1_000), 20)
    .action((options) => end(commands.listRuns(options)));
  leaf(runs.command("show"), "Show a run and its timeline", "bron runs show 3f9a1c20")
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.showRun(id, options)));
  leaf(
    runs.command("cancel"),
    "Stop a run",
    'bron runs cancel 3f9a1c20 --reason "no longer needed"',
  )
    .argument("<id>", idHelp)
    .option("--reason <text>", "Reason, saved in the run's log")
    .action((id, options) => end(commands.cancelRun(id, options)));

  leaf(
    runs.command("retry"),
    "Retry a finished run, reusing completed steps",
    "bron runs retry 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .option("--detach", "Run in the background and print the new run's ID")
    .action((id, options) => end(commands.retryRun(id, options)));
  leaf(
    runs.command("approve-send"),
    "Approve or deny a run's pending action",
    "bron runs approve-send 3f9a1c20 --digest sha256:5c1f...",
  )
    .argument("<id>", idHelp)
    .option(
      "--digest <digest>",
      "Digest of the version you reviewed (required if the run has several, or if it was edited)",
    )
    .option("--deny", "Deny instead of approving")
    .option("--reason <text>", "Reason, passed on to the model")
    .action((id, options) => end(commands.approveSend(id, options)));

  const approvals = program
    .command("approvals")
    .description("List and decide approvals")
    .addHelpText(
      "after",
      examples(
        "bron approvals list\n  bron approvals show 1b2c3d4e\n  bron approvals approve 1b2c3d4e",
      ),
    );
  leaf(approvals.command("list"), "List pending approvals", "bron approvals list")
    .option("--all", "Include decided and expired approvals")
    .action((options) => end(commands.listApprovals(options)));
  leaf(approvals.command("show"), "Show an approval in full", "bron approvals show 1b2c3d4e")
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.showApproval(id, options)));
  const deciding = (verdict: Verdict, description: string, example: string) =>
    leaf(
      approvals.command(verdict),
      description,
      `bron approvals ${verdict} 1b2c3d4e ${example}--digest sha256:5c1f...`,
    )
      .argument("<id>", idHelp)
      .option("--digest <digest>", "Digest of the version you reviewed (prompted if omitted)")
      .option("--detach", "Decide and exit without following the run");
  deciding("approve", "Approve an action, once and exactly as shown", "").action((id, options) =>
    end(commands.decide("approve", id, options)),
  );
  deciding("deny", "Deny an action; the run continues without it", "")
    .option("--reason <text>", "Reason, passed on to the model")
    .action((id, options) => end(commands.decide("deny", id, options)));
  deciding(
    "edit",
    "Edit an action, then review it again",
    '--set subject="On Monday" --set to=eva@example.com ',
  )
    .option(
      "--set <field=value>",
      "Field to change. Repeat it for more fields, or for more values of a list",
      several,
    )
    .action((id, options) => end(commands.decide("edit", id, options)));
  deciding(
    "reply",
    "Request changes; nothing is sent and the run continues",
    '"shorter, and cc Eva" ',
  )
    .argument("<words>", "What to change, in quotes")
    .action((id, words, options) => end(commands.decide("reply", id, { ...options, words })));
  leaf(
    approvals.command("undo"),
    "Undo an approval before it is carried out (see BRON_UNDO_SECONDS)",
    "bron approvals undo 1b2c3d4e",
  )
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.undoApproval(id, options)));
  leaf(
    approvals.command("batch"),
    "Decide several approvals at once",
    "bron approvals batch --approve 1b2c3d4e=sha256:5c1f... --deny 2c3d4e5f=sha256:9a0b...",
  )
    .option(
      "--approve <id=digest>",
      "Approval to approve, with the digest you reviewed (repeatable)",
      several,
    )
    .option(
      "--deny <id=digest>",
      "Approval to deny, with the digest you reviewed (repeatable)",
      several,
    )
    .action((options) => end(commands.decideMany(options)));

  leaf(
    program.command("stop"),
    "Stop all runs",
    'bron stop --all\n  bron stop --all --yes --reason "something looks wrong"',
  )
    .option("--all", "Stop every run (for one run, use bron runs cancel)")
    .option("--yes", "Don't ask for confirmation")
    .option("--reason <text>", "Reason, saved in the runs' logs and in the audit log")
    .action((options) => end(commands.stop(options)));

  const effects = program
    .command("effects")
    .description("Review actions with an unconfirmed outcome")
    .addHelpText("after", examples("bron effects list\n  bron effects settle 9c0d1e2f --happened"));
  leaf(effects.command("list"), "List unconfirmed actions", "bron effects list").action((options) =>
    end(commands.listUnconfirmed(options)),
  );
  leaf(
    effects.command("settle"),
    "Record whether an unconfirmed action happened",
    'bron effects settle 9c0d1e2f --did-not-happen --note "not in the Sent folder"',
  )
    .argument("<id>", idHelp)
    .option("--happened", "The action happened")
    .option("--did-not-happen", "The action did not happen")
    .option("--note <text>", "How you know, saved with the action")
    .action((id, options) => end(commands.settleEffect(id, options)));

  const audit = filtered(
    leaf(
      program.command("audit"),
      "Show the audit log",
      "bron audit --what approval\n  bron audit --run 3f9a1c20",
    ),
  )
    .option("--limit <n>", "Maximum number of entries, newest first", integer(1, 1_000), 50)
    .action((options) => end(commands.showAudit(options)));
  // `audit` and `audit export` share option names, so an option counts after either of the words.
  filtered(
    leaf(
      audit.command("export"),
      "Export the audit log as JSON Lines",
      "bron audit export > audit.jsonl",
    ),
  ).action((_options, command: Command) => end(commands.exportAudit(command.optsWithGlobals())));

  const tokens = program
    .command("tokens")
    .description("Manage API tokens")
    .addHelpText(
      "after",
      examples("bron tokens create nightly --scope read --days 30\n  bron tokens list"),
    );
  leaf(
    tokens.command("create"),
    "Create a token (shown once)",
    'TOKEN=$(bron tokens create nightly --scope read run)\n  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:4310/api/runs',
  )
    .argument("<name>", "What the token is for")
    .addOption(
      new Option("--scope <scopes...>", "What the token may do (default: read)").choices(scopes),
    )
    .option("--days <n>", "Days until it expires", integer(1, 366))
    .action((name, options) => end(commands.createToken(name, options)));
  leaf(tokens.command("list"), "List tokens, without their secrets", "bron tokens list").action(
    (options) => end(commands.listTokens(options)),
  );
  leaf(tokens.command("revoke"), "Revoke a token", "bron tokens revoke 3f9a1c20")
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.revokeToken(id, options)));

  const permissions = program
    .command("permissions")
    .description("Manage what Bron can do without asking")
    .addHelpText(
      "after",
      examples(
        "bron permissions show\n  bron permissions trust delegated\n  bron permissions allow eva@example.com\n  bron permissions rule calendar_event_create deny",
      ),
    );
  leaf(
    permissions.command("show"),
    "Show the trust level, rules, trusted contacts and grants",
    "bron permissions show",
  ).action((options) => end(commands.showPermissions(options)));
  leaf(permissions.command("trust"), "Set the trust level", "bron permissions trust delegated")
    .addArgument(
      new Argument("<level>", "How much Bron may do without asking").choices(trustLevels),
    )
    .action((level, options) => end(commands.setTrust(level, options)));
  leaf(
    permissions.command("rule"),
    "Allow, ask or deny for a tool; deny overrides everything else",
    "bron permissions rule gmail_send ask\n  bron permissions rule 'calendar_*' deny",
  )
    .argument("<tool>", "Name of the tool, or a prefix followed by *")
    .addArgument(
      new Argument("<verdict>", "What to do when Bron wants to use it").choices(ruleVerdicts),
    )
    .action((tool, verdict, options) => end(commands.putRule(tool, verdict, options)));
  leaf(
    permissions.command("allow"),
    "Add a trusted contact or domain",
    "bron permissions allow eva@example.com\n  bron permissions allow example.com",
  )
    .argument("<who>", "Email address, or a domain for everyone in it")
    .action((who, options) => end(commands.allowPerson(who, options)));
  leaf(
    permissions.command("grant"),
    "Temporarily allow a tool to contact one person",
    "bron permissions grant gmail_send eva@example.com --days 7",
  )
    .argument("<tool>", "Name of the tool")
    .argument("<recipient>", "Email address")
    .option("--days <n>", "Days until it expires", integer(1, 90), 7)
    .action((tool, recipient, options) => end(commands.giveGrant(tool, recipient, options)));
  leaf(
    permissions.command("remove"),
    "Remove a rule, a trusted contact or a grant",
    "bron permissions remove 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.removePermission(id, options)));

  leaf(
    program.command("demo"),
    "Run the demo: find an invoice, draft an email, approve and send it",
    "bron demo\n  bron demo --yes",
  )
    .option("--yes", "Approve without asking (the mailbox is simulated)")
    .action((options) => end(commands.demo(options)));
  leaf(program.command("connect"), "Connect an account", "bron connect google")
    .argument("<provider>", "google or slack")
    .action((provider, options) => end(commands.connect(provider, options)));
  const sandbox = program
    .command("sandbox")
    .description("Manage the demo sandbox")
    .addHelpText("after", examples("bron sandbox reset"));
  leaf(
    sandbox.command("reset"),
    "Reset the simulated email, calendar and Slack",
    "bron sandbox reset",
  ).action((options) => end(commands.resetSandbox(options)));

  leaf(
    program.command("backup"),
    "Back up all data to a file; Bron can keep running",
    "bron backup ~/bron-backup.gz",
  )
    .argument("<file>", "File to write; it will contain your secrets")
    .action((path, options) => end(commands.backup(path, options)));
  leaf(
    program.command("restore"),
    "Restore a backup into a new home",
    "BRON_HOME=~/new-home bron restore ~/bron-backup.gz",
  )
    .argument("<file>", "File written by bron backup")
    .action((path, options) => end(commands.restore(path, options)));
  leaf(program.command("doctor"), "Check your setup", "bron doctor").action((options) =>
    end(commands.doctor(options)),
  );
  leaf(program.command("completion"), "Print a shell completion script", completionExample)
    .addArgument(new Argument("<shell>", "Your shell").choices(shells))
    .action((shell, options) => end(commands.completion(shell, commandTree(program), options)));
  return program;
}

const runExample = `bron run "What is 17% of 2340?"
  bron run - < task.txt

If "bron start" is running on this home, it does the work, with its own model and limits.
Otherwise this command does the work itself.`;

const completionExample = `bron completion bash > ~/.local/share/bash-completion/completions/bron
  bron completion zsh > ~/.zfunc/_bron      (in ~/.zshrc: fpath+=(~/.zfunc); autoload -Uz compinit; compinit)
  bron completion fish > ~/.config/fish/completions/bron.fish

Create the folder first, then open a new shell.`;

const idHelp = "ID, or its first 6+ characters";

function leaf(command: Command, description: string, example: string): Command {
  return command
    .description(description)
    .option("--json", "Print JSON")
    .addHelpText("after", examples(example));
}

function filtered(command: Command): Command {
  return command
    .option("--run <id>", "Only entries of this run")
    .option(
      "--what <what>",
      `Only this kind: ${auditFilters.filter((filter) => !filter.includes(".")).join(", ")}, or a specific one such as effect.done`,
      oneOf(auditFilters),
    );
}

function examples(text: string): string {
  return `\nExample:\n  ${text}`;
}

function integer(min: number, max: number) {
  return (value: string): number => {
    const parsed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= min && parsed <= max) return parsed;
    throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`);
  };
}

function several(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function dollars(value: string): number {
  const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (parsed <= 1_000_000) return parsed;
  throw new InvalidArgumentError("Must be an amount in US dollars, such as 0.50.");
}

function fullId(value: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)) return value;
  throw new InvalidArgumentError("Must be a full ID, as printed by bron runs show.");
}

function oneOf(words: readonly string[]) {
  return (value: string): string => {
    if (words.includes(value)) return value;
    throw new InvalidArgumentError(`Must be one of: ${words.join(", ")}.`);
  };
}

const environmentHelp = `
Get started:
  bron run "What is 17% of 2340?"     Run a task (uses the demo model if no key is set)
  bron demo                           See a full email task in a simulated mailbox
  bron start                          Start the server and web app

Environment variables:
  GEMINI_API_KEY, ANTHROPIC_API_KEY   Model key (or OPENAI_BASE_URL for your own server)
  BRON_MODEL                          Model, for example anthropic/claude-sonnet-5
  BRON_HOME                           Data folder (default: ~/.bron)
  HOST, PORT                          Address of the web app (default: 127.0.0.1, 4310)
  DATABASE_URL, BRON_SECRET_KEY       Postgres database shared by several machines
  GOOGLE_CLIENT_ID, _SECRET           Google OAuth client (email is simulated without it)
  BRON_UNDO_SECONDS                   How long an approval can be undone (default: 5; 0 to 60)
  BRON_CAP_*, BRON_LIMIT_*            Limits per run, and limits across runs

Exit codes: 0 success, 1 failed, 2 usage or config error, 3 waiting for approval or sign-in,
4 unconfirmed action, 130 interrupted or canceled`;
