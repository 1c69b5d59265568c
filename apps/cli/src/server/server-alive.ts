import { fetchServerId } from "@bron/client";
import { readFile } from "node:fs/promises";
import { codeOf } from "@bron/files";

interface KnownServer {
  readonly id: string;
  readonly pid: number;
  readonly url: string;
}

/**
 * Alive if its process exists, or if it responds at its URL (the process may be in another
 * container).
 */
export async function isServerAlive(server: KnownServer): Promise<boolean> {
  // An entry with our own pid is stale: the pid was reused.
  if (server.pid !== process.pid && (await isBronProcess(server.pid))) return true;
  return (await fetchServerId(server.url)) === server.id;
}

async function isBronProcess(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  // Without a readable /proc, the pid alone decides.
  if (commandLine === undefined) return true;
  const words = commandLine.split("\0");
  return words.includes("start") && /bron|main\.ts/.test(commandLine);
}
