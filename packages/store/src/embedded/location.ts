import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { canEnter, chooseAccount, type ServerAccount } from "./account.ts";
import { readIfExists, writeOnce } from "./atomic-file.ts";
import { errnoOf, homeUnusable } from "./failures.ts";

interface Location {
  /** Absolute and without symbolic links. */
  readonly home: string;
  /**
   * Contains the cluster, the log and, if its path is short enough, the socket. It is `postgres` in
   * the home, or a folder outside.
   */
  readonly folder: string;
  readonly account: ServerAccount;
}

const enterOnly = 0o711;
const ownOnly = 0o700;

export function dataFolder(folder: string): string {
  return join(folder, "cluster/data");
}

/**
 * Creates the home and finds the folder for the database. If the server's uid cannot access root's
 * home, that folder is a new one in `systemFolder`, recorded in the home. It stays in use even if
 * the home becomes accessible.
 */
export async function prepareLocation(options: {
  readonly home: string;
  readonly systemFolder: string;
  readonly onProgress: (message: string) => void;
}): Promise<Location> {
  const home = await prepareHome(options.home);
  const recorded = await readRecord(home, options.systemFolder);
  if (recorded !== undefined)
    return { home, folder: recorded, account: await chooseAccount(dataFolder(recorded)) };

  const inside = join(home, "postgres");
  const account = await chooseAccount(dataFolder(inside));
  if (await canEnter(account, (await exists(inside)) ? inside : home)) {
    await makeFolder(inside, account.dropsRoot ? enterOnly : ownOnly);
    return { home, folder: inside, account };
  }
  if (await exists(join(inside, "cluster"))) {
    throw homeUnusable(
      home,
      `its database belongs to uid ${account.uid}, which can no longer access it. Run "chmod o+x" on ${home} and the folders above it.`,
    );
  }
  const folder = await recordOutside(home, options.systemFolder);
  options.onProgress(
    `The database of ${home} is in ${folder}, which Postgres can access as uid ${account.uid}`,
  );
  return { home, folder, account };
}

/** Like `prepareLocation`, but changes nothing. Returns undefined if nothing was created yet. */
export async function findLocation(
  path: string,
  systemFolder: string,
): Promise<Location | undefined> {
  const home = resolve(path);
  if (!(await exists(home))) return undefined;
  const real = await realpath(home);
  const folder = (await readRecord(real, systemFolder)) ?? join(real, "postgres");
  return (await exists(folder))
    ? { home: real, folder, account: await chooseAccount(dataFolder(folder)) }
    : undefined;
}

/**
 * The system folder must belong to root and be writable only by root, because it contains programs
 * that run as another uid.
 */
export async function prepareSystemFolder(systemFolder: string): Promise<string> {
  await makeFolder(systemFolder, 0o755);
  const found = await lstat(systemFolder);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw homeUnusable(
      systemFolder,
      "it must be a folder that belongs to root and is not writable by others.",
    );
  }
  return systemFolder;
}

async function prepareHome(path: string): Promise<string> {
  if (path === "" || /[\n\0]/.test(path))
    throw homeUnusable(
      JSON.stringify(path),
      "this is not a usable path. Set BRON_HOME to a writable folder.",
    );
  const home = resolve(path);
  await makeFolder(home, process.getuid?.() === 0 ? enterOnly : ownOnly);
  const real = await realpath(home);
  if (!(await stat(real)).isDirectory())
    throw homeUnusable(home, "it is a file, not a folder. Set BRON_HOME to a folder.");
  await access(real, constants.R_OK | constants.W_OK | constants.X_OK);
  return real;
}

/** Sets the mode of a new folder, whatever the umask is. An existing folder keeps its mode. */
async function makeFolder(path: string, mode: number): Promise<void> {
  if (await createFolders(path, mode)) await chmod(path, mode);
}

/**
 * Returns whether the folder had to be created. It does not use `recursive: true`, because Node 24
 * then loops forever in folders such as /proc.
 */
async function createFolders(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return false;
    if (code !== "ENOENT" || (await exists(dirname(path)))) throw error;
    await createFolders(dirname(path), mode);
    return createFolders(path, mode);
  }
}

/**
 * The folder is created before it is recorded. So if it is recorded and missing, it was lost, and
 * must not be replaced by an empty database.
 */
async function recordOutside(home: string, systemFolder: string): Promise<string> {
  const folder = await mkdtemp(join(await prepareSystemFolder(systemFolder), "home-"));
  await chmod(folder, enterOnly);
  await writeFile(join(folder, "home"), `${home}\n`); // shows whose data this is if the home is deleted
  if (await writeOnce(recordPath(home), `${folder}\n`)) return folder;
  await rm(folder, { recursive: true });
  return (await readRecord(home, systemFolder)) ?? folder;
}

async function readRecord(home: string, systemFolder: string): Promise<string | undefined> {
  const record = recordPath(home);
  const folder = (await readIfExists(record))?.trim();
  if (folder === undefined) return undefined;
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) {
    throw homeUnusable(
      home,
      `its database was in ${folder} (according to ${record}), which no longer exists. Restore that folder, or remove ${record} to start with an empty database.`,
    );
  }
  const isOurs =
    folder.startsWith(`${systemFolder}/home-`) &&
    !folder.includes("/..") &&
    found.isDirectory() &&
    found.uid === 0;
  if (!isOurs)
    throw homeUnusable(
      home,
      `${record} names ${folder}, which is not a folder that Bron created. Remove ${record} to start with an empty database.`,
    );
  return folder;
}

function recordPath(home: string): string {
  return join(home, "postgres-location");
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
