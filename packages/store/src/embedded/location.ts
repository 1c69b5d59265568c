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
import { readIfThere, writeOnce } from "./atomic-file.ts";
import { errnoOf, homeUnusable } from "./failures.ts";

export interface Location {
  /** Absolute and without symbolic links. */
  readonly home: string;
  /** Holds cluster, log and, if its path is short enough, the socket: `postgres` in home, or a folder outside it. */
  readonly folder: string;
  readonly account: ServerAccount;
}

const enterOnly = 0o711;
const ownOnly = 0o700;

export function dataFolder(folder: string): string {
  return join(folder, "cluster/data");
}

/**
 * Makes home and finds the folder for the database. Where root's home cannot be entered by the server's uid, that folder
 * is a new one in `systemFolder`, recorded in home, and stays the one even if home becomes enterable.
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
    await makeFolder(inside, account.lent ? enterOnly : ownOnly);
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

/** As `prepareLocation`, but changes nothing: undefined if nothing was made yet. */
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

/** The system folder is root's and nobody else may write to it: programs that run as another uid lie in it. */
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

/** The mode holds for a folder that is made here, whatever the umask; one that is there keeps its own. */
async function makeFolder(path: string, mode: number): Promise<void> {
  if (await makeFolders(path, mode)) await chmod(path, mode);
}

/** Whether it had to be made. Not `recursive: true`: in folders such as /proc, Node 24 then loops for ever. */
async function makeFolders(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return false;
    if (code !== "ENOENT" || (await exists(dirname(path)))) throw error;
    await makeFolders(dirname(path), mode);
    return makeFolders(path, mode);
  }
}

/** The folder is made before it is recorded: recorded and gone means lost, and is never replaced by an empty database. */
async function recordOutside(home: string, systemFolder: string): Promise<string> {
  const folder = await mkdtemp(join(await prepareSystemFolder(systemFolder), "home-"));
  await chmod(folder, enterOnly);
  await writeFile(join(folder, "home"), `${home}\n`); // for people who wonder whose data this is once home is gone
  if (await writeOnce(recordPath(home), `${folder}\n`)) return folder;
  await rm(folder, { recursive: true });
  return (await readRecord(home, systemFolder)) ?? folder;
}

async function readRecord(home: string, systemFolder: string): Promise<string | undefined> {
  const record = recordPath(home);
  const folder = (await readIfThere(record))?.trim();
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
