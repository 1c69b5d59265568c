import { threadStates } from "@bron/protocol";
import { Option, type Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import { integer, oneOf } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadThreads = () => import("../commands/threads.ts");
const loadExportThread = () => import("../commands/export-thread.ts");
const loadDeleteThread = () => import("../commands/delete-thread.ts");

export function addThreadCommands(program: Command, { run }: Runner): void {
  const threads = program
    .command("threads")
    .description("Find, show, rename, archive, pin, export and delete conversations")
    .addHelpText("after", examples("bron threads list\n  bron threads show 3f9a1c20"));
  leaf(
    threads.command("list"),
    "List conversations: pinned ones first, then newest activity first",
    'bron threads list\n  bron threads list --query "lisbon flight"\n  bron threads list --state needs_you',
  )
    .option("--limit <n>", "Maximum number of conversations", integer(1, 1_000), 20)
    .option("--query <words>", "Words of titles, prompts, answers or recipients")
    .addOption(
      new Option("--state <state>", "Only conversations in this state")
        .choices(threadStates)
        .argParser(oneOf(threadStates)),
    )
    .option("--archived", "Only archived conversations")
    .action((options) =>
      run(loadThreads, (commands, context) => commands.listThreads(context, options)),
    );
  leaf(
    threads.command("show"),
    "Show a conversation and its runs, oldest first",
    "bron threads show 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(loadThreads, (commands, context) => commands.showThread(context, id, options)),
    );
  leaf(
    threads.command("rename"),
    "Rename a conversation",
    'bron threads rename 3f9a1c20 "Trip to Lisbon"',
  )
    .argument("<id>", idHelp)
    .argument("<title>", "The new title, in quotes, up to 200 characters")
    .action((id, title, options) =>
      run(loadThreads, (commands, context) => commands.renameThread(context, id, title, options)),
    );
  for (const [change, summary] of [
    ["archive", "Hide a conversation from the list until you write in it again"],
    ["unarchive", "Take a conversation out of the archive"],
    ["pin", "Show a conversation at the top of the list"],
    ["unpin", "Stop showing a conversation at the top of the list"],
  ] as const)
    leaf(threads.command(change), summary, `bron threads ${change} 3f9a1c20`)
      .argument("<id>", idHelp)
      .action((id, options) =>
        run(loadThreads, (commands, context) =>
          commands.changeThread(context, { id, change }, options),
        ),
      );
  leaf(
    threads.command("export"),
    "Save all runs of a conversation (logs, approvals, files) as a zip",
    "bron threads export 3f9a1c20 --output lisbon.zip",
  )
    .argument("<id>", idHelp)
    .option("--output <file>", "The file to write (default: bron-thread-<id>.zip)")
    .action((id, options) =>
      run(loadExportThread, (commands, context) => commands.exportThread(context, id, options)),
    );
  leaf(
    threads.command("delete"),
    "Stop a conversation's runs and delete it with its logs, messages and files",
    "bron threads delete 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .option("--yes", "Don't ask for confirmation")
    .action((id, options) =>
      run(loadDeleteThread, (commands, context) => commands.deleteThread(context, id, options)),
    );
}
