import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isFullSuite } from "@bron/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeIsolation, isolationLevel, tryIsolation } from "./isolation.ts";
import { parserCommand, type Command } from "./parser-command.ts";
import { bubblewrap, namespace, availableJails, jailWorks } from "./jails.ts";

const command = parserCommand();
const run = promisify(execFile);

/** Runs code as the parser and returns what happened. */
async function tryInside({ file, args, folder }: Command, code: string): Promise<string> {
  const { stdout } = await run(
    file,
    [...args.slice(0, -1), "--input-type=module", "--eval", code],
    { env: {}, cwd: folder, timeout: 10_000 },
  );
  return stdout.trim();
}

/**
 * Does the same in a thread. Node treats threads of a main file differently from those of a
 * command-line script.
 */
async function tryInThread({ file, args, folder }: Command, code: string): Promise<string> {
  const main = fileURLToPath(new URL("../fixtures/try-in-thread.fixture.ts", import.meta.url));
  const { stdout } = await run(
    file,
    [...args.slice(0, -1), `--allow-fs-read=${main}`, main, code],
    { env: {}, cwd: folder, timeout: 10_000 },
  );
  return stdout.trim();
}

/** Prints the code of the error that stopped it, or `done`. */
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

  it.for(isFullSuite ? attempts : attempts.slice(0, 1))(
    "do not let a thread of the parser %s",
    async ([, code]) => {
      expect(await tryInThread(command, attempt(code))).toBe("ERR_ACCESS_DENIED");
    },
  );
});

const codeFromText: readonly (readonly [string, string])[] = [
  ["eval", 'eval("1")'],
  ["an indirect eval", '(0, eval)("1")'],
  ["the eval of the global object", 'globalThis.eval("1")'],
  ["Function", 'new Function("return 1")'],
  ["the constructor of a function", '(() => {}).constructor("return 1")'],
  ["the constructor of an async function", '(async () => {}).constructor("return 1")'],
  ["the constructor of a generator", '(function* () {}).constructor("yield 1")'],
  ["the constructor of an async generator", '(async function* () {}).constructor("yield 1")'],
  ["a class that extends Function", 'new (class extends Function {})("return 1")'],
  ["Reflect.construct", 'Reflect.construct(Function, ["return 1"])'],
  ["node:vm", '(await import("node:vm")).runInThisContext("1")'],
  ["vm by getBuiltinModule", 'new (process.getBuiltinModule("vm").Script)("1")'],
];

describe("the parser (BR22)", () => {
  const all = attempt(
    codeFromText
      .map(
        ([way, code]) =>
          `try { ${code}; console.log(${JSON.stringify(way)}); } catch (error) { if (error.name !== "EvalError") throw error; }`,
      )
      .join("\n"),
  );

  it("turns no text into code", async () => {
    expect(await tryInside(command, all)).toBe("done");
  });

  it("turns no text into code in a thread", async () => {
    expect(await tryInThread(command, all)).toBe("done");
  });

  it("still tells functions from other values", async () => {
    const code =
      "console.log(attempt instanceof Function, Function.prototype === Object.getPrototypeOf(attempt)); function attempt() {}";
    expect(await tryInside(command, code)).toBe("true true");
  });

  it("would turn text into code without these rules", async () => {
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", all]);
    expect(stdout.trim().split("\n")).toEqual([...codeFromText.map(([way]) => way), "done"]);
  });
});

describe("without a jail (BR22)", () => {
  it.for(ways)("neither the parser nor its threads reach the network by %s", async ([, way]) => {
    const { port, reached } = await listen();
    expect(await tryInside(command, attempt(way(port)))).toBe("ERR_ACCESS_DENIED");
    if (isFullSuite)
      expect(await tryInThread(command, attempt(way(port)))).toBe("ERR_ACCESS_DENIED");
    expect(reached()).toBe(0);
  });

  it("an unrestricted process reaches the listener of these tests", async () => {
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

for (const jail of availableJails()) {
  const works = await jailWorks(jail, command);
  describe.skipIf(!works)(`${jail.level} (BR22)`, () => {
    const wrapped = jail.wrap(command);

    it("leaves the parser without a network", async () => {
      expect(
        await tryInside(
          wrapped,
          'import os from "node:os"; console.log(Object.keys(os.networkInterfaces()).filter((name) => name !== "lo").length)',
        ),
      ).toBe("0");
    });

    it("drops all privileges", async () => {
      expect(
        await tryInside(wrapped, attempt('(await import("node:fs")).readFileSync("/etc/passwd")')),
      ).toBe("ERR_ACCESS_DENIED");
      expect(await tryInside(wrapped, attempt("process.setuid(12345)"))).toMatch(
        /EPERM|EINVAL|ERR_/,
      );
    });

    it.skipIf(jail.level !== "bubblewrap")("hides all other processes", async () => {
      expect(Number(await tryInside(wrapped, "console.log(process.pid)"))).toBeLessThan(10);
    });
  });
}

describe("the level of isolation", () => {
  it("is the strongest that works here, with a description", async () => {
    const works: string[] = [];
    for (const jail of availableJails()) if (await jailWorks(jail, command)) works.push(jail.level);
    const level = await isolationLevel();
    expect(level).toBe(works[0] ?? "permission");
    expect(describeIsolation(level)).toMatch(/separate process .*no network/);
  });

  it(
    "falls back when a program is installed but does not work",
    { skip: !existsSync("/bin/false") },
    async () => {
      expect((await tryIsolation([bubblewrap("/bin/false"), namespace("/bin/false")])).level).toBe(
        "permission",
      );
      expect((await tryIsolation([bubblewrap("/nowhere/bwrap")])).level).toBe("permission");
    },
  );
});
