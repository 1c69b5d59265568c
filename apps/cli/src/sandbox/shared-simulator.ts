import type { GoogleConfig } from "@bron/connectors";
import type { Simulator } from "@bron/world";
import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { codeOf, ensureFolder, replaceFile } from "../home-folder.ts";
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
  /** Answers for every page of the web. */
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

/** The simulated outside of a home, wherever it runs. */
export type SimulatorEntry = Omit<z.infer<typeof entrySchema>, "google"> & {
  readonly google: GoogleConfig;
};

export interface SharedSimulator extends SimulatorEntry {
  /** Ends it if this process runs it; whoever else of the home uses it goes on with it. */
  close(): Promise<void>;
}

const patienceMs = 10_000;
const pauseMs = 100;

/**
 * Processes of one home use one world. One of them runs it, the others find it by a file; when that one ends, however it ends,
 * another takes it up under the same address, so that whoever was given the address is not left without.
 */
export async function openSharedSimulator(
  home: string,
  options: { readonly patienceMs?: number } = {},
): Promise<SharedSimulator> {
  await ensureFolder(simulatorFolder(home));
  const patience = AbortSignal.timeout(options.patienceMs ?? patienceMs);
  for (;;) {
    const found = await findSimulator(home);
    if (found) return { ...found, close: takeUpWhenGone(home, found) };
    const run = await runSandbox(home);
    if (run) return run;
    // Somebody lives who has the folder but does not answer. Whoever only wants to stop something must not wait for that.
    if (patience.aborted) return await runApart();
    await sleep(pauseMs);
  }
}

/** One that answers, and is this home's. */
export async function findSimulator(home: string): Promise<SimulatorEntry | undefined> {
  const entry = await readEntry(home);
  return entry && (await isAnswering(entry)) ? entry : undefined;
}

/** What the world of a home has kept is gone when nobody runs it. False if somebody does. */
export async function clearSimulator(home: string): Promise<boolean> {
  const claim = await claimSimulator(simulatorFolder(home));
  if (!claim) return false;
  try {
    await rm(join(simulatorFolder(home), "google"), { recursive: true, force: true });
    return true;
  } finally {
    await claim.release();
  }
}

export function simulatorFolder(home: string): string {
  return join(home, "world");
}

/** Undefined while another process has the folder. With `as`, exactly under that address, or it throws. */
async function runSandbox(home: string, as?: SimulatorEntry): Promise<SharedSimulator | undefined> {
  const folder = simulatorFolder(home);
  const claim = await claimSimulator(folder);
  if (!claim) return undefined;
  try {
    const before = as ?? (await readEntry(home));
    const controlKey = before?.controlKey ?? newKey();
    const { startSimulator } = await import("@bron/world");
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

/** Keeps an eye on a world that another process runs; what it returns lets go of it. */
function takeUpWhenGone(home: string, entry: SimulatorEntry): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const watch = async (): Promise<SharedSimulator | undefined> => {
    for (;;) {
      await untilGone(entry.url, signal);
      if (signal.aborted) return undefined;
      // Tried again if somebody else is quicker, or if the port cannot be had yet.
      const run = (await isAnswering(entry))
        ? undefined
        : await runSandbox(home, entry).catch(() => undefined);
      if (run) return run;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const watching = watch();
  return async () => {
    closing.abort();
    await (await watching)?.close();
  };
}

/** Of this process alone, and forgotten with it. */
async function runApart(): Promise<SharedSimulator> {
  const { startSimulator } = await import("@bron/world");
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

const answerSchema = z.object({ faults: z.array(z.unknown()) });

/** A stranger that has the port by now answers something else. */
async function isAnswering({ url, controlKey }: SimulatorEntry): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/_control/faults`, {
      headers: { "x-control-key": controlKey },
      signal: AbortSignal.timeout(1_000),
    });
    return answer.ok && answerSchema.safeParse(await answer.json()).success;
  } catch {
    return false;
  }
}

async function readEntry(home: string): Promise<SimulatorEntry | undefined> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(entryPath(home), "utf8")));
  } catch {
    // Nobody's: the next one begins it anew.
    return undefined;
  }
}

function entryPath(home: string): string {
  return join(simulatorFolder(home), "server.json");
}
