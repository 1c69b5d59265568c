import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import { verbose } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadDemo = () => import("../commands/demo.ts");
const loadConnect = () => import("../commands/connect.ts");
const loadSandbox = () => import("../commands/sandbox.ts");
const loadBackup = () => import("../commands/backup.ts");
const loadDoctor = () => import("../commands/doctor.ts");

export function addSetupCommands(program: Command, { run, runWithSettings }: Runner): void {
  leaf(
    program.command("demo"),
    "Run the demo: find an invoice, draft an email, approve and send it",
    "bron demo\n  bron demo --yes",
  )
    .option("--yes", "Approve without asking (the mailbox is simulated)")
    .option(...verbose)
    .action((options) => run(loadDemo, (commands, context) => commands.runDemo(context, options)));
  leaf(program.command("connect"), "Connect an account", "bron connect google")
    .argument("<provider>", "google or slack")
    .action((provider, options) =>
      run(loadConnect, (commands, context) => commands.connectAccount(context, provider, options)),
    );
  const sandbox = program
    .command("sandbox")
    .description("Manage the demo sandbox")
    .addHelpText("after", examples("bron sandbox reset"));
  leaf(
    sandbox.command("reset"),
    "Reset the simulated email, calendar and Slack",
    "bron sandbox reset",
  ).action((options) =>
    run(loadSandbox, (commands, context) => commands.resetSandbox(context, options)),
  );

  leaf(
    program.command("backup"),
    "Back up all data to a file; Bron can keep running",
    "bron backup ~/bron-backup.gz",
  )
    .argument("<file>", "File to write; it will contain your secrets")
    .action((path, options) =>
      run(loadBackup, (commands, context) => commands.backup(context, path, options)),
    );
  leaf(
    program.command("restore"),
    "Restore a backup into a new home",
    "BRON_HOME=~/new-home bron restore ~/bron-backup.gz",
  )
    .argument("<file>", "File written by bron backup")
    .action((path, options) =>
      run(loadBackup, (commands, context) => commands.restore(context, path, options)),
    );
  leaf(program.command("doctor"), "Check your setup", "bron doctor").action((options) =>
    runWithSettings(loadDoctor, (commands, terminal, reading) =>
      commands.examine(terminal, reading, options),
    ),
  );
}
