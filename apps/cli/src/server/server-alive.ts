import { fetchServerId } from "@bron/client";
import { readFile } from "node:fs/promises";
import { codeOf } from "../home-folder.ts";

interface KnownServer {
  readonly id: string;
  readonly pid: number;
  readonly url: string;
}

/** Alive if its process is there, or if it answers under its address (the process may be in another container). */
export async function isServerAlive(server: KnownServer): Promise<boolean> {
  // Our own number in someone else's entry is an old one that came around again.
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
  // No /proc here, or not ours to read: then the number must do.
  if (commandLine === undefined) return true;
  const words = commandLine.split("\0");
  return words.includes("start") && /bron|main\.ts/.test(commandLine);
}
