import type { Command } from "commander";
import { leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadStop = () => import("../commands/stop.ts");

export function addStopCommand(program: Command, { run }: Runner): void {
  leaf(
    program.command("stop"),
    "Stop all runs",
    'bron stop --all\n  bron stop --all --yes --reason "something looks wrong"',
  )
    .option("--all", "Stop every run (for one run, use bron runs cancel)")
    .option("--yes", "Don't ask for confirmation")
    .option("--reason <text>", "Reason, saved in the runs' logs and in the audit log")
    .action((options) => run(loadStop, (commands, context) => commands.stopAll(context, options)));
}
