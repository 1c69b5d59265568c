import { calledAs } from "./called-as.ts";
import { createProcessTerminal } from "./process-terminal.ts";
import { isDebug, reportError, runCommand } from "./run-command.ts";

const interruptedCode = 130;
const sameSignalMs = 500;

/** Runs one `bron` command in this process and exits with the command's exit code. */
export async function runCommandLine(env: NodeJS.ProcessEnv): Promise<never> {
  const stdout = process.stdout;
  const stderr = process.stderr;

  const stop = new AbortController();
  let stoppedAt = 0;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // One Ctrl-C can arrive twice: from the terminal, and forwarded by npm or bin/bron.mjs.
      if (stop.signal.aborted && performance.now() - stoppedAt > sameSignalMs)
        process.exit(interruptedCode);
      if (!stop.signal.aborted) stoppedAt = performance.now();
      stop.abort();
    });
  }

  // `bron run ... | head` closes the pipe early. No one reads the output then, so stop as for
  // Ctrl-C.
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      stop.abort();
    });
  }

  // Standard output belongs to the commands. Libraries that log to the console are silenced, or
  // sent to standard error when debugging.
  const logLibrary =
    isDebug(env) && env["LOG_FORMAT"]?.trim() !== "json"
      ? console.error.bind(console)
      : () => undefined;
  Object.assign(console, { log: logLibrary, info: logLibrary, debug: logLibrary });

  const terminal = createProcessTerminal({
    plain: (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb",
    calledAs: calledAs(env),
    stop: stop.signal,
  });
  const args = process.argv.slice(2);

  /** Exits explicitly, because timers of libraries can keep the event loop alive. */
  async function exit(code: number): Promise<never> {
    await Promise.all(
      [stdout, stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
    );
    process.exit(code);
  }

  process.on(
    "uncaughtException",
    (error) => void reportError(error, args, env, terminal).then(exit),
  );
  return await exit(await runCommand(args, env, terminal, currentFolder()));
}

/** The folder may have been deleted; the command can still run without its settings. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
