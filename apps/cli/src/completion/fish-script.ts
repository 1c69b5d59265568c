import { commandsOf, wordsAfter, type CommandAt, type CommandTree } from "./command-tree.ts";

export function fishScript(program: CommandTree): string {
  const lines = commandsOf(program).flatMap((at) =>
    [...wordsOf(at), ...optionsOf(at, program.name)].map(
      (rest) => `complete -c ${program.name} -n ${quote(conditionOf(at))} ${rest}`,
    ),
  );
  return `# fish completion for ${program.name}, made by: ${program.name} completion fish
complete -c ${program.name} -f
${lines.join("\n")}
`;
}

/** Matches when the words of a command have been typed, and none of its subcommands. */
function conditionOf({ trail, command }: CommandAt): string {
  const seen = trail
    .split("/")
    .filter((word) => word !== "")
    .map((word) => `__fish_seen_subcommand_from ${word}`);
  const further = command.children.map(({ name }) => name);
  const conditions = [
    ...seen,
    ...(further.length === 0 ? [] : [`not __fish_seen_subcommand_from ${further.join(" ")}`]),
  ];
  return conditions.join("; and ");
}

function wordsOf({ command }: CommandAt): string[] {
  if (command.takesFile) return ["-F"];
  return wordsAfter(command).map(
    ({ word, description }) => `-a ${word}${description === "" ? "" : ` -d ${quote(description)}`}`,
  );
}

function optionsOf({ command }: CommandAt, program: string): string[] {
  return command.options.map(
    ({ flags, description, takesValue, takesFile, choices, choicesFrom }) => {
      const names = flags.map((flag) =>
        flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      return [
        ...names,
        ...(takesValue ? [takesFile ? "-r -F" : "-x"] : []),
        ...(choices.length === 0 ? [] : [`-a ${quote(choices.join(" "))}`]),
        ...(choicesFrom === undefined
          ? []
          : [`-a ${quote(`(${program} ${choicesFrom} 2>/dev/null)`)}`]),
        `-d ${quote(description)}`,
      ].join(" ");
    },
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
