import { activityKinds, auditFilters } from "@bron/protocol";
import type { Command } from "commander";
import { leaf } from "./leaf.ts";
import { integer, oneOf } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadAudit = () => import("../commands/audit.ts");

export function addAuditCommands(program: Command, { run }: Runner): void {
  const audit = filtered(
    leaf(
      program.command("audit"),
      "Show what was done and decided, one row for each action",
      "bron audit --search lindqvist\n  bron audit --raw --run 3f9a1c20",
    ),
  )
    .option("--search <words>", "Only rows with these words: a recipient, a subject or text")
    .option("--kind <kind>", `Only this kind: ${activityKinds.join(", ")}`, oneOf(activityKinds))
    .option("--raw", "Each entry in a row of its own, as it is stored")
    .option("--limit <n>", "Maximum number of rows, newest first", integer(1, 1_000), 50)
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
      `Only entries of this kind, each in a row of its own: ${auditFilters.filter((filter) => !filter.includes(".")).join(", ")}, or a specific one such as effect.done`,
      oneOf(auditFilters),
    );
}
