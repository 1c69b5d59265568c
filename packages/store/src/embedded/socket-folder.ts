import { chmod, lstat, mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { giveTo, type ServerAccount } from "./account.ts";
import { readIfThere, removeIfStill, writeOnce } from "./atomic-file.ts";
import { errnoOf, homeUnusable } from "./failures.ts";

/** Only a name: the server listens on no port. */
export const socketPort = 5432;

/** Bytes of the whole path that a socket address can hold, without the closing zero. */
const longestSocketPath = process.platform === "darwin" ? 103 : 107;

/**
 * A folder for the socket that only the server's uid (and root) can enter: in `folder` if its path is short enough, or
 * else one in /tmp that is recorded in `folder`. A recorded one that vanished is made again under the same name, so that
 * addresses stay valid; one that became somebody else's is replaced.
 */
export async function prepareSocketFolder(folder: string, account: ServerAccount): Promise<string> {
  const near = join(folder, "socket");
  if (fits(near)) {
    if (!(await isOurs(near, account))) await claim(near, account);
    return near;
  }
  const record = join(folder, "socket-folder");
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const content = await readIfThere(record);
    if (content === undefined) {
      await recordFresh(record, folder, account);
      continue;
    }
    const path = recordedPath(content, folder);
    if (path !== undefined && ((await isOurs(path, account)) || (await makeAgain(path, account))))
      return path;
    await removeIfStill(record, content);
  }
  throw homeUnusable(
    folder,
    `no folder for the socket could be created in /tmp (recorded in ${record}).`,
  );
}

/** Where the socket would be, without making or checking anything. */
export async function findSocketFolder(folder: string): Promise<string | undefined> {
  const near = join(folder, "socket");
  if (fits(near)) return near;
  const content = await readIfThere(join(folder, "socket-folder"));
  return content === undefined ? undefined : recordedPath(content, folder);
}

/** After the server stopped: /tmp is left as it was found. In use again by then, the folder stays. */
export async function discardSocketFolder(folder: string, socketFolder: string): Promise<void> {
  if (!socketFolder.startsWith(`${folder}/`)) await rmdir(socketFolder).catch(() => undefined);
}

/** A folder, not a link to one, of the server's uid and closed to all others. */
export async function isOurs(path: string, account: ServerAccount): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === account.uid &&
    (found.mode & 0o777) === 0o700
  );
}

function fits(path: string): boolean {
  return Buffer.byteLength(join(path, `.s.PGSQL.${socketPort}`)) <= longestSocketPath;
}

/** In a folder of ours: made, or given back its owner and mode. */
async function claim(path: string, account: ServerAccount): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if (errnoOf(error) !== "EEXIST") throw error;
  });
  if (!(await lstat(path)).isDirectory())
    throw homeUnusable(
      path,
      "it must be a folder, not a file or a symbolic link. Remove it and start again.",
    );
  await chmod(path, 0o700);
  await giveTo(account, path);
}

async function recordFresh(record: string, folder: string, account: ServerAccount): Promise<void> {
  const path = await mkdtemp("/tmp/bron-");
  await giveTo(account, path);
  if (!(await writeOnce(record, JSON.stringify({ path, for: folder })))) await rmdir(path);
}

/** `mkdir` refuses whatever exists, links too: what it makes is ours. */
async function makeAgain(path: string, account: ServerAccount): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  await giveTo(account, path);
  return true;
}

/** A record that came along with a copied home names the folder of the other one: `for` tells. */
function recordedPath(content: string, folder: string): string | undefined {
  try {
    const { path, for: owner } = JSON.parse(content) as { path?: unknown; for?: unknown };
    return typeof path === "string" && owner === folder && /^\/tmp\/bron-\w+$/.test(path)
      ? path
      : undefined;
  } catch {
    return undefined;
  }
}
