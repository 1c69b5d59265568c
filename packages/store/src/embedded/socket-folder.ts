import { chmod, lstat, mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { giveTo, type ServerAccount } from "./account.ts";
import { readIfExists, removeIfStill, writeOnce } from "./atomic-file.ts";
import { errnoOf, homeUnusable } from "./failures.ts";

/** Only part of the socket's name. The server does not listen on a port. */
export const socketPort = 5432;

/** The maximum length of a socket path in bytes, without the terminating zero. */
const maxSocketPathBytes = process.platform === "darwin" ? 103 : 107;

/**
 * Returns a folder for the socket that only the server's uid (and root) can enter. It is in
 * `folder` if its path is short enough, otherwise in /tmp and recorded in `folder`. If a recorded
 * folder is missing, it is created again with the same name, so that URLs stay valid. If it belongs
 * to another user, it is replaced.
 */
export async function prepareSocketFolder(folder: string, account: ServerAccount): Promise<string> {
  const near = join(folder, "socket");
  if (fits(near)) {
    if (!(await isOurs(near, account))) await claim(near, account);
    return near;
  }
  const record = join(folder, "socket-folder");
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const content = await readIfExists(record);
    if (content === undefined) {
      await recordFresh(record, folder, account);
      continue;
    }
    const path = recordedPath(content, folder);
    if (path !== undefined && ((await isOurs(path, account)) || (await recreate(path, account))))
      return path;
    await removeIfStill(record, content);
  }
  throw homeUnusable(
    folder,
    `no folder for the socket could be created in /tmp (recorded in ${record}).`,
  );
}

/** Returns where the socket would be, without creating or checking anything. */
export async function findSocketFolder(folder: string): Promise<string | undefined> {
  const near = join(folder, "socket");
  if (fits(near)) return near;
  const content = await readIfExists(join(folder, "socket-folder"));
  return content === undefined ? undefined : recordedPath(content, folder);
}

/** Removes the folder from /tmp after the server stopped. A folder that is in use again stays. */
export async function discardSocketFolder(folder: string, socketFolder: string): Promise<void> {
  if (!socketFolder.startsWith(`${folder}/`)) await rmdir(socketFolder).catch(() => undefined);
}

/**
 * Whether the path is a folder, not a link, that belongs to the server's uid and is closed to all
 * others.
 */
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
  return Buffer.byteLength(join(path, `.s.PGSQL.${socketPort}`)) <= maxSocketPathBytes;
}

/** Creates the folder, or restores its owner and mode. */
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

/**
 * `mkdir` fails if anything exists at the path, even a link, so a folder that it creates is ours.
 */
async function recreate(path: string, account: ServerAccount): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  await giveTo(account, path);
  return true;
}

/** In a copied home, the record names the folder of the original home. `for` identifies it. */
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
