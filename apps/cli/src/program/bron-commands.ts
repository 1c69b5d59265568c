import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadBrons = () => import("../commands/brons.ts");
const loadModels = () => import("../commands/models.ts");
const bronHelp = "Its name, its ID, or the start of its ID";

export function addBronCommands(program: Command, { run }: Runner): void {
  const brons = program
    .command("brons")
    .description("List and show Brons, and choose their tools and model")
    .addHelpText("after", examples("bron brons list\n  bron brons set Bron --all-tools"));
  leaf(brons.command("list"), "List Brons, latest activity first", "bron brons list").action(
    (options) => run(loadBrons, (commands, context) => commands.listBrons(context, options)),
  );
  leaf(brons.command("show"), "Show a Bron with its tools and model", "bron brons show Bron")
    .argument("<bron>", bronHelp)
    .action((bron, options) =>
      run(loadBrons, (commands, context) => commands.showBron(context, bron, options)),
    );
  leaf(
    brons.command("set"),
    "Choose the tools or the model of a Bron",
    "bron brons set Bron --tools clock,gmail_search",
  )
    .argument("<bron>", bronHelp)
    .option("--tools <names>", "Give it only these tools, separated by commas", names)
    .option("--all-tools", "Give it all tools, including new ones")
    .option("--model <name>", "Use this model (bron models list shows them)")
    .option("--default-model", "Use the default model")
    .action((bron, options) =>
      run(loadBrons, (commands, context) => commands.setBron(context, bron, options)),
    );
}

export function addModelCommands(program: Command, { run }: Runner): void {
  const models = program
    .command("models")
    .description("List the models that tasks and Brons can use")
    .addHelpText("after", examples("bron models list"));
  leaf(
    models.command("list"),
    "List models with their uses, context size and price",
    "bron models list",
  )
    .option("--names", "Print only the names")
    .action((options) =>
      run(loadModels, (commands, context) => commands.listModels(context, options)),
    );
}

/** `""` means no tools. */
function names(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}
