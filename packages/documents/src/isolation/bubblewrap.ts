import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Command } from "./parser-command.ts";

/** Fixed places: a program that locks others up is not looked for along a PATH. */
const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
const libraryFolders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store"];
const probeMs = 5_000;

export function findBubblewrap(): string | undefined {
  return process.platform === "linux" ? places.find((path) => existsSync(path)) : undefined;
}

/** The same command with namespaces of its own: no network, no other processes, and of the files only what it reads. */
export function inBubblewrap(bubblewrap: string, { file, args, reads, folder }: Command): Command {
  const binds = [file, ...reads].flatMap((path) => ["--ro-bind", path, path]);
  const libraries = libraryFolders.flatMap((path) => ["--ro-bind-try", path, path]);
  const walls = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--proc", "/proc", "--dev", "/dev"];
  return { file: bubblewrap, args: [...walls, ...libraries, ...binds, "--chdir", folder, "--", file, ...args], reads, folder };
}

/** Whether Node starts inside it. Many machines have bubblewrap but forbid the namespaces that it needs. */
export async function bubblewrapWorks(bubblewrap: string, command: Command): Promise<boolean> {
  const probe = inBubblewrap(bubblewrap, { ...command, args: ["--eval", "0"] });
  const child = spawn(probe.file, probe.args, { env: {}, stdio: "ignore", timeout: probeMs, killSignal: "SIGKILL" });
  return await new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
