import { auditFilters } from "@bron/protocol";
import type { Command } from "commander";
import { leaf } from "./leaf.ts";
import { integer, oneOf } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadAudit = () => import("../commands/audit.ts");

export function addAuditCommands(program: Command, { run }: Runner): void {
  const audit = filtered(
    leaf(
      program.command("audit"),
      "Show the audit log",
      "bron audit --what approval\n  bron audit --run 3f9a1c20",
    ),
  )
    .option("--limit <n>", "Maximum number of entries, newest first", integer(1, 1_000), 50)
    .action((options) =>
      run(loadAudit, (commands, context) => commands.showAudit(context, options)),
    );
  // `audit` and `audit export` share option names, so an option counts after either of the words.
  filtered(
    leaf(
      audit.command("export"),
      "Export the audit log as JSON Lines",
      "bron audit export > audit.jsonl",
    ),
  ).action((_options, command: Command) =>
    run(loadAudit, (commands, context) => commands.exportAudit(context, command.optsWithGlobals())),
  );
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
