import type { Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadEffects = () => import("../commands/effects.ts");

export function addEffectCommands(program: Command, { run }: Runner): void {
  const effects = program
    .command("effects")
    .description("Review actions with an unconfirmed outcome")
    .addHelpText("after", examples("bron effects list\n  bron effects settle 9c0d1e2f --happened"));
  leaf(effects.command("list"), "List unconfirmed actions", "bron effects list").action((options) =>
    run(loadEffects, (commands, context) => commands.listUnconfirmed(context, options)),
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
    .action((id, options) =>
      run(loadEffects, (commands, context) => commands.settleEffect(context, id, options)),
    );
}
