import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadCommands = () => import("../commands/settings.ts");

export function addSettingsCommands(program: Command, { runWithSettings }: Runner): void {
  const settings = program
    .command("settings")
    .description("Show, check and change settings")
    .addHelpText(
      "after",
      examples("bron settings show\n  bron settings set model anthropic/claude-sonnet-5"),
    );
  leaf(
    settings.command("show"),
    "Show every setting and where its value comes from",
    "bron settings show",
  ).action((options) =>
    runWithSettings(loadCommands, (commands, terminal, reading) =>
      commands.showSettings(terminal, reading, options),
    ),
  );
  leaf(settings.command("get"), "Print the value of one setting", "bron settings get log.level")
    .argument("<key>", "Name of the setting, as printed by bron settings show")
    .action((key, options) =>
      runWithSettings(loadCommands, (commands, terminal, reading) =>
        commands.getSetting(terminal, reading, { ...options, key }),
      ),
    );
  leaf(
    settings.command("set"),
    "Change a setting in BRON_HOME; comments and formatting stay",
    "bron settings set caps.dollars 0.50",
  )
    .argument("<key>", "Name of the setting, as printed by bron settings show")
    .argument("<value>", "New value")
    .action((key, value, options) =>
      runWithSettings(loadCommands, (commands, terminal, reading) =>
        commands.changeSetting(terminal, reading, { ...options, key, value }),
      ),
    );
  leaf(
    settings.command("check"),
    "Check settings files",
    "bron settings check\n  bron settings check .bron/settings.json",
  )
    .argument("[file]", "File to check (default: those that count here)")
    .action((file, options) =>
      runWithSettings(loadCommands, (commands, terminal, reading) =>
        commands.checkSettings(terminal, reading, { ...options, file }),
      ),
    );
  leaf(
    settings.command("schema"),
    "Print the JSON Schema of settings files, for editors",
    "bron settings schema > settings.schema.json",
  ).action(() =>
    runWithSettings(loadCommands, (commands, terminal) => commands.printSchema(terminal)),
  );
}
