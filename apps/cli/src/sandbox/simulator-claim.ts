import { BronError } from "@bron/core";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, ensureFolder } from "../home-folder.ts";
import { claimHome, type HomeClaim, type ServerEntry } from "../server/home-claim.ts";

/** The right to run the world of a folder: two would write over each other. Undefined while a living process has it. */
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

/** The number alone does not do: after a restart of a container another process soon has it. */
async function isAlive({ pid, id }: ServerEntry): Promise<boolean> {
  const [began] = id.split(" ");
  if (pid === process.pid) return began === (await ownStart());
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  const start = await startOf(pid);
  return start === undefined || start === began;
}

async function ownStart(): Promise<string> {
  return (await startOf(process.pid)) ?? String(performance.timeOrigin);
}

/** When a process began, in the kernel's ticks since the machine did; undefined where there is no /proc. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // Its second field is the program's name in parentheses, which may have spaces and parentheses of its own.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Dead, and not yet fetched by its parent.
  return fields?.[0] === "Z" ? "" : fields?.[19];
}
