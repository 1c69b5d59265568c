import type { Harness, HarnessWorker } from "./crash-harness.ts";
import type { WorkerOrders } from "./worker-process.ts";

export interface FaultPoint {
  readonly point: string;
  readonly occurrence: number;
}

/** The fault points that a worker with `printHits` passed. */
export function pointsOf({ lines }: HarnessWorker): FaultPoint[] {
  return lines.flatMap(({ hit, occurrence }) =>
    typeof hit === "string" ? [{ point: hit, occurrence: Number(occurrence) }] : [],
  );
}

interface KillOptions {
  /** How many workers are killed at the same time. */
  readonly width: number;
  readonly orders: Partial<WorkerOrders>;
  readonly prompt: string;
  /** What the owner does meanwhile. Not called if the run was never created. */
  act?(ownerId: string): Promise<void>;
  judge(ownerId: string): Promise<string>;
  readonly done: string;
}

/**
 * Starts a run for each fault point, in a worker that is killed there, while another worker sweeps.
 * Returns the verdicts that differ from `done`, and how many workers were killed.
 */
export async function killAtEach(
  harness: Harness,
  points: readonly FaultPoint[],
  { width, orders, prompt, act, judge, done }: KillOptions,
): Promise<{ readonly failures: string; readonly kills: number }> {
  const failures: string[] = [];
  let kills = 0;
  const queue = points.map((fault, index) => ({ ...fault, ownerId: `killed ${index}` }));
  const lanes = Array.from({ length: width }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { point, occurrence, ownerId } = next;
      const worker = await harness.start({
        ...orders,
        create: { ownerId, prompt },
        fault: { point, occurrence, how: "kill" },
      });
      await Promise.race([worker.waitForLine("created"), worker.ended]);
      const isNeverCreated = point === "create:before" && occurrence === 1;
      if (!isNeverCreated) await act?.(ownerId);
      const verdict = await judge(ownerId).catch(String);
      if (verdict !== (isNeverCreated ? "never created" : done))
        failures.push(`${point} #${occurrence}: ${verdict}`);
      if (worker.lines.some((line) => "faulted" in line)) kills++;
      await worker.kill();
    }
  });
  await Promise.all(lanes);
  return { failures: failures.join("\n\n"), kills };
}
