import { expect, test } from "vitest";
import { commandsOf, commandTree } from "./completion/command-tree.ts";
import { createFakeTerminal } from "./fake-terminal.fixture.ts";
import { createProgram, runProgram, type Settings } from "./program.ts";

const runNothing = () => Promise.resolve();
const noSettings: Settings = {
  load: () => expect.unreachable("Help needs no settings."),
  read: () => expect.unreachable("Help needs no settings."),
};

test("every command has help with an example, and every leaf command has --json", async () => {
  const program = createProgram({ run: runNothing, runAnyway: runNothing });
  const all = commandsOf(commandTree(program)).filter(({ command }) => command.name !== "help");
  expect(all.length).toBeGreaterThan(15);
  for (const { trail, command } of all.slice(1)) {
    const terminal = createFakeTerminal();
    await runProgram([...trail.slice(1).split("/"), "--help"], terminal, noSettings);
    expect(terminal.written("out"), trail).toMatch(/\nExample:\n {2}\S/);
    if (command.children.length === 0)
      expect(
        command.options.map(({ flags }) => flags[0]),
        trail,
      ).toContain("--json");
  }
});
