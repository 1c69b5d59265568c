import type { Command, Option } from "commander";

/** What can be typed after a command, as far as it is known beforehand. */
export interface CommandTree {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly children: readonly CommandTree[];
  /** What its first argument may be, if that is one of a few words. */
  readonly choices: readonly string[];
  readonly takesFile: boolean;
}

export interface CompletedOption {
  /** As they are typed: `--status`, `-h`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

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

/** `help` takes the names of the commands beside it. */
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
  };
}

export interface CommandAt {
  /** Of the words that lead to it: "" for the program itself, "/runs/list". */
  readonly trail: string;
  readonly command: CommandTree;
}

/** The words that may follow a command, with what they mean. */
export function wordsAfter({
  children,
  choices,
}: CommandTree): { readonly word: string; readonly description: string }[] {
  return [
    ...children.map(({ name, description }) => ({ word: name, description })),
    ...choices.map((word) => ({ word, description: "" })),
  ];
}

/** Every option that takes a value, under the trail of its command: "/runs/list:--status". */
export function valuedOptions(
  all: readonly CommandAt[],
): { readonly key: string; readonly choices: readonly string[] }[] {
  return all.flatMap(({ trail, command }) =>
    command.options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ flags, choices }) => flags.map((flag) => ({ key: `${trail}:${flag}`, choices }))),
  );
}

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
