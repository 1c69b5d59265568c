import { execFile } from "node:child_process";
import { chmod, mkdtemp, open, rm, rmdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** A separate disk that is small enough to be filled. */
interface SmallDisk {
  readonly folder: string;
  freeBytes(): Promise<number>;
  /** Takes all space but this many bytes. */
  fill(leaveBytes: number): Promise<void>;
  /** Frees what `fill` took. */
  free(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);
const maxTries = 100;

/** Unmounts with retries, because ending database processes may still hold a file open. */
async function unmount(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await run("umount", [folder]);
      return;
    } catch (error) {
      if (tries === maxTries) throw error;
      await sleep(100);
    }
  }
}

/** Undefined if no disk can be mounted. That takes Linux, and root with the right to mount. */
export async function openSmallDisk(bytes: number): Promise<SmallDisk | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "bron-small-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0711`, "bron-test", folder]);
  } catch {
    await rmdir(folder);
    return undefined;
  }
  await chmod(folder, 0o711);
  const filler = join(folder, "filler");
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    async fill(leaveBytes) {
      const file = await open(filler, "a");
      const chunk = Buffer.alloc(64 * 1024, 1);
      try {
        for (
          let left = (await freeBytes()) - leaveBytes;
          left > 0;
          left = (await freeBytes()) - leaveBytes
        )
          await file.write(chunk, 0, Math.min(left, chunk.length));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async close() {
      await unmount(folder);
      await rmdir(folder);
    },
  };
}
