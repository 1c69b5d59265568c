import { expect, test } from "vitest";
import type { Commands } from "./commands.ts";
import { commandsOf, type CommandTree } from "./completion/command-tree.ts";
import { runProgram } from "./program.ts";

/** The command tree that shell completion gets. */
async function describeProgram(): Promise<CommandTree> {
  const { promise, resolve } = Promise.withResolvers<CommandTree>();
  const commands: Partial<Commands> = {
    statusWords: ["queued"],
    completion(_shell, program) {
      resolve(program);
      return Promise.resolve(0);
    },
  };
  await runProgram(["completion", "bash"], commands as Commands, { write: () => undefined });
  return await promise;
}

test("every command has help with an example, and every leaf command has --json", async () => {
  const all = commandsOf(await describeProgram()).filter(({ command }) => command.name !== "help");
  expect(all.length).toBeGreaterThan(15);
  for (const { trail, command } of all.slice(1)) {
    let help = "";
    await runProgram(
      [...trail.slice(1).split("/"), "--help"],
      { statusWords: [] } as unknown as Commands,
      { write: (text) => void (help += text) },
    );
    expect(help, trail).toMatch(/\nExample:\n {2}\S/);
    if (command.children.length === 0)
      expect(
        command.options.map(({ flags }) => flags[0]),
        trail,
      ).toContain("--json");
  }
});
