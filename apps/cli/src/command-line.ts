import { randomBytes } from "node:crypto";
import { createCommands } from "./commands.ts";
import { loadConfig, readConfig } from "./config.ts";
import { exitCodeOfError, type ExitCode } from "./exit-code.ts";
import { saveError } from "./save-error.ts";
import { createProcessTerminal } from "./process-terminal.ts";
import { runProgram } from "./program.ts";
import { isPublic, renderError } from "./render/error.ts";

const interruptedCode = 130;
const sameSignalMs = 500;

/** Runs one `bron` command in this process and exits with the command's exit code. */
export async function runCommandLine(env: NodeJS.ProcessEnv): Promise<never> {
  const stdout = process.stdout;
  const stderr = process.stderr;
  const isDebug = env["LOG_LEVEL"]?.trim() === "debug";
  // `npm run dev` sets it.
  const isDevelopment = env["NODE_ENV"] === "development";

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
    isDebug && env["LOG_FORMAT"]?.trim() !== "json" ? console.error.bind(console) : () => undefined;
  Object.assign(console, { log: logLibrary, info: logLibrary, debug: logLibrary });

  const terminal = createProcessTerminal({
    plain: (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb",
    stop: stop.signal,
  });
  const args = process.argv.slice(2);

  async function reportError(error: unknown): Promise<ExitCode> {
    const reference = randomBytes(4).toString("hex");
    const isSaved =
      isPublic(error) || (await saveError(readConfig(env).config.home, reference, error));
    const { view, out, err } = renderError(error, {
      json: args.includes("--json"),
      debug: isDebug || (isDevelopment && !isPublic(error)),
      reference,
      isSaved,
    });
    terminal.out(out);
    terminal.err(err);
    return exitCodeOfError(view.code);
  }

  /** Exits explicitly, because timers of libraries can keep the event loop alive. */
  async function exit(code: ExitCode): Promise<never> {
    await Promise.all(
      [stdout, stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
    );
    process.exit(code);
  }

  process.on("uncaughtException", (error) => void reportError(error).then(exit));

  const commands = createCommands(terminal, {
    load: () => loadConfig(env),
    read: () => readConfig(env),
  });
  return await exit(await runProgram(args, commands, { write: terminal.out }).catch(reportError));
}
