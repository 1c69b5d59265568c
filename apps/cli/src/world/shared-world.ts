import type { GoogleConfig } from "@bron/connectors";
import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, ensureFolder, replaceFile } from "../home-folder.ts";

const entrySchema = z.object({
  pid: z.number().int().positive(),
  url: z.string(),
  controlKey: z.string(),
  owner: z.string(),
  colleague: z.string(),
  slack: z.object({ app: z.object({ clientId: z.string(), clientSecret: z.string() }), endpoints: z.object({ authorize: z.string(), api: z.string() }) }),
  /** Answers for every page of the web. */
  webGateway: z.string(),
  google: z.object({ clientId: z.string(), clientSecret: z.string(), endpoints: z.object({ authorize: z.string(), token: z.string(), revoke: z.string(), rootUrl: z.string() }) }),
});

/** The simulated outside of a home, wherever it runs. */
export type WorldEntry = Omit<z.infer<typeof entrySchema>, "google"> & { readonly google: GoogleConfig };

export interface SharedWorld extends WorldEntry {
  /** Ends it if this process began it. */
  close(): Promise<void>;
}

/** Processes of one home use one world: the first one runs it, the others find it by a file. */
export async function openSharedWorld(home: string): Promise<SharedWorld> {
  const found = await findWorld(home);
  if (found) return { ...found, close: () => Promise.resolve() };
  const folder = worldFolder(home);
  await ensureFolder(folder);
  const { startWorld } = await import("@bron/world");
  const controlKey = randomBytes(24).toString("base64url");
  // One that lives but does not answer keeps its folder: two would write over each other.
  const isHeld = await isHeldByOther(home);
  const world = await startWorld({ ...(isHeld ? {} : { folder }), controlKey });
  const { authUrl: authorize, tokenUrl: token, revokeUrl: revoke, rootUrl } = world.googleEndpoints;
  const entry: WorldEntry = {
    pid: process.pid,
    url: world.url,
    controlKey,
    owner: world.accounts[0]?.address ?? "",
    colleague: world.accounts[1]?.address ?? "",
    slack: { app: { clientId: world.slackClientId, clientSecret: world.slackClientSecret }, endpoints: { authorize: world.slackEndpoints.authorizeUrl, api: world.slackEndpoints.apiUrl } },
    webGateway: world.webGateway,
    google: { clientId: world.clientId, clientSecret: world.clientSecret, endpoints: { authorize, token, revoke, rootUrl } },
  };
  if (!isHeld) await replaceFile(entryPath(home), JSON.stringify(entry));
  return {
    ...entry,
    async close() {
      if (!isHeld) await rm(entryPath(home), { force: true });
      await world.close();
    },
  };
}

/** One that answers. */
export async function findWorld(home: string): Promise<WorldEntry | undefined> {
  const entry = await readEntry(home);
  const answer = entry && (await fetch(entry.url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined));
  return answer?.ok === true ? entry : undefined;
}

async function isHeldByOther(home: string): Promise<boolean> {
  const entry = await readEntry(home);
  if (!entry || entry.pid === process.pid) return false;
  try {
    process.kill(entry.pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

async function readEntry(home: string): Promise<WorldEntry | undefined> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(entryPath(home), "utf8")));
  } catch {
    // Nobody's: the next one begins it anew.
    return undefined;
  }
}

export function worldFolder(home: string): string {
  return join(home, "world");
}

function entryPath(home: string): string {
  return join(worldFolder(home), "server.json");
}
