import type { Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadArtifacts = () => import("../commands/artifacts.ts");
const runHelp = `${idHelp} of a run`;
const all = ["--all", "Include files that Bron made for its own next steps"] as const;

export function addArtifactCommands(program: Command, { run }: Runner): void {
  const artifacts = program
    .command("artifacts")
    .description("List and save the files of a run")
    .addHelpText("after", examples("bron artifacts list 3f9a1c20\n  bron artifacts save 3f9a1c20"));
  leaf(artifacts.command("list"), "List the files of a run", "bron artifacts list 3f9a1c20")
    .argument("<run>", runHelp)
    .option(...all)
    .action((id, options) =>
      run(loadArtifacts, (commands, context) => commands.listArtifacts(context, id, options)),
    );
  leaf(
    artifacts.command("save"),
    "Save the files of a run in a folder",
    "bron artifacts save 3f9a1c20\n  bron artifacts save 3f9a1c20 ~/invoices --force",
  )
    .argument("<run>", runHelp)
    .argument("[folder]", "The folder (default: bron-files-<run>); it is created if necessary")
    .option(...all)
    .option("--force", "Replace files that exist")
    .action((id, folder, options) =>
      run(loadArtifacts, (commands, context) =>
        commands.saveArtifacts(context, id, folder, options),
      ),
    );
}
