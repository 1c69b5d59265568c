import type { GoogleConfig } from "@bron/connectors";
import type { Simulator } from "@bron/simulator";
import { randomBytes } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { codeOf, ensureFolder, replaceFile } from "@bron/files";
import { untilGone } from "./until-gone.ts";
import { claimSimulator } from "./simulator-claim.ts";

const entrySchema = z.object({
  url: z.string(),
  controlKey: z.string(),
  owner: z.string(),
  colleague: z.string(),
  slack: z.object({
    app: z.object({ clientId: z.string(), clientSecret: z.string() }),
    endpoints: z.object({ authorize: z.string(), api: z.string() }),
  }),
  /** Serves every simulated web page. */
  webGateway: z.string(),
  google: z.object({
    clientId: z.string(),
    clientSecret: z.string(),
    endpoints: z.object({
      authorize: z.string(),
      token: z.string(),
      revoke: z.string(),
      rootUrl: z.string(),
    }),
  }),
});

/** How to reach the simulator of a home, whichever process runs it. */
export type SimulatorEntry = Omit<z.infer<typeof entrySchema>, "google"> & {
  readonly google: GoogleConfig;
};

export interface SharedSimulator extends SimulatorEntry {
  /**
   * Stops the simulator if this process runs it. Another process that uses it then takes it over.
   */
  close(): Promise<void>;
}

const timeoutMs = 10_000;
const retryMs = 100;

/**
 * All processes of a home share one simulator. One process runs it, and the others find it through
 * a file. When that process exits or crashes, another one takes over at the same address, so that
 * connections that know the address keep working.
 */
export async function openSharedSimulator(
  home: string,
  options: { readonly timeoutMs?: number } = {},
): Promise<SharedSimulator> {
  await moveOldFolder(home);
  await ensureFolder(simulatorFolder(home));
  const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
  for (;;) {
    const found = await findSimulator(home);
    if (found) return { ...found, close: takeOverWhenGone(home, found) };
    const run = await runSandbox(home);
    if (run) return run;
    // A live process holds the folder but does not respond. Fall back to a private simulator, so
    // that a command such as `bron stop` does not wait for it.
    if (timeout.aborted) return await runPrivately();
    await sleep(retryMs);
  }
}

/** Finds the simulator of this home, if it is running and responds. */
export async function findSimulator(home: string): Promise<SimulatorEntry | undefined> {
  const entry = await readEntry(home);
  return entry && (await isAnswering(entry)) ? entry : undefined;
}

/**
 * Deletes the simulator's stored state. Returns false, and deletes nothing, while a process runs
 * it.
 */
async function clearSimulator(home: string): Promise<boolean> {
  await moveOldFolder(home);
  const claim = await claimSimulator(simulatorFolder(home));
  if (!claim) return false;
  try {
    await rm(join(simulatorFolder(home), "google"), { recursive: true, force: true });
    return true;
  } finally {
    await claim.release();
  }
}

/**
 * Finds the running simulator, or deletes what a stopped one stored. Returns undefined if a process
 * holds the folder and does not respond in time. A busy machine takes more than a second for that.
 */
export async function findOrClearSimulator(
  home: string,
  waitMs: number = timeoutMs,
): Promise<SimulatorEntry | "cleared" | undefined> {
  const timeout = AbortSignal.timeout(waitMs);
  for (;;) {
    const found = await findSimulator(home);
    if (found) return found;
    if (await clearSimulator(home)) return "cleared";
    if (timeout.aborted) return undefined;
    await sleep(retryMs);
  }
}

export function simulatorFolder(home: string): string {
  return join(home, "sandbox");
}

/**
 * Earlier versions called the folder `world`. The move is one step for the file system, so a crash
 * leaves either name. Only the first of several processes finds the old folder. A folder that
 * already has the new name, and something in it, stays.
 */
async function moveOldFolder(home: string): Promise<void> {
  try {
    await rename(join(home, "world"), simulatorFolder(home));
  } catch (error) {
    const code = codeOf(error);
    // A home that is a file is reported by what opens the home.
    if (!["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EPERM"].includes(code)) throw error;
  }
}

/**
 * Returns undefined while another process holds the folder. With `as`, throws unless it can use
 * exactly that address.
 */
async function runSandbox(home: string, as?: SimulatorEntry): Promise<SharedSimulator | undefined> {
  const folder = simulatorFolder(home);
  const claim = await claimSimulator(folder);
  if (!claim) return undefined;
  try {
    const before = as ?? (await readEntry(home));
    const controlKey = before?.controlKey ?? newKey();
    const { startSimulator } = await import("@bron/simulator");
    const start = async (port: number) => await startSimulator({ folder, controlKey, port });
    const simulator = await start(before ? Number(new URL(before.url).port) : 0).catch(
      async (error: unknown) => {
        if (as || codeOf(error) !== "EADDRINUSE") throw error;
        return await start(0);
      },
    );
    const entry = describe(simulator, controlKey);
    await replaceFile(entryPath(home), JSON.stringify(entry)).catch(async (error: unknown) => {
      await simulator.close();
      throw error;
    });
    return {
      ...entry,
      async close() {
        await simulator.close();
        await claim.release();
      },
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/**
 * Takes over the simulator when the process that runs it is gone. The returned function stops that.
 */
function takeOverWhenGone(home: string, entry: SimulatorEntry): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const watch = async (): Promise<SharedSimulator | undefined> => {
    for (;;) {
      await untilGone(entry.url, signal);
      if (signal.aborted) return undefined;
      // Retries when another process was faster, or when the port is not free yet.
      const run = (await isAnswering(entry))
        ? undefined
        : await runSandbox(home, entry).catch(() => undefined);
      if (run) return run;
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const watching = watch();
  return async () => {
    closing.abort();
    await (await watching)?.close();
  };
}

/** Runs a simulator for this process only. Its state is not stored. */
async function runPrivately(): Promise<SharedSimulator> {
  const { startSimulator } = await import("@bron/simulator");
  const controlKey = newKey();
  const simulator = await startSimulator({ controlKey });
  return { ...describe(simulator, controlKey), close: simulator.close };
}

function newKey(): string {
  return randomBytes(24).toString("base64url");
}

function describe(simulator: Simulator, controlKey: string): SimulatorEntry {
  const {
    authUrl: authorize,
    tokenUrl: token,
    revokeUrl: revoke,
    rootUrl,
  } = simulator.googleEndpoints;
  return {
    url: simulator.url,
    controlKey,
    owner: simulator.accounts[0]?.address ?? "",
    colleague: simulator.accounts[1]?.address ?? "",
    slack: {
      app: { clientId: simulator.slackClientId, clientSecret: simulator.slackClientSecret },
      endpoints: {
        authorize: simulator.slackEndpoints.authorizeUrl,
        api: simulator.slackEndpoints.apiUrl,
      },
    },
    webGateway: simulator.webGateway,
    google: {
      clientId: simulator.clientId,
      clientSecret: simulator.clientSecret,
      endpoints: { authorize, token, revoke, rootUrl },
    },
  };
}

const faultsResponseSchema = z.object({ faults: z.array(z.unknown()) });

/** Checks the response too, because another program may use the port by now. */
async function isAnswering({ url, controlKey }: SimulatorEntry): Promise<boolean> {
  try {
    const response = await fetch(`${url}/_control/faults`, {
      headers: { "x-control-key": controlKey },
      signal: AbortSignal.timeout(1_000),
    });
    return response.ok && faultsResponseSchema.safeParse(await response.json()).success;
  } catch {
    return false;
  }
}

async function readEntry(home: string): Promise<SimulatorEntry | undefined> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(entryPath(home), "utf8")));
  } catch {
    // A missing or invalid entry means that no process runs the simulator.
    return undefined;
  }
}

function entryPath(home: string): string {
  return join(simulatorFolder(home), "server.json");
}
