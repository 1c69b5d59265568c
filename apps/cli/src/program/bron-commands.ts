import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadBrons = () => import("../commands/brons.ts");
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
    .option("--tools <names>", "The only tools it has, separated by commas", names)
    .option("--all-tools", "It has all tools, also new ones")
    .option("--model <name>", "The model it uses")
    .option("--default-model", "It uses the default model")
    .action((bron, options) =>
      run(loadBrons, (commands, context) => commands.setBron(context, bron, options)),
    );
}

/** `""` means no tools. */
function names(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}
