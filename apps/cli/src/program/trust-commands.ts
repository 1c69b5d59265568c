import type { Command } from "commander";
import { leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadTrust = () => import("../commands/trust.ts");

export function addTrustCommands(program: Command, { runWithSettings }: Runner): void {
  const trust = leaf(
    program.command("trust"),
    "Review the files of a folder that change what Bron does, and trust them",
    "bron trust\n  bron trust ~/projects/shop\n  bron trust list",
  )
    .argument("[folder]", "Folder (default: the current one)")
    .action((folder, options) =>
      runWithSettings(loadTrust, (commands, terminal, reading) =>
        commands.trustFolder(terminal, reading, { ...options, folder }),
      ),
    );
  // `trust` and its subcommands share `--json`, so it counts after either of the words.
  leaf(
    trust.command("list"),
    "List trusted folders, and what changed in them",
    "bron trust list",
  ).action((_options, command: Command) =>
    runWithSettings(loadTrust, (commands, terminal, reading) =>
      commands.listFolders(terminal, reading, command.optsWithGlobals()),
    ),
  );
  leaf(
    trust.command("revoke"),
    "Stop trusting the files of a folder",
    "bron trust revoke ~/projects/shop",
  )
    .argument("[folder]", "Folder (default: the current one)")
    .action((folder, _options, command: Command) =>
      runWithSettings(loadTrust, (commands, terminal, reading) =>
        commands.revokeFolder(terminal, reading, { ...command.optsWithGlobals(), folder }),
      ),
    );
}
