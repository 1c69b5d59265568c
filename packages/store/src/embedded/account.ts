import { chown, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * The account that the server runs as. Postgres refuses to run as root, so root starts it with
 * another uid.
 */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
  /** True if Bron runs as root and the server does not. */
  readonly dropsRoot: boolean;
}

interface Owned {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

const nobodyUid = 65534;

/**
 * `data` is an existing data folder. Its owner stays the same, so that root can open a user's home
 * without taking it over.
 */
export async function chooseAccount(data: string): Promise<ServerAccount> {
  const uid = process.getuid?.() ?? nobodyUid;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? nobodyUid, dropsRoot: false };
  const owner = await stat(data).catch(() => undefined);
  return owner === undefined || owner.uid === 0
    ? { uid: nobodyUid, gid: nobodyUid, dropsRoot: true }
    : { uid: owner.uid, gid: owner.gid, dropsRoot: true };
}

/** Options for `spawn`: the uid (libuv also drops root's groups) and a clean environment. */
export function spawnAs(account: ServerAccount): {
  uid?: number;
  gid?: number;
  cwd: string;
  env: Record<string, string>;
} {
  const identity = account.dropsRoot ? { uid: account.uid, gid: account.gid } : {};
  return { ...identity, cwd: "/", env: { LC_ALL: "C", TZ: "UTC" } };
}

export async function giveTo(account: ServerAccount, path: string): Promise<void> {
  if (account.dropsRoot) await chown(path, account.uid, account.gid);
}

/**
 * Whether the account can access `folder` and every folder above it. Checks mode bits only, not
 * access control lists.
 */
export async function canEnter(account: ServerAccount, folder: string): Promise<boolean> {
  if (!account.dropsRoot) return true;
  for (let path = await realpath(folder); ; path = dirname(path)) {
    if (!grants(await stat(path), account, 0o1)) return false;
    if (path === dirname(path)) return true;
  }
}

/** `bits` is one octal digit: 4 read, 2 write, 1 execute or enter. */
export function grants(owned: Owned, account: ServerAccount, bits: number): boolean {
  const shift = owned.uid === account.uid ? 6 : owned.gid === account.gid ? 3 : 0;
  return ((owned.mode >> shift) & bits) === bits;
}
