import { randomBytes } from "node:crypto";
import { createCommands } from "./commands.ts";
import { loadConfig, readConfig } from "./config.ts";
import { exitCodeOfError, type ExitCode } from "./exit-code.ts";
import { keepError } from "./keep-error.ts";
import { createProcessTerminal } from "./process-terminal.ts";
import { runProgram } from "./program.ts";
import { renderError } from "./render/error.ts";

const { env, argv, stdout, stderr } = process;
const interruptedCode = 130;
const sameSignalMs = 500;

const stop = new AbortController();
let stoppedAt = 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // One Ctrl-C can come twice: from the terminal, and passed on by npm or bin/bron.mjs.
    if (stop.signal.aborted && performance.now() - stoppedAt > sameSignalMs) process.exit(interruptedCode);
    if (!stop.signal.aborted) stoppedAt = performance.now();
    stop.abort();
  });
}

// `bron runs list | head` closes the pipe before we are done; nobody is left to tell.
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

const terminal = createProcessTerminal({ plain: (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb", stop: stop.signal });
const args = argv.slice(2);

async function main(): Promise<ExitCode> {
  try {
    return await runProgram(args, createCommands(terminal, { load: () => loadConfig(env), read: () => readConfig(env) }), { write: terminal.out });
  } catch (error) {
    const reference = randomBytes(4).toString("hex");
    const { view, out, err } = renderError(error, { json: args.includes("--json"), debug: env["LOG_LEVEL"] === "debug", reference });
    terminal.out(out);
    terminal.err(err);
    if (view.code === "internal") await keepError(readConfig(env).config.home, reference, error);
    return exitCodeOfError(view.code);
  }
}

const exitCode = await main();
// Said, not left to the event loop: timers of libraries may outlive their use.
await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))));
process.exit(exitCode);
