import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { startRemote } from "../../bench/support/remote-calls.ts";

interface Calls {
  double(value: number): Promise<number>;
  die(): Promise<void>;
  close(): Promise<void>;
}

const program = `
import { serveCalls } from ${JSON.stringify(new URL("../../bench/support/remote-calls.ts", import.meta.url).href)};
serveCalls({ double: async (value) => value * 2, die: () => process.exit(3), close: async () => undefined });
`;

async function startProgramFile() {
  const path = join(tmpdir(), `bron-remote-${randomUUID()}.mjs`);
  await writeFile(path, program);
  onTestFinished(() => rm(path));
  return await startRemote<Calls>(pathToFileURL(path).href, {});
}

it("a benchmark process that dies fails its calls, and closing it does not stop later closes", async () => {
  const remote = await startProgramFile();
  expect(await remote.calls.double(21)).toBe(42);
  const waiting = remote.calls.die();
  await expect(waiting).rejects.toThrow("ended");
  await expect(remote.calls.double(1)).rejects.toThrow("ended");
  await remote.close();
});

it("a benchmark process is closed once it has responded", async () => {
  const remote = await startProgramFile();
  await remote.close();
  expect(remote.process.exitCode).toBe(0);
  await remote.close();
});
