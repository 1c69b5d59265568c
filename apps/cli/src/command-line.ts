import { randomBytes } from "node:crypto";
import { createCommands } from "./commands.ts";
import { loadConfig, readConfig } from "./config.ts";
import { exitCodeOfError, type ExitCode } from "./exit-code.ts";
import { keepError } from "./keep-error.ts";
import { createProcessTerminal } from "./process-terminal.ts";
import { runProgram } from "./program.ts";
import { isPublic, renderError } from "./render/error.ts";

const interruptedCode = 130;
const sameSignalMs = 500;

/** One command of `bron`, on this process's terminal; ends the process with the command's exit code. */
export async function runCommandLine(env: NodeJS.ProcessEnv): Promise<never> {
  const stdout = process.stdout;
  const stderr = process.stderr;
  const isDebug = env["LOG_LEVEL"]?.trim() === "debug";

  const stop = new AbortController();
  let stoppedAt = 0;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // One Ctrl-C can come twice: from the terminal, and passed on by npm or bin/bron.mjs.
      if (stop.signal.aborted && performance.now() - stoppedAt > sameSignalMs)
        process.exit(interruptedCode);
      if (!stop.signal.aborted) stoppedAt = performance.now();
      stop.abort();
    });
  }

  // `bron run ... | head` closes the pipe before we are done: nobody listens any more, so let go as at a Ctrl-C.
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      stop.abort();
    });
  }

  // Standard output is for what commands say: libraries that use the console are heard only when a person debugs, on standard error.
  const speak =
    isDebug && env["LOG_FORMAT"]?.trim() !== "json" ? console.error.bind(console) : () => undefined;
  Object.assign(console, { log: speak, info: speak, debug: speak });

  const terminal = createProcessTerminal({
    plain: (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb",
    stop: stop.signal,
  });
  const args = process.argv.slice(2);

  async function tell(error: unknown): Promise<ExitCode> {
    const reference = randomBytes(4).toString("hex");
    const isKept =
      isPublic(error) || (await keepError(readConfig(env).config.home, reference, error));
    const { view, out, err } = renderError(error, {
      json: args.includes("--json"),
      debug: isDebug,
      reference,
      isKept,
    });
    terminal.out(out);
    terminal.err(err);
    return exitCodeOfError(view.code);
  }

  /** Said, not left to the event loop: timers of libraries may outlive their use. */
  async function exit(code: ExitCode): Promise<never> {
    await Promise.all(
      [stdout, stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
    );
    process.exit(code);
  }

  process.on("uncaughtException", (error) => void tell(error).then(exit));

  const commands = createCommands(terminal, {
    load: () => loadConfig(env),
    read: () => readConfig(env),
  });
  return await exit(await runProgram(args, commands, { write: terminal.out }).catch(tell));
}
