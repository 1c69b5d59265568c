import { Argument, type Command } from "commander";
import { commandTree } from "../completion/command-tree.ts";
import { shells } from "../shells.ts";
import { leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadCompletion = () => import("../commands/completion.ts");

export function addCompletionCommand(program: Command, { runAnyway }: Runner): void {
  leaf(program.command("completion"), "Print a shell completion script", completionExample)
    .addArgument(new Argument("<shell>", "Your shell").choices(shells))
    .action((shell, options) =>
      runAnyway(loadCompletion, (commands, { terminal }) =>
        commands.printCompletion(terminal, shell, {
          program: commandTree(program),
          json: options.json === true,
        }),
      ),
    );
}

const completionExample = `bron completion bash > ~/.local/share/bash-completion/completions/bron
  bron completion zsh > ~/.zfunc/_bron      (in ~/.zshrc: fpath+=(~/.zfunc); autoload -Uz compinit; compinit)
  bron completion fish > ~/.config/fish/completions/bron.fish

Create the folder first, then open a new shell.`;
