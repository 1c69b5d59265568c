import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { isFullSuite } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { compileCache } from "./support/compile-cache.ts";

const folder = new URL("../examples/", import.meta.url);
const expected: Record<string, RegExp[]> = {
  "own-tool.ts": [/clock: \{ .*Asia\/Tokyo/s, /clock: \{ .*Europe\/Paris/s, /\d\d:\d\d/],
  "approve.ts": [
    /Post “Lunch at noon” to team\?  \(sha256:[0-9a-f]{64}\)/,
    /On the board: \[ 'Lunch at noon' \]/,
  ],
};

describe("the examples", () => {
  it("are all run here", async () => {
    expect((await readdir(folder)).toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  /** Each starts a Postgres of its own. The one with an approval does what the other one does too. */
  const chosen = Object.entries(expected).filter(([name]) => isFullSuite || name === "approve.ts");
  it.each(chosen)(
    "%s does what it says",
    async (name, patterns) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--disable-warning=ExperimentalWarning", new URL(name, folder).pathname],
        { timeout: 60_000, env: { ...process.env, ...compileCache } },
      );
      for (const pattern of patterns) expect(stdout).toMatch(pattern);
    },
    60_000,
  );
});
