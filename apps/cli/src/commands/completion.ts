import { bashScript } from "../completion/bash-script.ts";
import type { CommandTree } from "../completion/command-tree.ts";
import { fishScript } from "../completion/fish-script.ts";
import { zshScript } from "../completion/zsh-script.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Shell } from "../shells.ts";
import { json, type Terminal } from "../terminal.ts";

const scripts: Readonly<Record<Shell, (program: CommandTree) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Prints the completion script of a shell. */
export function printCompletion(
  terminal: Terminal,
  shell: Shell,
  { program, json: asJson }: { readonly program: CommandTree; readonly json: boolean },
): ExitCode {
  const script = scripts[shell](program);
  if (asJson) json(terminal, { shell, script });
  else terminal.out(script);
  return 0;
}
