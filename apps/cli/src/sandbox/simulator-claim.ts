import { BronError } from "@bron/core";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, ensureFolder } from "@bron/files";
import { claimHome, type HomeClaim, type ServerEntry } from "../server/home-claim.ts";

/**
 * Claims the right to run the simulator of a folder, because two would overwrite each other's
 * state. Returns undefined while a live process holds it.
 */
export async function claimSimulator(
  folder: string,
): Promise<Pick<HomeClaim, "release"> | undefined> {
  const path = join(folder, "host");
  await ensureFolder(path);
  try {
    return await claimHome(
      path,
      {
        id: `${await ownStart()} ${randomUUID()}`,
        pid: process.pid,
        url: "",
        startedAt: new Date().toISOString(),
      },
      isAlive,
    );
  } catch (error) {
    if (BronError.is(error, "home_busy")) return undefined;
    throw error;
  }
}

/** Compares the start time too, because pids are soon reused after a container restarts. */
async function isAlive({ pid, id }: ServerEntry): Promise<boolean> {
  const [claimedStart] = id.split(" ");
  if (pid === process.pid) return claimedStart === (await ownStart());
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  const start = await startOf(pid);
  return start === undefined || start === claimedStart;
}

async function ownStart(): Promise<string> {
  return (await startOf(process.pid)) ?? String(performance.timeOrigin);
}

/** The start time of a process, in kernel ticks since boot. Undefined where there is no /proc. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The second field is the program's name in parentheses, which may itself contain spaces and
  // parentheses.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie process counts as dead.
  return fields?.[0] === "Z" ? "" : fields?.[19];
}
