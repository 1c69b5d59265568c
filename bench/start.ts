import { openEmbeddedPostgres } from "@bron/store";
import type { ChildProcess } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryHome, type Environment } from "./support/environment.ts";
import { median, type BenchmarkResult, type Figure } from "./support/figures.ts";
import { startOnce, stop } from "./support/bron-start.ts";

const idleMs = 10_000;
/** Settings like those of a real model and account. Neither is called while idle. */
const configured = {
  GEMINI_API_KEY: "none",
  GOOGLE_CLIENT_ID: "none",
  GOOGLE_CLIENT_SECRET: "none",
};

/**
 * Measures `bron start` on a home that has been used before, with its Postgres running and with a
 * Postgres to start.
 */
export async function start({ quick }: Environment): Promise<BenchmarkResult> {
  const home = await temporaryHome();
  const repeats = quick ? 1 : 5;
  try {
    await stop((await startOnce(home)).child);
    const alone: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat++) {
      const { child, readyMs } = await startOnce(home);
      alone.push(readyMs);
      await stop(child);
    }
    const postgres = await openEmbeddedPostgres({ home });
    const warm: number[] = [];
    const idle: Record<"configured" | "demo", number[]> = { configured: [], demo: [] };
    try {
      for (let repeat = 0; repeat < repeats; repeat++) {
        const { child, readyMs } = await startOnce(home);
        warm.push(readyMs);
        if (repeat < 2) idle.demo.push(await idleMb(child));
        await stop(child);
      }
      for (let repeat = 0; repeat < 2; repeat++) {
        const { child } = await startOnce(home, configured);
        idle.configured.push(await idleMb(child));
        await stop(child);
      }
    } finally {
      await postgres.close();
    }
    const figures: Figure[] = [
      {
        name: "bron start to ready, database running",
        value: median(warm),
        unit: "ms",
        bar: { atMost: 1_500 },
      },
      { name: "bron start to ready, database to be started", value: median(alone), unit: "ms" },
    ];
    if (idle.demo.every(Number.isFinite)) {
      figures.push({
        name: "idle memory 10 s after start, without Postgres",
        value: Math.max(...idle.configured),
        unit: "MB",
        aim: { atMost: 150 },
      });
      figures.push({
        name: "the same in demo mode, with mail and model simulated in the process",
        value: Math.max(...idle.demo),
        unit: "MB",
      });
    }
    return { figures };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function idleMb(child: ChildProcess): Promise<number> {
  await sleep(idleMs);
  return await residentMb(child.pid ?? 0);
}

/** Returns NaN where /proc does not exist. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}
