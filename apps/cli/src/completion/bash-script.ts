import {
  commandsOf,
  fileCommands,
  valuedOptions,
  wordsAfter,
  type CommandTree,
} from "./command-tree.ts";

/** Quotes only the lists, because all names and choices are plain words. */
export function bashScript(program: CommandTree): string {
  const all = commandsOf(program);
  const trails = all.slice(1).map(({ trail }) => trail);
  const lists = all
    .map(({ trail, command }) => ({ trail, words: wordsAfter(command).map(({ word }) => word) }))
    .filter(({ words }) => words.length > 0);
  return `# bash completion for ${program.name}, made by: ${program.name} completion bash
_${program.name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" trail="" words="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$trail/\${COMP_WORDS[i]}" in
      ${trails.join("|")}) trail="$trail/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$trail:$previous" in
${valuedOptions(all)
  .map(({ key, choices, choicesFrom, takesFile }) =>
    takesFile
      ? `    ${key}) compopt -o default 2>/dev/null; return ;;`
      : `    ${key}) COMPREPLY=($(compgen -W "${choicesFrom === undefined ? choices.join(" ") : `$(${program.name} ${choicesFrom} 2>/dev/null)`}" -- "$current")); return ;;`,
  )
  .join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    case "$trail" in
${all.map(({ trail, command }) => `      "${trail}") words="${command.options.flatMap(({ flags }) => flags).join(" ")}" ;;`).join("\n")}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$trail" in
${lists.map(({ trail, words }) => `    "${trail}") words="${words.join(" ")}" ;;`).join("\n")}
    ${fileCommands(all).join("|")}) compopt -o default 2>/dev/null; return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _${program.name} ${program.name}
`;
}
