import { randomBytes } from "node:crypto";
import { readConfigWithSettings } from "./config-reading.ts";
import { readConfig, rejectProblems } from "./config.ts";
import { exitCodeOfError, type ExitCode } from "./exit-code.ts";
import { saveError } from "./save-error.ts";
import { runProgram } from "./program.ts";
import { isPublic, renderError } from "./render/error.ts";
import { hint, type Terminal } from "./terminal.ts";
import { ignoredNote } from "./render/ignored-note.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one `bron` command in a folder. Its errors are shown on the terminal and become an exit
 * code.
 */
export async function runCommand(
  args: readonly string[],
  env: Environment,
  terminal: Terminal,
  folder: string,
): Promise<ExitCode> {
  const read = async () => await readConfigWithSettings(env, folder);
  const load = async () => {
    const { config, problems, settings } = await read();
    rejectProblems(problems);
    if (settings.ignored) hint(terminal, ignoredNote(settings.ignored));
    return config;
  };
  const readVariable = (name: string) => env[name];
  return await runProgram(args, terminal, { load, read, readVariable }).catch(
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
    calledAs: terminal.calledAs,
  });
  terminal.out(out);
  terminal.err(err);
  return exitCodeOfError(view.code);
}

export function isDebug(env: Environment): boolean {
  return env["LOG_LEVEL"]?.trim() === "debug";
}
