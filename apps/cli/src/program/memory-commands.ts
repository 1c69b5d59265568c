import { maxMemoryCharacters, memoryKinds, memoryStates } from "@bron/protocol";
import { Option, type Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import { integer, oneOf } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const load = () => import("../commands/memory.ts");
const bronHelp = "Only for this Bron: its name or ID";

export function addMemoryCommands(program: Command, { run }: Runner): void {
  const memory = program
    .command("memory")
    .description("See what Brons remember about you, and confirm, correct or forget it")
    .addHelpText(
      "after",
      examples('bron memory list\n  bron memory add "I prefer short emails" --kind preference'),
    );
  leaf(
    memory.command("list"),
    "List what is remembered: suggestions first, then newest first",
    "bron memory list --query email\n  bron memory list --state suggested",
  )
    .option("--limit <n>", "Maximum number of each state", integer(1, 1_000), 50)
    .option("--query <words>", "Words of the text")
    .option("--bron <bron>", "Only what this Bron uses: its name or ID")
    .addOption(
      new Option("--state <state>", "Only in this state")
        .choices(memoryStates)
        .argParser(oneOf(memoryStates)),
    )
    .action((options) => run(load, (commands, context) => commands.listMemory(context, options)));
  leaf(
    memory.command("show"),
    "Show a statement and where it came from",
    "bron memory show 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(load, (commands, context) => commands.showMemory(context, id, options)),
    );
  addChangeCommands(memory, run);
  leaf(memory.command("confirm"), "Confirm a suggestion", "bron memory confirm 3f9a1c20")
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(load, (commands, context) => commands.confirmMemory(context, id, options)),
    );
  leaf(
    memory.command("forget"),
    "Forget a statement, also in the summaries",
    "bron memory forget 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(load, (commands, context) => commands.forgetMemory(context, id, options)),
    );
  leaf(
    memory.command("export"),
    "Write all statements and summaries to a file",
    "bron memory export -o memory.json",
  )
    .option("-o, --output <file>", "Where to write it", "bron-memory.json")
    .action((options) => run(load, (commands, context) => commands.exportMemory(context, options)));
  addSummaryCommands(memory, run);
}

function addChangeCommands(memory: Command, run: Runner["run"]): void {
  const kind = () =>
    new Option("--kind <kind>", "What it is about")
      .choices(memoryKinds)
      .argParser(oneOf(memoryKinds));
  leaf(
    memory.command("add"),
    "Add a statement that counts as true",
    'bron memory add "Priya signs our invoices" --kind person',
  )
    .argument("<text>", `The statement, in quotes, up to ${maxMemoryCharacters} characters`)
    .addOption(kind())
    .option("--bron <bron>", bronHelp)
    .action((text, options) =>
      run(load, (commands, context) => commands.addMemory(context, text, options)),
    );
  leaf(
    memory.command("edit"),
    "Correct a statement. A suggestion stays one until you confirm it",
    'bron memory edit 3f9a1c20 "I prefer very short emails"',
  )
    .argument("<id>", idHelp)
    .argument("[text]", "The new text, in quotes")
    .addOption(kind())
    .option("--bron <bron>", bronHelp)
    .option("--all-brons", "For all Brons")
    .action((id, text, options) =>
      run(load, (commands, context) => commands.editMemory(context, id, text, options)),
    );
}

function addSummaryCommands(memory: Command, run: Runner["run"]): void {
  leaf(
    memory.command("summary"),
    "Show the summary of a Bron, and what the last update changed",
    "bron memory summary Assistant\n  bron memory summary Assistant --undo",
  )
    .argument("<bron>", "Its name, its ID, or the start of its ID")
    .option("--undo", "Undo the last update")
    .action((bron, options) =>
      run(load, (commands, context) => commands.showSummary(context, bron, options)),
    );
  for (const [name, words] of [
    ["on", "Let a Bron save and use what is remembered"],
    ["off", "Keep a Bron from saving and using what is remembered"],
  ] as const)
    leaf(memory.command(name), words, `bron memory ${name} Assistant`)
      .argument("<bron>", "Its name, its ID, or the start of its ID")
      .action((bron, options) =>
        run(load, (commands, context) =>
          commands.switchMemory(context, bron, { ...options, isOn: name === "on" }),
        ),
      );
}
