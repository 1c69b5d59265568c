import { omitUndefined } from "@bron/protocol";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SimulatorRecord } from "@bron/simulator";
import { compileCache } from "../../support/compile-cache.ts";
import { copyTemplateHome } from "../../support/template-home.ts";
import { noLimits } from "../../support/no-limits.ts";

const main = fileURLToPath(new URL("../../../apps/cli/bin/bron.mjs", import.meta.url));

export interface StartedBron {
  readonly home: string;
  readonly url: string;
  /** A link that signs one browser in, once. */
  readonly signInLink: string;
  /** What happened in the simulated services. */
  record(): Promise<SimulatorRecord>;
  control(name: string, body?: unknown): Promise<unknown>;
  command(...args: string[]): Promise<{ code: number | null; out: string }>;
  kill(signal: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** An existing home. If it is omitted, the server gets a new one. */
  readonly home?: string;
  /** The folder of a template: the new home is a copy of it, which saves setting up a database. */
  readonly template?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `bron start` as a newcomer does: without a key and without an account. */
export async function startBron(options: StartOptions = {}): Promise<StartedBron> {
  const home = options.home ?? (await newHome(options.template));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    BRON_HOME: home,
    PORT: String(options.port ?? 0),
    ...compileCache,
    ...noLimits,
    ...options.env,
  };
  const child = spawn(process.execPath, [main, "start"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [, url = "", signInLink = ""] = await untilOutput(
    child,
    /Bron is ready: (\S+)\nSign in: (\S+)/,
  );
  const simulator = async () =>
    JSON.parse(await readFile(join(home, "sandbox", "server.json"), "utf8")) as {
      url: string;
      controlKey: string;
    };
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  };
  const control = async (name: string, body?: unknown) => {
    const { url: simulatorUrl, controlKey } = await simulator();
    const response = await fetch(`${simulatorUrl}/_control/${name}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-control-key": controlKey, "content-type": "application/json" },
      ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    });
    return await response.json();
  };
  return {
    home,
    url,
    signInLink,
    control,
    record: async () => (await control("record")) as SimulatorRecord,
    async command(...args) {
      const running = spawn(process.execPath, [main, ...args], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let out = "";
      for (const stream of [running.stdout, running.stderr])
        stream.on("data", (chunk: Buffer) => (out += chunk.toString()));
      const [code] = (await once(running, "close")) as [number | null];
      return { code, out };
    },
    kill,
    async close() {
      await kill("SIGTERM");
      const folder = dirname(home);
      // A home that a caller made may be in a folder with other things.
      if (basename(folder).startsWith(folderPrefix))
        await rm(folder, { recursive: true, force: true });
    },
  };
}

const folderPrefix = "bron-browser-";

async function newHome(template: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  await chmod(folder, 0o711);
  const home = join(folder, "home");
  if (template === undefined) await mkdir(home, { mode: 0o711 });
  else await copyTemplateHome(template, home);
  return home;
}

async function untilOutput(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let out = "";
  return await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        out += chunk.toString();
        const match = pattern.exec(out);
        if (match) resolve(match);
      });
    }
    child.once("exit", (code) => reject(new Error(`bron start ended with ${code}:\n${out}`)));
  });
}
