import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { noLimits } from "../../test/support/no-limits.ts";

const program = fileURLToPath(new URL("../../apps/cli/bin/bron.mjs", import.meta.url));

/** Runs `bron start` until it reports that it is ready. */
export async function startOnce(
  home: string,
  extraEnv: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; readyMs: number; url: string }> {
  const startedAt = performance.now();
  const {
    GEMINI_API_KEY: _gemini,
    ANTHROPIC_API_KEY: _anthropic,
    OPENAI_BASE_URL: _openai,
    BRON_MODEL: _model,
    DATABASE_URL: _database,
    ...env
  } = process.env;
  const child = spawn(process.execPath, [program, "start", "--json"], {
    env: { ...env, BRON_HOME: home, PORT: "0", ...noLimits, ...extraEnv },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // If the benchmark dies, it ends this process too. The last Bron process of a home ends its
  // Postgres.
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, "line") as Promise<string[]>,
    once(child, "exit").then(([code]) => {
      throw new Error(`bron start ended with ${code}: ${said}`);
    }),
  ]);
  return {
    child,
    readyMs: performance.now() - startedAt,
    url: (JSON.parse(line ?? "{}") as { url: string }).url,
  };
}

export async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** Runs another command on the same home. */
export async function runCommand(home: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, BRON_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  await once(child, "close");
  return out;
}
