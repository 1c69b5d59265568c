import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import { dollars, orNone } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadBudget = () => import("../commands/budget.ts");

export function addBudgetCommands(program: Command, { run }: Runner): void {
  const budget = program
    .command("budget")
    .description("Limit what Bron spends by day and by month")
    .addHelpText("after", examples("bron budget show\n  bron budget set --day 2 --month 30"));
  leaf(
    budget.command("show"),
    "Show your budget and what is spent of it",
    "bron budget show",
  ).action((options) =>
    run(loadBudget, (commands, context) => commands.showBudget(context, options)),
  );
  leaf(
    budget.command("set"),
    "Set your budget. Model calls that would exceed it are not made",
    "bron budget set --day 2 --month 30\n  bron budget set --day none\n  bron budget set --zone Europe/Berlin",
  )
    .option("--day <dollars>", "US dollars a day, or none", orNone(dollars))
    .option("--month <dollars>", "US dollars a month, or none", orNone(dollars))
    .option("--zone <zone>", "Where days and months begin at midnight")
    .action((options) =>
      run(loadBudget, (commands, context) => commands.setBudget(context, options)),
    );
}
