import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** The folder that Linux keeps in memory. */
const memory = "/dev/shm";
const prefix = "bron-tests-";
const gibibyte = 1024 ** 3;

/**
 * Puts the temporary files of this process and its children in memory, if there is enough of it.
 * The tests create and delete databases of hundreds of files, and ext4 slows down when new files
 * follow deleted ones: creating a database takes it ten times as long.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return;
  for (const name of readdirSync(memory)) if (isLeftOver(name)) remove(name);
  const own = `${prefix}${process.pid}`;
  const folder = join(memory, own);
  mkdirSync(folder);
  // Anyone may use it, like /tmp, because a test that runs as root starts Postgres as another user.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => remove(own));
}

function hasRoom(): boolean {
  if (process.platform !== "linux" || process.availableMemory() < 6 * gibibyte) return false;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= 2 * gibibyte && mayExecute();
  } catch {
    return false;
  }
}

/** Some tests write programs and start them, which containers often forbid in this folder. */
function mayExecute(): boolean {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const options = mounts.findLast((line) => line.split(" ")[1] === memory)?.split(" ")[3];
  return options !== undefined && !options.split(",").includes("noexec");
}

/** Whether it is the folder of a test run that was killed. */
function isLeftOver(name: string): boolean {
  if (!name.startsWith(prefix)) return false;
  try {
    process.kill(Number(name.slice(prefix.length)), 0);
    return false;
  } catch {
    return true;
  }
}

function remove(name: string): void {
  rmSync(join(memory, name), { recursive: true, force: true });
}
