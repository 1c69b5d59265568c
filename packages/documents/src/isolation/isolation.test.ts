import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeIsolation, isolationLevel, tryIsolation } from "./isolation.ts";
import { parserCommand, type Command } from "./parser-command.ts";
import { bubblewrap, namespace, wallsHere, wallWorks } from "./walls.ts";

const command = parserCommand();
const run = promisify(execFile);

/** What happens to code that runs as the parser does. */
async function tryInside({ file, args, folder }: Command, code: string): Promise<string> {
  const { stdout } = await run(
    file,
    [...args.slice(0, -1), "--input-type=module", "--eval", code],
    { env: {}, cwd: folder, timeout: 10_000 },
  );
  return stdout.trim();
}

/** What happens to it in a thread. Node judges threads of a main file otherwise than those of a script on the command line. */
async function tryInThread({ file, args, folder }: Command, code: string): Promise<string> {
  const main = fileURLToPath(new URL("../fixtures/try-in-thread.fixture.ts", import.meta.url));
  const { stdout } = await run(
    file,
    [...args.slice(0, -1), `--allow-fs-read=${main}`, main, code],
    { env: {}, cwd: folder, timeout: 10_000 },
  );
  return stdout.trim();
}

/** Says the code of what stopped it, wherever it comes out; `done` otherwise. */
function attempt(code: string): string {
  return `const say = (error) => { console.log(error?.code ?? error?.cause?.code ?? String(error)); process.exit(); };
    process.on("uncaughtException", say);
    try { await (async () => { ${code} })(); console.log("done"); } catch (error) { say(error); }`;
}

const attempts: readonly (readonly [string, string])[] = [
  [
    "read a file",
    `(await import("node:fs")).readFileSync(${JSON.stringify(new URL("../../../../package.json", import.meta.url).pathname)})`,
  ],
  ["list a folder", '(await import("node:fs")).readdirSync("/")'],
  ["write a file", '(await import("node:fs")).writeFileSync("/tmp/written-by-a-parser", "x")'],
  ["start a program", '(await import("node:child_process")).spawnSync("/bin/true")'],
  ["end another process", "process.kill(process.ppid, 0)"],
  ["take Node's inside", 'process.binding("tcp_wrap")'],
];

const ended =
  'await new Promise((resolve, reject) => reached.on("error", reject).on("connect", resolve).on("response", resolve))';
const ways: readonly (readonly [string, (port: number) => string])[] = [
  ["fetch", (port) => `await fetch("http://127.0.0.1:${port}")`],
  [
    "a socket",
    (port) => `const reached = (await import("node:net")).connect(${port}, "127.0.0.1"); ${ended}`,
  ],
  [
    "a socket by getBuiltinModule",
    (port) =>
      `const reached = process.getBuiltinModule("net").connect(${port}, "127.0.0.1"); ${ended}`,
  ],
  [
    "http",
    (port) =>
      `const reached = (await import("node:http")).get("http://127.0.0.1:${port}"); ${ended}`,
  ],
  [
    "TLS",
    (port) => `const reached = (await import("node:tls")).connect(${port}, "127.0.0.1"); ${ended}`,
  ],
  [
    "HTTP/2",
    (port) =>
      `const reached = (await import("node:http2")).connect("http://127.0.0.1:${port}"); ${ended}`,
  ],
  [
    "a WebSocket",
    (port) =>
      `await new Promise((resolve, reject) => { const reached = new WebSocket("ws://127.0.0.1:${port}"); reached.onopen = resolve; reached.onerror = () => reject({ code: "ERR_ACCESS_DENIED" }); })`,
  ],
  [
    "UDP",
    (port) =>
      `const reached = (await import("node:dgram")).createSocket("udp4"); reached.send("x", ${port}, "127.0.0.1")`,
  ],
  ["a listener", () => '(await import("node:net")).createServer().listen(0)'],
  [
    "a name",
    () =>
      'const { lookup } = await import("node:dns"); await new Promise((resolve) => lookup("localhost", resolve))',
  ],
  [
    "a promised name",
    () => 'const { lookup } = await import("node:dns/promises"); await lookup("localhost")',
  ],
  [
    "a thread that begins otherwise",
    (port) => `const { Worker } = await import("node:worker_threads");
      const code = "import('node:worker_threads').then(({ parentPort }) => fetch('http://127.0.0.1:${port}').then(() => parentPort.postMessage({}), (error) => parentPort.postMessage({ code: (error.cause ?? error).code })))";
      const worker = new (new Worker("0", { eval: true }).constructor)(code, { eval: true, execArgv: [] });
      const { code: refused } = await new Promise((resolve) => worker.on("message", resolve));
      if (refused) throw { code: refused };`,
  ],
  ["a handle", () => '(await import("node:net")).default._createServerHandle("127.0.0.1", 0, 4)'],
  [
    "a resolver",
    () =>
      'const { Resolver } = await import("node:dns"); new Resolver().resolve4("a.test", () => {})',
  ],
];

async function listen(): Promise<{ port: number; reached: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.on("error", () => {}).end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, reached: () => count };
}

describe("Node's permissions (BR22)", () => {
  it.for(attempts)("do not let the parser %s", async ([, code]) => {
    expect(await tryInside(command, attempt(code))).toBe("ERR_ACCESS_DENIED");
  });

  it.for(attempts)("do not let a thread of the parser %s", async ([, code]) => {
    expect(await tryInThread(command, attempt(code))).toBe("ERR_ACCESS_DENIED");
  });

  it("do not let it make code of strings", async () => {
    expect(
      await tryInside(
        command,
        'try { new Function("return 1")(); console.log("done"); } catch (error) { console.log(error.name); }',
      ),
    ).toBe("EvalError");
  });
});

describe("without a wall of the system's (BR22)", () => {
  it.for(ways)("the parser reaches nobody by %s, nor does a thread of it", async ([, way]) => {
    const { port, reached } = await listen();
    expect(await tryInside(command, attempt(way(port)))).toBe("ERR_ACCESS_DENIED");
    expect(await tryInThread(command, attempt(way(port)))).toBe("ERR_ACCESS_DENIED");
    expect(reached()).toBe(0);
  });

  it("the listener of these tests is reached by a process that is not locked up", async () => {
    const { port, reached } = await listen();
    const { stdout } = await run(
      process.execPath,
      ["--input-type=module", "--eval", attempt(`await fetch("http://127.0.0.1:${port}")`)],
      { timeout: 10_000 },
    );
    expect(stdout.trim()).toBe("done");
    expect(reached()).toBe(1);
  });
});

for (const wall of wallsHere()) {
  const works = await wallWorks(wall, command);
  describe.skipIf(!works)(`${wall.level} (BR22)`, () => {
    const wrapped = wall.wrap(command);

    it("leaves the parser without a network", async () => {
      expect(
        await tryInside(
          wrapped,
          'import os from "node:os"; console.log(Object.keys(os.networkInterfaces()).filter((name) => name !== "lo").length)',
        ),
      ).toBe("0");
    });

    it("leaves it nobody's rights", async () => {
      expect(
        await tryInside(wrapped, attempt('(await import("node:fs")).readFileSync("/etc/passwd")')),
      ).toBe("ERR_ACCESS_DENIED");
      expect(await tryInside(wrapped, attempt("process.setuid(12345)"))).toMatch(
        /EPERM|EINVAL|ERR_/,
      );
    });

    it.skipIf(wall.level !== "bubblewrap")("shows it no other process", async () => {
      expect(Number(await tryInside(wrapped, "console.log(process.pid)"))).toBeLessThan(10);
    });
  });
}

describe("the level of isolation", () => {
  it("is the strongest that works here, in words for people", async () => {
    const works: string[] = [];
    for (const wall of wallsHere()) if (await wallWorks(wall, command)) works.push(wall.level);
    const level = await isolationLevel();
    expect(level).toBe(works[0] ?? "permission");
    expect(describeIsolation(level)).toMatch(/process of their own .*no network/);
  });

  it(
    "falls back when a program is there and does not work",
    { skip: !existsSync("/bin/false") },
    async () => {
      expect((await tryIsolation([bubblewrap("/bin/false"), namespace("/bin/false")])).level).toBe(
        "permission",
      );
      expect((await tryIsolation([bubblewrap("/nowhere/bwrap")])).level).toBe("permission");
    },
  );
});
