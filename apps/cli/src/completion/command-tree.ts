import { omitUndefined } from "@bron/protocol";
import type { Command, Option } from "commander";

/** The subcommands, options and choices of a command. */
export interface CommandTree {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly children: readonly CommandTree[];
  /** The choices of its first argument, if it has a fixed list. */
  readonly choices: readonly string[];
  readonly takesFile: boolean;
}

interface CompletedOption {
  /** With their dashes: `--status`, `-h`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly takesFile: boolean;
  /** The command that prints the choices, one in a line, if they are not fixed. */
  readonly choicesFrom?: string;
}

/** Options whose values only the runtime knows. */
const choicesFrom: Readonly<Record<string, string>> = { "--model": "models list --names" };

export function commandTree(command: Command): CommandTree {
  const help = command.createHelp();
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(completedOption),
    children: withHelpChoices(help.visibleCommands(command).map(commandTree)),
    choices: argument?.argChoices ?? [],
    takesFile: argument?.name() === "file",
  };
}

/** `help` takes the names of its sibling commands. */
function withHelpChoices(commands: readonly CommandTree[]): CommandTree[] {
  const names = commands.map(({ name }) => name).filter((name) => name !== "help");
  return commands.map((command) =>
    command.name === "help" ? { ...command, choices: names } : command,
  );
}

function completedOption({
  long,
  short,
  description,
  required,
  optional,
  argChoices,
}: Option): CompletedOption {
  return {
    flags: [long, short].filter((flag) => flag !== undefined && flag !== null),
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
    takesFile: long === "--file",
    ...omitUndefined({ choicesFrom: choicesFrom[long ?? ""] }),
  };
}

export interface CommandAt {
  /** The words that lead to the command: "" for the program itself, or "/runs/list". */
  readonly trail: string;
  readonly command: CommandTree;
}

/** The words that may follow a command, with their descriptions. */
export function wordsAfter({
  children,
  choices,
}: CommandTree): { readonly word: string; readonly description: string }[] {
  return [
    ...children.map(({ name, description }) => ({ word: name, description })),
    ...choices.map((word) => ({ word, description: "" })),
  ];
}

/** Every option that takes a value, keyed by the trail of its command: "/runs/list:--status". */
export function valuedOptions(
  all: readonly CommandAt[],
): (Pick<CompletedOption, "choices" | "choicesFrom" | "takesFile"> & { readonly key: string })[] {
  return all.flatMap(({ trail, command }) =>
    command.options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ flags, ...option }) =>
        flags.map((flag) => ({ ...option, key: `${trail}:${flag}` })),
      ),
  );
}

/** The trails of the commands whose first argument is a file. */
export function fileCommands(all: readonly CommandAt[]): string[] {
  return all.flatMap(({ trail, command }) => (command.takesFile ? [trail] : []));
}

/** The program and everything below it. */
export function commandsOf(command: CommandTree, trail = ""): CommandAt[] {
  return [
    { trail, command },
    ...command.children.flatMap((child) => commandsOf(child, `${trail}/${child.name}`)),
  ];
}
