// One `bron start` per home, by a file that names its process. A file outlives a killed process, so whoever comes next
// must find out whether that process still lives, and of several who find it dead exactly one may replace the file.
import { fetchServerId } from "@bron/client";
import { BronError } from "@bron/core";
import { createHash, randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { asHomeFailure, codeOf } from "../home-folder.ts";
import { isServerAlive } from "./server-alive.ts";

const entrySchema = z.object({
  id: z.string(),
  pid: z.number().int().positive(),
  url: z.string(),
  startedAt: z.string(),
});

/** Who serves a home. `id` is told by its /healthz too. */
export type ServerEntry = z.infer<typeof entrySchema>;

type IsAlive = (entry: ServerEntry) => Promise<boolean>;

export interface HomeClaim {
  /** The address is known for sure only once the port is taken. */
  update(url: string): Promise<void>;
  /** Idempotent; leaves alone what is no longer ours. */
  release(): Promise<void>;
}

/** Who claimed a home last, dead or alive. */
export async function readServerEntry(home: string): Promise<ServerEntry | undefined> {
  return parseEntry(await readIfThere(entryPath(home)));
}

/** The living server of a home. */
export async function findServer(home: string): Promise<ServerEntry | undefined> {
  const entry = await readServerEntry(home);
  return entry && (await isServerAlive(entry)) ? entry : undefined;
}

/** The server of a home that can be asked now: one that is only starting, or stuck, does not count. */
export async function findAnsweringServer(home: string): Promise<ServerEntry | undefined> {
  // A home that cannot be read is somebody else's to complain about.
  const entry = await readServerEntry(home).catch(() => undefined);
  return entry && (await fetchServerId(entry.url)) === entry.id ? entry : undefined;
}

/** Throws home_busy, naming the one who has it; disk_full or home_unusable if the home cannot be written. */
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
      `Bron already runs on this home: process ${other.pid}, ${other.url}, since ${other.startedAt}.`,
      { details: { ...other } },
    );
  };
  let mine = JSON.stringify(entry);
  while (!(await place(path, mine))) {
    const found = await readIfThere(path);
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
      if ((await readIfThere(path)) === mine) await rm(path, { force: true });
    },
  };
}

interface Replacement {
  readonly stale: string;
  readonly mine: string;
  readonly refuseIfAlive: (content: string) => Promise<void>;
}

/**
 * Only the holder of the claim on a stale content may replace it, and such a claim can be made once: its file is named after
 * the content. A claimer that died is itself stale, and the claim on both together is named after both.
 * False if the content changed meanwhile.
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
    if (await place(claim, mine)) {
      claims.push(claim);
      break;
    }
    const other = await readIfThere(claim);
    if (other === undefined) return false;
    await refuseIfAlive(other);
    claims.push(claim);
    key += other;
  }
  const path = entryPath(home);
  const isStillStale = (await readIfThere(path)) === stale;
  if (isStillStale) await replaceWith(path, mine);
  for (const claim of isStillStale ? claims : claims.slice(-1)) await rm(claim, { force: true });
  return isStillStale;
}

function parseEntry(content: string | undefined): ServerEntry | undefined {
  if (content === undefined) return undefined;
  try {
    return entrySchema.parse(JSON.parse(content));
  } catch {
    // Nobody's: an entry is written whole or not at all.
    return undefined;
  }
}

/** Makes a file that is whole or absent; false if there is one. */
async function place(path: string, content: string): Promise<boolean> {
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

async function readIfThere(path: string): Promise<string | undefined> {
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
