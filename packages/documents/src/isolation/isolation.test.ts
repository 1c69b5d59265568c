import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findBubblewrap, inBubblewrap } from "./bubblewrap.ts";
import { describeIsolation, isolationLevel, tryIsolation } from "./isolation.ts";
import { parserCommand, type Command } from "./parser-command.ts";

const command = parserCommand();

/** What happens to code that runs as the parser does. */
function tryInside({ file, args, folder }: Command, code: string): string {
  const flags = args.slice(0, -1);
  return spawnSync(file, [...flags, "--input-type=module", "--eval", code], { env: {}, cwd: folder, encoding: "utf8" }).stdout.trim();
}

/** What happens to it in a thread. Node judges threads of a main file otherwise than those of a script on the command line. */
function tryInThread({ file, args, folder }: Command, code: string): string {
  const main = fileURLToPath(new URL("../fixtures/try-in-thread.fixture.ts", import.meta.url));
  return spawnSync(file, [...args.slice(0, -1), `--allow-fs-read=${main}`, main, code], { env: {}, cwd: folder, encoding: "utf8" }).stdout.trim();
}

const attempts: readonly (readonly [string, string])[] = [
  ["read a file", `fs.readFileSync(${JSON.stringify(new URL("../../../../package.json", import.meta.url).pathname)})`],
  ["list a folder", 'fs.readdirSync("/")'],
  ["write a file", 'fs.writeFileSync("/tmp/written-by-a-parser", "x")'],
  ["start a program", 'cp.spawnSync("/bin/true")'],
];

describe("Node's permissions", () => {
  it.for(attempts)("do not let the parser %s", ([, code]) => {
    const script = `import fs from "node:fs"; import cp from "node:child_process"; try { ${code}; console.log("done"); } catch (error) { console.log(error.code); }`;
    expect(tryInside(command, script)).toBe("ERR_ACCESS_DENIED");
  });

  it.for(attempts)("do not let a thread of the parser %s", ([, code]) => {
    const script = `import fs from "node:fs"; import cp from "node:child_process"; try { ${code}; console.log("done"); } catch (error) { console.log(error.code); }`;
    expect(tryInThread(command, script)).toBe("ERR_ACCESS_DENIED");
  });

  it("do not let it make code of strings", () => {
    expect(tryInside(command, 'try { new Function("return 1")(); console.log("done"); } catch (error) { console.log(error.name); }')).toBe("EvalError");
  });
});

const bubblewrap = findBubblewrap();
const works = bubblewrap !== undefined && (await tryIsolation(bubblewrap)).level === "bubblewrap";

describe.skipIf(!works)("bubblewrap", () => {
  const wrapped = inBubblewrap(bubblewrap ?? "", command);

  it("leaves the parser without a network", () => {
    expect(tryInside(wrapped, 'import os from "node:os"; console.log(Object.keys(os.networkInterfaces()).filter((name) => name !== "lo").length)')).toBe("0");
  });

  it("shows it no other process", () => {
    expect(Number(tryInside(wrapped, "console.log(process.pid)"))).toBeLessThan(10);
  });
});

describe("the level of isolation", () => {
  it("is the one that works here, in words for people", async () => {
    const level = await isolationLevel();
    expect(level).toBe(works ? "bubblewrap" : "permission");
    expect(describeIsolation(level)).toContain("process of their own");
  });

  it("falls back when bubblewrap is there and does not work", { skip: !existsSync("/bin/false") }, async () => {
    expect((await tryIsolation("/bin/false")).level).toBe("permission");
    expect((await tryIsolation("/nowhere/bwrap")).level).toBe("permission");
  });
});
