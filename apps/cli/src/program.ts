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

/** Reads the arguments and hands over to a command. Throws invalid_input for a call that it cannot read. */
export async function runProgram(
  args: readonly string[],
  commands: Commands,
  output: Output,
): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const end = async (ended: Promise<ExitCode>) => {
    exitCode = await ended;
  };
  const program = createProgram(commands, end);
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
    // Help that was asked for, or that stands in for a missing subcommand.
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
        : `See: bron ${helpFor(program, args).join(" ")}`,
    },
  });
}

/** The arguments that ask for help on the command that was meant, as far as it is one. */
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
    .description(
      "Bron: a personal agent. It works in the background, and nothing leaves without a rule or a person that allowed exactly that.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .addHelpText("after", environmentHelp);

  leaf(
    program.command("start"),
    "start Bron here: worker, database and status page",
    "bron start\n  PORT=5000 BRON_HOME=./home bron start",
  ).action((options) => end(commands.start(options)));
  leaf(
    program.command("worker"),
    "add a worker to a shared database (DATABASE_URL)",
    "DATABASE_URL=postgres://bron:...@db/bron BRON_SECRET_KEY=... bron worker",
  ).action((options) => end(commands.worker(options)));

  leaf(program.command("open"), "make a link that signs your browser in", "bron open").action(
    (options) => end(commands.open(options)),
  );

  leaf(program.command("run"), "give Bron a task and watch it", runExample)
    .argument("<task>", 'what is to be done, in quotes; "-" reads it from standard input')
    .option("--title <text>", "a name for the run; else the first line of the task")
    .option(
      "--thread <id>",
      "go on with an earlier conversation (bron runs show tells its thread)",
      wholeId,
    )
    .option("--max-dollars <amount>", "the most that this run may spend", dollars)
    .option("--detach", "print the id and leave the work to a running Bron")
    .action((task, options) => end(commands.run(task, options)));

  const runs = program
    .command("runs")
    .description("look at runs and stop them")
    .addHelpText(
      "after",
      examples("bron runs list --status needs_approval\n  bron runs show 3f9a1c20"),
    );
  leaf(runs.command("list"), "list runs, newest first", "bron runs list --status needs_approval")
    .addOption(
      new Option("--status <status>", "only those with this status")
        .choices(commands.statusWords)
        .argParser(oneOf(commands.statusWords)),
    )
    .option("--limit <n>", "how many at most", wholeNumber(1, 1_000), 20)
    .action((options) => end(commands.listRuns(options)));
  leaf(
    runs.command("show"),
    "show a run: what it did, what it changed, what happened when",
    "bron runs show 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.showRun(id, options)));
  leaf(
    runs.command("cancel"),
    "stop a run for good",
    'bron runs cancel 3f9a1c20 --reason "not needed any more"',
  )
    .argument("<id>", idHelp)
    .option("--reason <text>", "why; kept in the run's log")
    .action((id, options) => end(commands.cancelRun(id, options)));

  leaf(
    runs.command("retry"),
    "try a run again that is over: what it completed is reused, and nothing is sent a second time unasked",
    "bron runs retry 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .option("--detach", "print the new run's id and leave the work to a running Bron")
    .action((id, options) => end(commands.retryRun(id, options)));
  leaf(
    runs.command("approve-send"),
    "decide on the one thing that a run waits for",
    "bron runs approve-send 3f9a1c20 --digest sha256:5c1f...",
  )
    .argument("<id>", idHelp)
    .option(
      "--digest <digest>",
      "the digest of what you saw; needed if there is more than one, or it was edited",
    )
    .option("--deny", "refuse it instead")
    .option("--reason <text>", "why not; the model is told")
    .action((id, options) => end(commands.approveSend(id, options)));

  const approvals = program
    .command("approvals")
    .description("decide on what runs want to do outside")
    .addHelpText(
      "after",
      examples(
        "bron approvals list\n  bron approvals show 1b2c3d4e\n  bron approvals approve 1b2c3d4e",
      ),
    );
  leaf(approvals.command("list"), "list what waits for a decision", "bron approvals list")
    .option("--all", "also those that are decided or over")
    .action((options) => end(commands.listApprovals(options)));
  leaf(approvals.command("show"), "show exactly what would be done", "bron approvals show 1b2c3d4e")
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.showApproval(id, options)));
  const deciding = (verdict: Verdict, description: string, example: string) =>
    leaf(
      approvals.command(verdict),
      description,
      `bron approvals ${verdict} 1b2c3d4e ${example}--digest sha256:5c1f...`,
    )
      .argument("<id>", idHelp)
      .option("--digest <digest>", "the digest of what you saw; asked for in a terminal")
      .option("--detach", "only decide; leave the run to a running Bron");
  deciding("approve", "allow exactly what was shown, once", "").action((id, options) =>
    end(commands.decide("approve", id, options)),
  );
  deciding("deny", "refuse it; the run goes on without it", "")
    .option("--reason <text>", "why; the model is told")
    .action((id, options) => end(commands.decide("deny", id, options)));
  deciding(
    "edit",
    "change it before it is done; you are asked again about what it is then",
    '--set subject="On Monday" --set to=eva@example.com ',
  )
    .option(
      "--set <field=value>",
      "what to change, as often as needed; a list takes every value that is given",
      several,
      [],
    )
    .action((id, options) => end(commands.decide("edit", id, options)));
  deciding(
    "reply",
    "say in words what should be different; it is not done, and the run goes on",
    '"shorter, and cc Eva" ',
  )
    .argument("<words>", "what should be different, in quotes")
    .action((id, words, options) => end(commands.decide("reply", id, { ...options, words })));
  leaf(
    approvals.command("undo"),
    "take an approval back while it has not begun (BRON_UNDO_SECONDS)",
    "bron approvals undo 1b2c3d4e",
  )
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.undoApproval(id, options)));
  leaf(
    approvals.command("batch"),
    "decide on several at once, each by the digest of what you saw",
    "bron approvals batch --approve 1b2c3d4e=sha256:5c1f... --deny 2c3d4e5f=sha256:9a0b...",
  )
    .option("--approve <id=digest>", "allow exactly this; as often as needed", several, [])
    .option("--deny <id=digest>", "refuse this; as often as needed", several, [])
    .action((options) => end(commands.decideMany(options)));

  leaf(
    program.command("stop"),
    "stop everything that is under way or waiting, for good",
    'bron stop --all\n  bron stop --all --yes --reason "something is odd"',
  )
    .option("--all", "everything; one run alone stops by bron runs cancel")
    .option("--yes", "without asking")
    .option("--reason <text>", "why; kept in the logs and in the audit")
    .action((options) => end(commands.stop(options)));

  const effects = program
    .command("effects")
    .description("settle what nobody knows whether it happened")
    .addHelpText("after", examples("bron effects list\n  bron effects settle 9c0d1e2f --happened"));
  leaf(
    effects.command("list"),
    "list what left and may have happened or not",
    "bron effects list",
  ).action((options) => end(commands.listInDoubt(options)));
  leaf(
    effects.command("settle"),
    "say what you found out about it, once",
    'bron effects settle 9c0d1e2f --did-not-happen --note "not among sent mail"',
  )
    .argument("<id>", idHelp)
    .option("--happened", "it did happen")
    .option("--did-not-happen", "it did not")
    .option("--note <text>", "how you know; kept with it")
    .action((id, options) => end(commands.settleEffect(id, options)));

  const audit = filtered(
    leaf(
      program.command("audit"),
      "show who did what: decisions, effects, accounts, rules, stops",
      "bron audit --what approval\n  bron audit --run 3f9a1c20",
    ),
  )
    .option("--limit <n>", "how many at most, newest first", wholeNumber(1, 1_000), 50)
    .action((options) => end(commands.showAudit(options)));
  // The options of both have the same names: whichever command they stand behind, they count.
  filtered(
    leaf(
      audit.command("export"),
      "write all of it as JSON lines",
      "bron audit export > audit.jsonl",
    ),
  ).action((_options, command: Command) => end(commands.exportAudit(command.optsWithGlobals())));

  const tokens = program
    .command("tokens")
    .description("personal tokens for scripts that use the HTTP API")
    .addHelpText(
      "after",
      examples("bron tokens create nightly --scope read --days 30\n  bron tokens list"),
    );
  leaf(
    tokens.command("create"),
    "make a token; it is printed once",
    'TOKEN=$(bron tokens create nightly --scope read run)\n  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:4310/api/runs',
  )
    .argument("<name>", "what it is for")
    .addOption(new Option("--scope <scopes...>", "what it may do (default: read)").choices(scopes))
    .option("--days <n>", "until it ends by itself", wholeNumber(1, 366))
    .action((name, options) => end(commands.createToken(name, options)));
  leaf(tokens.command("list"), "list tokens, without their text", "bron tokens list").action(
    (options) => end(commands.listTokens(options)),
  );
  leaf(tokens.command("revoke"), "end a token, at once and for good", "bron tokens revoke 3f9a1c20")
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.revokeToken(id, options)));

  const permissions = program
    .command("permissions")
    .description("what may be done unasked, and what never")
    .addHelpText(
      "after",
      examples(
        "bron permissions show\n  bron permissions trust delegated\n  bron permissions allow eva@example.com\n  bron permissions rule calendar_event_create deny",
      ),
    );
  leaf(
    permissions.command("show"),
    "show trust level, rules, people and grants",
    "bron permissions show",
  ).action((options) => end(commands.showPermissions(options)));
  leaf(
    permissions.command("trust"),
    "how much is done unasked; what others may have chosen is asked about at every level",
    "bron permissions trust delegated",
  )
    .addArgument(new Argument("<level>", "how much").choices(trustLevels))
    .action((level, options) => end(commands.setTrust(level, options)));
  leaf(
    permissions.command("rule"),
    "lay down what happens with a tool; a deny goes before everything else",
    "bron permissions rule gmail_send ask\n  bron permissions rule 'calendar_*' deny",
  )
    .argument("<tool>", "its name; a star at the end stands for anything")
    .addArgument(new Argument("<verdict>", "what happens").choices(ruleVerdicts))
    .action((tool, verdict, options) => end(commands.putRule(tool, verdict, options)));
  leaf(
    permissions.command("allow"),
    "list a person or a domain: at the level delegated mail to them goes out unasked",
    "bron permissions allow eva@example.com\n  bron permissions allow example.com",
  )
    .argument("<who>", "an address, or a domain for everybody there")
    .action((who, options) => end(commands.allowPerson(who, options)));
  leaf(
    permissions.command("grant"),
    "let one tool reach one recipient for some days",
    "bron permissions grant gmail_send eva@example.com --days 7",
  )
    .argument("<tool>", "its name")
    .argument("<recipient>", "one address")
    .option("--days <n>", "how long", wholeNumber(1, 90), 7)
    .action((tool, recipient, options) => end(commands.giveGrant(tool, recipient, options)));
  leaf(
    permissions.command("remove"),
    "take back a rule, a person or a grant",
    "bron permissions remove 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) => end(commands.removePermission(id, options)));

  leaf(
    program.command("demo"),
    "see the whole of it: find a mail, read its attachment, draft, ask, send",
    "bron demo\n  bron demo --yes",
  )
    .option("--yes", "approve what is shown without asking; the mailbox is simulated")
    .action((options) => end(commands.demo(options)));
  leaf(program.command("connect"), "connect an account", "bron connect google")
    .argument("<provider>", "google or slack")
    .action((provider, options) => end(commands.connect(provider, options)));
  const simulator = program
    .command("sandbox")
    .description("the simulated mailbox of the demo")
    .addHelpText("after", "\nExample:\n  bron world reset");
  leaf(
    simulator.command("reset"),
    "bring the simulated mailbox back to its beginning",
    "bron world reset",
  ).action((options) => end(commands.resetSandbox(options)));

  leaf(
    program.command("backup"),
    "write everything that Bron keeps into one file, while it goes on working",
    "bron backup ~/bron-backup.gz",
  )
    .argument("<file>", "where to; it will hold your secrets")
    .action((path, options) => end(commands.backup(path, options)));
  leaf(
    program.command("restore"),
    "bring a backup back, into a new home",
    "BRON_HOME=~/new-home bron restore ~/bron-backup.gz",
  )
    .argument("<file>", "a file that bron backup wrote")
    .action((path, options) => end(commands.restore(path, options)));
  leaf(program.command("doctor"), "check what Bron needs on this machine", "bron doctor").action(
    (options) => end(commands.doctor(options)),
  );
  leaf(
    program.command("completion"),
    "print a script that makes your shell complete what you type after bron",
    completionExample,
  )
    .addArgument(new Argument("<shell>", "whose script").choices(shells))
    .action((shell, options) => end(commands.completion(shell, commandTree(program), options)));
  return program;
}

const runExample = `bron run "What is 17% of 2340?"
  bron run - < task.txt

A Bron that runs on this home does it, with the model and the limits that it was started with; else this command does it itself.`;

const completionExample = `bron completion bash > ~/.local/share/bash-completion/completions/bron
  bron completion zsh > ~/.zfunc/_bron      with this in ~/.zshrc: fpath+=(~/.zfunc); autoload -Uz compinit; compinit
  bron completion fish > ~/.config/fish/completions/bron.fish

The folder must be there; a new shell then knows the words.`;

const idHelp = "its id, or at least the first 6 characters of it";

function leaf(command: Command, description: string, example: string): Command {
  return command
    .description(description)
    .option("--json", "print JSON for programs")
    .addHelpText("after", examples(example));
}

function filtered(command: Command): Command {
  return command
    .option("--run <id>", "only of this run")
    .option(
      "--what <what>",
      `only this: ${auditFilters.filter((filter) => !filter.includes(".")).join(", ")}, or a word of one such as effect.done`,
      oneOf(auditFilters),
    );
}

function examples(text: string): string {
  return `\nExample:\n  ${text}`;
}

function wholeNumber(min: number, max: number) {
  return (value: string): number => {
    const parsed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= min && parsed <= max) return parsed;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

function several(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function dollars(value: string): number {
  const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (parsed <= 1_000_000) return parsed;
  throw new InvalidArgumentError("It must be an amount in US dollars such as 0.50.");
}

function wholeId(value: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)) return value;
  throw new InvalidArgumentError("It must be a whole id, as bron runs show prints it.");
}

function oneOf(words: readonly string[]) {
  return (value: string): string => {
    if (words.includes(value)) return value;
    throw new InvalidArgumentError(`There are: ${words.join(", ")}.`);
  };
}

const environmentHelp = `
Begin here:
  bron run "What is 17% of 2340?"     works at once, with a demo model if no key is set
  bron demo                           from a prompt to a sent mail, in a simulated mailbox
  bron start                          keeps working in the background

Settings come from the environment:
  GEMINI_API_KEY, ANTHROPIC_API_KEY   a key for a real model; OPENAI_BASE_URL for a server of your own
  BRON_MODEL                          which model, for example anthropic/claude-sonnet-5
  BRON_HOME                           where Bron keeps its data (~/.bron)
  HOST, PORT                          address of the status page (127.0.0.1, 4310)
  DATABASE_URL, BRON_SECRET_KEY       a Postgres that several machines share
  GOOGLE_CLIENT_ID, _SECRET           your app at Google; without it the mailbox is simulated
  BRON_UNDO_SECONDS                   how long an approval can be taken back (5; 0 to 60)
  BRON_CAP_*, BRON_LIMIT_*            limits of a run, and of runs at the same time

Exit codes: 0 ok, 1 failed, 2 wrong call or settings, 3 needs approval or sign-in, 4 an effect is unknown, 130 interrupted or canceled.`;
