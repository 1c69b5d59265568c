import { expect, test } from "vitest";
import { asCalled, calledAs, commandNames } from "./called-as.ts";
import { createProgram } from "./program.ts";

test.each([
  ["bron runs list", {}, "bron"],
  ["npx bron runs list", { npm_command: "exec", npm_lifecycle_event: "npx" }, "npx bron"],
  ["pnpm exec bron", { npm_command: "exec" }, "npx bron"],
  [
    "npm run -s bron -- runs list",
    { npm_command: "run", npm_lifecycle_event: "bron" },
    "npm run -s bron --",
  ],
  ["npm start", { npm_command: "start", npm_lifecycle_event: "start" }, "npx bron"],
])("%s is continued in its own form", (_call, env, form) => {
  expect(calledAs(env)).toBe(form);
});

test("only commands are put into the form of the call", () => {
  const npx = { calledAs: "npx bron" };
  expect(asCalled(npx, "See bron runs show 3f9a1c20. Then: bron start.")).toBe(
    "See npx bron runs show 3f9a1c20. Then: npx bron start.",
  );
  expect(asCalled(npx, "Usage: bron [options]")).toBe("Usage: npx bron [options]");
  expect(asCalled({ calledAs: "npm run -s bron --" }, "Run `bron demo`.")).toBe(
    "Run `npm run -s bron -- demo`.",
  );
  for (const text of [
    "If no other bron command is running",
    "~/bron start",
    "Bron start",
    "abron run",
  ])
    expect(asCalled(npx, text)).toBe(text);
});

test("every command of the program is known", () => {
  const none = () => Promise.resolve();
  const program = createProgram({ run: none, runWithSettings: none, runAnyway: none });
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  expect(names.toSorted()).toEqual([...commandNames]);
});
