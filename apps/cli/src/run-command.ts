import { randomBytes } from "node:crypto";
import { loadConfig, readConfig } from "./config.ts";
import { exitCodeOfError, type ExitCode } from "./exit-code.ts";
import { saveError } from "./save-error.ts";
import { runProgram } from "./program.ts";
import { isPublic, renderError } from "./render/error.ts";
import type { Terminal } from "./terminal.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs one `bron` command. Its errors are shown on the terminal and become an exit code. */
export async function runCommand(
  args: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<ExitCode> {
  const settings = { load: () => loadConfig(env), read: () => readConfig(env) };
  return await runProgram(args, terminal, settings).catch(
    async (error: unknown) => await reportError(error, args, env, terminal),
  );
}

/** Shows an error as a person or, with `--json`, a program reads it. */
export async function reportError(
  error: unknown,
  args: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<ExitCode> {
  const reference = randomBytes(4).toString("hex");
  const isSaved =
    isPublic(error) || (await saveError(readConfig(env).config.home, reference, error));
  const { view, out, err } = renderError(error, {
    json: args.includes("--json"),
    // `npm run dev` sets NODE_ENV.
    debug: isDebug(env) || (env["NODE_ENV"] === "development" && !isPublic(error)),
    reference,
    isSaved,
  });
  terminal.out(out);
  terminal.err(err);
  return exitCodeOfError(view.code);
}

export function isDebug(env: Environment): boolean {
  return env["LOG_LEVEL"]?.trim() === "debug";
}
