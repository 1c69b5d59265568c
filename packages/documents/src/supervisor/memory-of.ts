import { readFileSync } from "node:fs";

const pageBytes = 4096;

/**
 * Resident memory of a process and its descendants, or undefined if the system does not provide it.
 * Synchronous, so that a busy thread pool cannot delay it. Reading /proc needs no disk access.
 */
export function memoryOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const ownBytes = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * pageBytes;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .filter(Boolean);
    return children.reduce((sum, child) => sum + (memoryOf(Number(child)) ?? 0), ownBytes);
  } catch {
    return undefined;
  }
}
