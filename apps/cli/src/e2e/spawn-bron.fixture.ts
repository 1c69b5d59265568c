import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempFolder } from "@bron/testing";
import { compileCache } from "../../../../test/support/compile-cache.ts";
import { noLimits } from "../../../../test/support/no-limits.ts";
import { createFakeTerminal } from "../fake-terminal.fixture.ts";
import { runCommand } from "../run-command.ts";

interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Variables = Readonly<Record<string, string>>;

const command = fileURLToPath(new URL("../../bin/bron.mjs", import.meta.url));
/** The build of the command. `npm test` makes it. */
export const builtCommand = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** The command from its sources, also if there is a build of it. */
export const sourceCommand = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface RunningBron {
  readonly process: ChildProcess;
  /**
   * Resolves when standard output and error together match; rejects when the command ends first.
   */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
}

/** The real command with nothing of this process's environment. */
export function spawnBron(
  args: readonly string[],
  variables: Variables,
  input?: string,
  program = command,
): RunningBron {
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: "/nonexistent",
    PORT: "0",
    ...compileCache,
    ...noLimits,
    ...variables,
  };
  const child = spawn(process.execPath, [program, ...args], {
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A command that refuses its input early closes the pipe.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const written = { out: "", err: "" };
  const watchers = new Set<() => void>();
  for (const [stream, name] of [
    [child.stdout, "out"],
    [child.stderr, "err"],
  ] as const) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      written[name] += chunk;
      for (const look of watchers) look();
    });
  }
  const finished = once(child, "close").then(([code]) => ({
    code: code as number | null,
    ...written,
  }));
  return {
    process: child,
    finished,
    async waitFor(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
      const look = () => {
        const match = pattern.exec(written.out) ?? pattern.exec(written.err);
        if (match) resolve(match);
      };
      watchers.add(look);
      void finished.then(() =>
        reject(new Error(`It ended before ${pattern}:\n${written.out}${written.err}`)),
      );
      look();
      return await promise.finally(() => watchers.delete(look));
    },
  };
}

export async function runBron(
  args: readonly string[],
  variables: Variables,
  input?: string,
): Promise<Finished> {
  return await spawnBron(args, variables, input).finished;
}

/**
 * Runs a command in this process, because starting one takes about a second. It cannot show how a
 * command treats its process: its streams, its signals, and what it loads.
 */
export async function runBronInProcess(
  args: readonly string[],
  variables: Variables,
  folder = "/",
): Promise<Finished> {
  const terminal = createFakeTerminal({ columns: Infinity, now: () => new Date() });
  const home = variables["BRON_HOME"] ?? join(await tempFolder(), "home");
  const env = { BRON_HOME: home, PORT: "0", ...noLimits, ...variables };
  const code = await runCommand(args, env, terminal, folder);
  return { code, out: terminal.written("out"), err: terminal.written("err") };
}

/** Ends what a test may have left running. */
export async function stopAll(running: readonly RunningBron[]): Promise<void> {
  for (const { process: child, finished } of running) {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await finished;
  }
}
