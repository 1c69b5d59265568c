import type { Command } from "commander";

export const idHelp = "ID, or its first 6+ characters";

/** Adds what every command that does something has: a description, `--json` and an example. */
export function leaf(command: Command, description: string, example: string): Command {
  return command
    .description(description)
    .option("--json", "Print JSON")
    .addHelpText("after", examples(example));
}

export function examples(text: string): string {
  return `\nExample:\n  ${text}`;
}
