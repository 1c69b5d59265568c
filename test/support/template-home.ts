import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compileCache } from "./compile-cache.ts";

const main = fileURLToPath(new URL("../../apps/cli/bin/bron.mjs", import.meta.url));
const prepareMs = 120_000;

/** A home that has been started once, to be copied. A copy saves setting up a database. */
interface TemplateHome {
  readonly folder: string;
  close(): Promise<void>;
}

/** Returns at once and prepares the home in the background. `copyTemplateHome` waits for it. */
export async function prepareTemplateHome(): Promise<TemplateHome> {
  const folder = await mkdtemp(join(tmpdir(), "bron-template-"));
  await chmod(folder, 0o711);
  const home = homeIn(folder);
  const child = spawn(process.execPath, [main, "start"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      BRON_HOME: home,
      PORT: "0",
      ...compileCache,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      written += chunk.toString();
      if (/Bron is ready/.test(written)) child.kill("SIGTERM");
    });
  const prepared = exited.then(async ([code]) => {
    await writeFile(join(folder, "result"), code === 0 ? "" : `It ended with ${code}:\n${written}`);
  });
  return {
    folder,
    async close() {
      child.kill("SIGTERM");
      await prepared;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the prepared home to `target`, which must not exist. Owners and modes are kept. */
export async function copyTemplateHome(folder: string, target: string): Promise<void> {
  const deadline = performance.now() + prepareMs;
  while (!(await exists(join(folder, "result")))) {
    if (performance.now() > deadline) throw new Error("The template home was not prepared in time");
    await sleep(20);
  }
  await promisify(execFile)("cp", ["-a", homeIn(folder), target]);
  // The file names the simulator's address, and two copies must not share a simulator.
  await rm(join(target, "sandbox", "server.json"));
}

function homeIn(folder: string): string {
  return join(folder, "home");
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
