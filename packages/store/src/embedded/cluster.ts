import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { BronError } from "@bron/core";
import { giveTo, spawnAs, type ServerAccount } from "./account.ts";
import { readIfExists, syncFolder, writeSynced } from "./atomic-file.ts";
import { type PostgresBinaries } from "./binaries.ts";
import { createDraft, removeDeadDrafts } from "./drafts.ts";
import { diskFull, errnoOf, homeUnusable, saysDiskFull } from "./failures.ts";
import { dataFolder } from "./location.ts";
import { cannotRun } from "./server-process.ts";

export interface Cluster {
  readonly data: string;
  readonly password: string;
  /** The major version of the Postgres that created it. */
  readonly major: string;
}

export const clusterUser = "bron";

/**
 * Returns undefined if there is no cluster yet. An incomplete cluster is never changed. It throws
 * `home_unusable`.
 */
export async function readCluster(folder: string): Promise<Cluster | undefined> {
  const cluster = join(folder, "cluster");
  const names = await readdir(cluster).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  });
  if (names.length === 0) return undefined;
  const data = dataFolder(folder);
  const major = (await readIfExists(join(data, "PG_VERSION")))?.trim();
  const password = (await readIfExists(join(cluster, "password")))?.trim();
  if (major === undefined || password === undefined) {
    const missing = major === undefined ? "data/PG_VERSION" : "password";
    throw homeUnusable(
      cluster,
      `it exists but does not contain a complete database (${missing} is missing). Bron did not change it. Move it away to start with an empty database.`,
    );
  }
  return { data, password, major };
}

/** Postgres can only read data of its own major version. */
export function assertSameMajor(cluster: Cluster, major: string): void {
  if (cluster.major === major) return;
  throw new BronError(
    "postgres_version",
    `The database in ${cluster.data} was created by Postgres ${cluster.major}, but this version of Bron includes Postgres ${major}. ` +
      "Start the version of Bron that created it, run `bron backup` there and `bron restore` here, or use another BRON_HOME.",
    { details: { found: cluster.major, expected: major, folder: cluster.data } },
  );
}

/**
 * Reads the cluster or creates it. A crash at any time leaves either none or a complete one. If two
 * processes create it, one wins.
 */
export async function ensureCluster(input: {
  readonly folder: string;
  readonly account: ServerAccount;
  readonly binaries: PostgresBinaries;
  readonly onProgress: (message: string) => void;
}): Promise<Cluster> {
  const { folder, account } = input;
  await removeDeadDrafts(folder, "cluster");
  const found = await readCluster(folder);
  if (found !== undefined) return found;

  input.onProgress(`Setting up the database in ${folder}`);
  const draft = await createDraft(folder, "cluster");
  try {
    await giveTo(account, draft);
    const password = join(draft, "password");
    await writeSynced(password, `${randomBytes(32).toString("hex")}\n`);
    await giveTo(account, password);
    await mkdir(join(draft, "data"), { mode: 0o700 });
    await giveTo(account, join(draft, "data"));
    await runInitdb({ binaries: input.binaries, account, draft });
    await syncFolder(draft);
    await chmod(draft, 0o700);
    await rename(draft, join(folder, "cluster"));
    await syncFolder(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const created = await readCluster(folder);
  if (created === undefined)
    throw homeUnusable(folder, "the database disappeared while it was being created.");
  return created;
}

/**
 * Uses the builtin locale, so that sorting and case rules do not depend on the libc of the machine.
 */
async function runInitdb(input: {
  binaries: PostgresBinaries;
  account: ServerAccount;
  draft: string;
}): Promise<void> {
  const { account, draft } = input;
  const program = join(input.binaries.folder, "bin/initdb");
  const settings = [
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  const access = [
    `--username=${clusterUser}`,
    "--auth=scram-sha-256",
    // More iterations protect short passwords. Ours has 256 random bits, and every connection would
    // spend 13 ms of CPU time on them.
    "--set=scram_iterations=1",
    `--pwfile=${join(draft, "password")}`,
  ];
  const child = spawn(program, [`--pgdata=${join(draft, "data")}`, ...access, ...settings], {
    ...spawnAs(account),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((done, fail) => {
    child.once("error", (error) => fail(cannotRun(program, account, error)));
    child.once("close", done);
  });
  const [code, output, complaints] = await Promise.all([
    ended,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code === 0) return;
  if (saysDiskFull(output + complaints)) throw diskFull(draft);
  if (complaints.includes("could not look up effective user ID")) {
    throw new BronError(
      "postgres_failed",
      `Postgres needs a user name, but uid ${account.uid} has none on this system. Run Bron as a user listed in /etc/passwd, or set DATABASE_URL.`,
    );
  }
  throw new BronError(
    "postgres_failed",
    `Postgres could not set up its data folder in ${draft}: ${(complaints || output).trim().slice(-1500)}`,
  );
}
