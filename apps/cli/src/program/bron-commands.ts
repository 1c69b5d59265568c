import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import { dollars, orNone } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadBrons = () => import("../commands/brons.ts");
const loadBronFiles = () => import("../commands/bron-files.ts");
const loadModels = () => import("../commands/models.ts");
const bronHelp = "Its name, its ID, or the start of its ID";

export function addBronCommands(program: Command, { run }: Runner): void {
  const brons = program
    .command("brons")
    .description("List, create and change Brons")
    .addHelpText("after", examples("bron brons list\n  bron brons create --template inbox-helper"));
  leaf(brons.command("list"), "List Brons, latest activity first", "bron brons list")
    .option("--archived", "List the archived ones instead")
    .action((options) =>
      run(loadBrons, (commands, context) => commands.listBrons(context, options)),
    );
  leaf(brons.command("show"), "Show a Bron with its tools and model", "bron brons show Assistant")
    .argument("<bron>", bronHelp)
    .action((bron, options) =>
      run(loadBrons, (commands, context) => commands.showBron(context, bron, options)),
    );
  leaf(
    brons.command("set"),
    "Choose the tools, the skills, the model or the most that a task of a Bron may cost",
    "bron brons set Assistant --tools clock,gmail_search",
  )
    .argument("<bron>", bronHelp)
    .option("--tools <names>", "Give it only these tools, separated by commas", names)
    .option("--all-tools", "Give it all tools, including new ones")
    .option("--skills <names>", "Give it only these skills, separated by commas", names)
    .option("--all-skills", "Give it all accepted skills, including new ones")
    .option("--model <name>", "Use this model (bron models list shows them)")
    .option("--default-model", "Use the default model")
    .option(
      "--max-cost <dollars>",
      "The most that one of its tasks may cost, or none",
      orNone(dollars),
    )
    .option("--own-instructions", "Count its imported instructions, as shown, as your words")
    .action((bron, options) =>
      run(loadBrons, (commands, context) => commands.setBron(context, bron, options)),
    );
  addBronFileCommands(brons, run);
}

function addBronFileCommands(brons: Command, run: Runner["run"]): void {
  leaf(
    brons.command("create"),
    "Create a Bron, on its own or from a template",
    "bron brons create --template inbox-helper",
  )
    .argument("[name]", "Its name. A template brings one")
    .option("--template <id>", "Start with the instructions and tools of a template")
    .action((name, options) =>
      run(loadBronFiles, (commands, context) => commands.newBron(context, name, options)),
    );
  leaf(
    brons.command("duplicate"),
    "Copy a Bron with its instructions, tools, model and trust level",
    "bron brons duplicate Assistant",
  )
    .argument("<bron>", bronHelp)
    .action((bron, options) =>
      run(loadBronFiles, (commands, context) => commands.duplicateBron(context, bron, options)),
    );
  leaf(
    brons.command("archive"),
    "Hide a Bron that you no longer use. Its tasks stay",
    "bron brons archive Research",
  )
    .argument("<bron>", bronHelp)
    .action((bron, options) =>
      run(loadBronFiles, (commands, context) => commands.archiveBron(context, bron, options)),
    );
  leaf(brons.command("restore"), "Restore an archived Bron", "bron brons restore Research")
    .argument("<bron>", bronHelp)
    .action((bron, options) =>
      run(loadBronFiles, (commands, context) => commands.restoreBron(context, bron, options)),
    );
  leaf(
    brons.command("export"),
    "Write a Bron to a file, without its memory",
    "bron brons export Research -o research.json",
  )
    .argument("<bron>", bronHelp)
    .option("-o, --output <file>", "Where to write it. By default bron-<name>.json")
    .action((bron, options) =>
      run(loadBronFiles, (commands, context) => commands.exportBron(context, bron, options)),
    );
  leaf(
    brons.command("import"),
    "Create a Bron from an exported file",
    "bron brons import research.json",
  )
    .argument("<file>", "An exported Bron")
    .option("--keep-trust", "Keep its trust level. Otherwise it is supervised")
    .action((file, options) =>
      run(loadBronFiles, (commands, context) => commands.importBron(context, file, options)),
    );
}

export function addModelCommands(program: Command, { run }: Runner): void {
  const models = program
    .command("models")
    .description("List the models that tasks and Brons can use, and choose a local one")
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
  leaf(
    models.command("use"),
    "Use a model that runs on this computer (Ollama, LM Studio, llama.cpp)",
    "bron models use ollama/llama3.2",
  )
    .argument("<model>", "The server and its model, as bron models list shows them")
    .action((model, options) =>
      run(loadModels, (commands, context) => commands.useModel(context, model, options)),
    );
}

/** `""` means none. */
function names(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}
