import { omitUndefined } from "@bron/protocol";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../config.ts";
import { resetSandbox } from "../commands/sandbox.ts";
import { createFakeTerminal } from "../fake-terminal.fixture.ts";
import { tempFolder } from "@bron/testing";
import { claimSimulator } from "./simulator-claim.ts";
import {
  findOrClearSimulator,
  findSimulator,
  openSharedSimulator,
  simulatorFolder,
  type SharedSimulator,
} from "./shared-simulator.ts";

const timeout = 60_000;
const holder = fileURLToPath(new URL("./hold-simulator.fixture.ts", import.meta.url));

async function open(home: string): Promise<SharedSimulator> {
  const simulator = await openSharedSimulator(home);
  onTestFinished(simulator.close);
  return simulator;
}

/** Another process of the same home. */
async function hold(
  home: string,
): Promise<{ readonly url: string; end(how: "politely" | "SIGKILL"): Promise<void> }> {
  const child = spawn(process.execPath, [holder, home], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return {
    url: line.trim(),
    async end(how) {
      if (how === "politely") child.stdin.end();
      else child.kill(how);
      await once(child, "close");
    },
  };
}

async function control<T>(
  { url, controlKey }: SharedSimulator,
  name: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`${url}/_control/${name}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-control-key": controlKey },
    ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

const untilAnswering = async (home: string) =>
  await vi.waitUntil(() => findSimulator(home), { timeout: 20_000, interval: 50 });
const post = async (simulator: SharedSimulator) =>
  await control<{ ts: string }>(simulator, "slack/post", {
    channel: "general",
    from: "mara@lindqvist.example",
    text: "Kept",
  });
const talkOf = async (simulator: SharedSimulator) =>
  JSON.stringify(await control(simulator, "view"));

test.each(["politely", "SIGKILL"] as const)(
  "X8 continues at the same address when the process that runs it ends (%s)",
  { timeout },
  async (how) => {
    const home = await tempFolder();
    const first = await hold(home);
    const second = await open(home);
    expect(second.url).toBe(first.url);
    await post(second);
    await first.end(how);
    expect(await untilAnswering(home)).toMatchObject({
      url: second.url,
      controlKey: second.controlKey,
      google: second.google,
      slack: second.slack,
    });
    expect(await talkOf(second)).toContain("Kept");
  },
);

test("X8 one of the remaining processes takes it over, each time", { timeout }, async () => {
  const home = await tempFolder();
  const [first, second, third] = [await open(home), await open(home), await open(home)];
  await post(first);
  await first.close();
  expect((await untilAnswering(home)).url).toBe(first.url);
  await second.close();
  await untilAnswering(home);
  expect(await talkOf(third)).toContain("Kept");
  await third.close();
  expect(await findSimulator(home)).toBeUndefined();
  expect((await open(home)).url).toBe(first.url);
});

test("X8 there is only one, even if several processes start at once", { timeout }, async () => {
  const home = await tempFolder();
  const simulators = await Promise.all([hold(home), open(home), hold(home), open(home)]);
  expect(new Set(simulators.map(({ url }) => url)).size).toBe(1);
});

test(
  "X8 keeps the state of a home that calls the folder by its earlier name",
  { timeout },
  async () => {
    const home = await tempFolder();
    const before = await openSharedSimulator(home);
    await before.close();
    const mark = join("google", "kept");
    await writeFile(join(simulatorFolder(home), mark), "kept");
    await rename(simulatorFolder(home), join(home, "world"));
    const [first, second] = await Promise.all([open(home), hold(home)]);
    expect(second.url).toBe(first.url);
    expect(await readFile(join(simulatorFolder(home), mark), "utf8")).toBe("kept");
    expect(await readdir(home)).not.toContain("world");
  },
);

test("X8 leaves the earlier folder alone if there is a newer one", { timeout }, async () => {
  const home = await tempFolder();
  await (await openSharedSimulator(home)).close();
  await mkdir(join(home, "world"));
  await open(home);
  expect(await readdir(home)).toEqual(expect.arrayContaining(["sandbox", "world"]));
});

test("X8 resets the state of a home that calls the folder by its earlier name", async () => {
  const home = await tempFolder();
  await mkdir(join(home, "world", "google"), { recursive: true });
  expect(await findOrClearSimulator(home)).toBe("cleared");
  expect(await readdir(home)).toEqual(["sandbox"]);
  expect(await readdir(simulatorFolder(home))).not.toContain("google");
});

test("does not mistake another program on its port for the simulator", { timeout }, async () => {
  const home = await tempFolder();
  const before = await openSharedSimulator(home);
  await before.close();
  const stranger = createServer((_, response) => response.end("{}"));
  await new Promise<void>((resolve) =>
    stranger.listen(Number(new URL(before.url).port), "127.0.0.1", resolve),
  );
  onTestFinished(() => void stranger.close());
  const simulator = await open(home);
  expect(simulator.url).not.toBe(before.url);
  expect(await findSimulator(home)).toMatchObject({ url: simulator.url });
});

test(
  "a live process that does not respond keeps its folder, and a reset reports that it did nothing",
  { timeout },
  async () => {
    const home = await tempFolder();
    const claim = await claimSimulator(simulatorFolder(home));
    await writeFile(join(simulatorFolder(home), "kept"), "");
    const apart = await openSharedSimulator(home, { timeoutMs: 0 });
    onTestFinished(apart.close);
    expect((await fetch(apart.url)).ok).toBe(true);
    expect(await findSimulator(home)).toBeUndefined();
    const terminal = createFakeTerminal();
    await expect(
      resetSandbox({ terminal, config: loadConfig({ BRON_HOME: home }) }, {}, 0),
    ).rejects.toMatchObject({
      code: "home_busy",
      message: expect.stringContaining("The sandbox wasn't reset"),
    });
    expect(terminal.shown()).toBe("");
    const cleared = findOrClearSimulator(home, 30_000);
    await claim?.release();
    expect(await cleared).toBe("cleared");
  },
);

test.each([
  ["of a process that is gone", { pid: 4_000_000, id: "1 x" }],
  ["with a number that another process has by now", { pid: process.ppid, id: "1 x" }],
  ["with a number that is ours by now", { pid: process.pid, id: "1 x" }],
])("a claim %s blocks no other process", async (_, left) => {
  const folder = await tempFolder();
  await (await claimSimulator(folder))?.release();
  await writeFile(
    join(folder, "host", "server.json"),
    JSON.stringify({ ...left, url: "", startedAt: "2026-11-15T12:00:00.000Z" }),
  );
  expect(await claimSimulator(folder)).toBeDefined();
  expect(await claimSimulator(folder)).toBeUndefined();
});
