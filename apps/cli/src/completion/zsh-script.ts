import {
  commandsOf,
  fileCommands,
  valuedOptions,
  wordsAfter,
  type CommandTree,
} from "./command-tree.ts";

export function zshScript(program: CommandTree): string {
  const all = commandsOf(program);
  const trails = all.slice(1).map(({ trail }) => trail);
  const lists = all
    .map(({ trail, command }) => ({
      trail,
      words: wordsAfter(command).map(({ word, description }) => entry(word, description)),
    }))
    .filter(({ words }) => words.length > 0);
  return `#compdef ${program.name}
# zsh completion for ${program.name}, made by: ${program.name} completion zsh
_${program.name}() {
  local trail="" i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    case "$trail/\${words[i]}" in
      (${trails.join("|")}) trail="$trail/\${words[i]}" ;;
    esac
  done
  case "$trail:\${words[CURRENT-1]}" in
${valuedOptions(all)
  .map(
    ({ key, choices, choicesFrom, takesFile }) =>
      `    (${key}) ${takesFile ? "_files; " : added(program, choices, choicesFrom)}return ;;`,
  )
  .join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "$trail" in
${all.map(({ trail, command }) => `      ("${trail}") entries=(${command.options.flatMap(({ flags, description }) => flags.map((flag) => entry(flag, description))).join(" ")}) ;;`).join("\n")}
    esac
    _describe -o option entries
    return
  fi
  case "$trail" in
${lists.map(({ trail, words }) => `    ("${trail}") entries=(${words.join(" ")}) ;;`).join("\n")}
    (${fileCommands(all).join("|")}) _files; return ;;
  esac
  _describe command entries
}
if [ "$funcstack[1]" = "_${program.name}" ]; then _${program.name} "$@"; else compdef _${program.name} ${program.name}; fi
`;
}

function added(
  { name }: CommandTree,
  choices: readonly string[],
  choicesFrom: string | undefined,
): string {
  if (choicesFrom !== undefined)
    return `compadd -- \${(f)"$(${name} ${choicesFrom} 2>/dev/null)"}; `;
  return choices.length === 0 ? "" : `compadd -- ${choices.join(" ")}; `;
}

/** An entry for `_describe`: the word, a colon and the description. */
function entry(word: string, description: string): string {
  return `'${`${word}${description === "" ? "" : `:${description}`}`.replaceAll("'", "'\\''")}'`;
}
