// A file that names the process makes sure that only one `bron start` runs per home. The file
// outlives a killed process, so the next process checks whether that process is still alive. If
// several find it dead, exactly one of them may replace the file.
import { fetchServerId } from "@bron/client";
import { BronError } from "@bron/core";
import { createHash, randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { asHomeFailure, codeOf } from "@bron/files";
import { isServerAlive } from "./server-alive.ts";

const entrySchema = z.object({
  id: z.string(),
  pid: z.number().int().positive(),
  url: z.string(),
  startedAt: z.string(),
});

/** The server of a home. Its /healthz returns the same `id`. */
export type ServerEntry = z.infer<typeof entrySchema>;

type IsAlive = (entry: ServerEntry) => Promise<boolean>;

export interface HomeClaim {
  /** Sets the final URL, which is known only once the server listens. */
  update(url: string): Promise<void>;
  /** Idempotent. Does nothing if another process holds the claim by now. */
  release(): Promise<void>;
}

/** The process that last claimed the home, dead or alive. */
export async function readServerEntry(home: string): Promise<ServerEntry | undefined> {
  return parseEntry(await readIfExists(entryPath(home)));
}

/** The server of a home, if its process is alive. */
export async function findServer(home: string): Promise<ServerEntry | undefined> {
  const entry = await readServerEntry(home);
  return entry && (await isServerAlive(entry)) ? entry : undefined;
}

/**
 * The server of a home, if it responds. A server that is still starting, or stuck, does not count.
 */
export async function findRespondingServer(home: string): Promise<ServerEntry | undefined> {
  // An unreadable home is reported by the code that opens it.
  const entry = await readServerEntry(home).catch(() => undefined);
  return entry && (await fetchServerId(entry.url)) === entry.id ? entry : undefined;
}

/**
 * Throws home_busy with the current holder, or disk_full or home_unusable if the home is not
 * writable.
 */
export async function claimHome(
  home: string,
  entry: ServerEntry,
  isAlive: IsAlive = isServerAlive,
): Promise<HomeClaim> {
  try {
    return await claim(home, entry, isAlive);
  } catch (error) {
    throw asHomeFailure(error, home);
  }
}

async function claim(home: string, entry: ServerEntry, isAlive: IsAlive): Promise<HomeClaim> {
  const path = entryPath(home);
  const refuseIfAlive = async (content: string) => {
    const other = parseEntry(content);
    if (!other || !(await isAlive(other))) return;
    throw new BronError(
      "home_busy",
      `Bron is already running on this home: process ${other.pid}, ${other.url}, since ${other.startedAt}.`,
      { details: { ...other } },
    );
  };
  let mine = JSON.stringify(entry);
  while (!(await createFile(path, mine))) {
    const found = await readIfExists(path);
    if (found === undefined) continue;
    await refuseIfAlive(found);
    if (await replaceStale(home, { stale: found, mine, refuseIfAlive })) break;
  }
  return {
    async update(url) {
      const next = JSON.stringify({ ...entry, url });
      await replaceWith(path, next);
      mine = next;
    },
    async release() {
      if ((await readIfExists(path)) === mine) await rm(path, { force: true });
    },
  };
}

interface Replacement {
  readonly stale: string;
  readonly mine: string;
  readonly refuseIfAlive: (content: string) => Promise<void>;
}

/**
 * Replaces a stale entry. Only the holder of a claim on the stale content may do so. The claim's
 * file is named after the content, so that only one process can create it. If a claimer died, its
 * claim is stale too, and the next claim is named after both contents. Returns false if the entry
 * changed in the meantime.
 */
async function replaceStale(
  home: string,
  { stale, mine, refuseIfAlive }: Replacement,
): Promise<boolean> {
  const claims: string[] = [];
  for (let key = stale; ;) {
    const claim = join(
      home,
      `.server-${createHash("sha256").update(key).digest("hex").slice(0, 32)}.claim`,
    );
    if (await createFile(claim, mine)) {
      claims.push(claim);
      break;
    }
    const other = await readIfExists(claim);
    if (other === undefined) return false;
    await refuseIfAlive(other);
    claims.push(claim);
    key += other;
  }
  const path = entryPath(home);
  const isStillStale = (await readIfExists(path)) === stale;
  if (isStillStale) await replaceWith(path, mine);
  for (const claim of isStillStale ? claims : claims.slice(-1)) await rm(claim, { force: true });
  return isStillStale;
}

function parseEntry(content: string | undefined): ServerEntry | undefined {
  if (content === undefined) return undefined;
  try {
    return entrySchema.parse(JSON.parse(content));
  } catch {
    // Entries are written atomically, so an invalid one was not written by Bron.
    return undefined;
  }
}

/** Creates a file atomically with its full content. Returns false if the file exists. */
async function createFile(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: "wx" });
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replaceWith(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, content, { mode: 0o600, flag: "wx" });
  await rename(draft, path);
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function entryPath(home: string): string {
  return join(home, "server.json");
}
