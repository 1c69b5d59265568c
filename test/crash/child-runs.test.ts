import { isFullSuite } from "@bron/testing";
import type { Script } from "@bron/demo-model";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "./support/crash-harness.ts";

const width = 3;
const leaseMs = 3_000;

/**
 * The parent run spawns two child runs, waits for both, and repeats what they said. The child runs
 * answer only once the parent waits, so that the parent passes the same points every time.
 */
const childRunScript =
  (parentWaitsForBoth: (ownerId: string) => Promise<void>): Script =>
  async ({ task, results }) => {
    const [kind, ownerId = ""] = task.split(" of ");
    if (kind !== "whole") {
      if (results.length === 0) return { calls: [{ name: "read_fact", args: { text: task } }] };
      await parentWaitsForBoth(ownerId);
      return { text: `Said by ${kind}` };
    }
    const of = (name: string) =>
      results
        .filter((result) => result.name === name)
        .map(
          ({ response: { content } }) =>
            (typeof content === "string" ? JSON.parse(content) : content) as Record<
              string,
              unknown
            >,
        );
    const [spawned, awaited] = [of("spawn_bron"), of("await_bron")];
    if (spawned.length === 0)
      return {
        calls: ["one", "two"].map((child) => ({
          name: "spawn_bron",
          args: { title: child, prompt: `part ${child} of ${ownerId}` },
        })),
      };
    if (awaited.length === 0)
      return { calls: spawned.map(({ runId }) => ({ name: "await_bron", args: { runId } })) };
    return { text: awaited.map(({ summary }) => String(summary)).join("; ") };
  };

describe("a worker killed around child runs", () => {
  let harness: Harness;
  beforeAll(async () => {
    const script = childRunScript(parentWaitsForBoth);
    harness = await openHarness(inject("postgresUrl"), { script, leaseMs });
  });
  afterAll(async () => await harness.close());

  const parentWaitsForBoth = async (ownerId: string) => {
    const runs = await harness.runtime.clientFor(ownerId).list("GET /api/runs");
    const parent = runs.find(({ parentRunId }) => parentRunId === null);
    const awaited = new Set<string>();
    for await (const event of harness.runtime.logs.events(ownerId, parent?.id ?? "")) {
      if (event.type === "child_run" && event.payload.actionId !== undefined)
        awaited.add(event.payload.childRunId);
      if (awaited.size === 2) return;
    }
  };

  /** Checks how the parent run and its child runs ended, however many workers were killed. */
  const judge = async (ownerId: string) => {
    const client = harness.runtime.clientFor(ownerId);
    const [parent] = (await client.list("GET /api/runs")).filter(
      ({ parentRunId }) => parentRunId === null,
    );
    if (!parent) return "never created";
    const ended = await harness.until(
      ownerId,
      parent.id,
      ({ status }) => status === "completed" || status === "failed",
      120_000,
    );
    const children = (await client.list("GET /api/runs")).filter(
      ({ parentRunId }) => parentRunId === parent.id,
    );
    expect(ended).toMatchObject({
      status: "completed",
      summary: "Said by part one; Said by part two",
    });
    expect(children.map(({ title, status }) => `${title} ${status}`).toSorted()).toEqual([
      "one completed",
      "two completed",
    ]);
    return "done";
  };

  it(
    "BR16 X2 starts each child run once on another worker, and reports its end to the parent run",
    async () => {
      const first = await harness.start({
        work: "own",
        leaseMs,
        printHits: true,
        create: { ownerId: "baseline", prompt: "whole of baseline" },
      });
      await first.waitForLine("created");
      expect(await judge("baseline")).toBe("done");
      await first.kill();
      const passed = first.lines.flatMap(({ hit, occurrence }) =>
        typeof hit === "string" ? [{ point: hit, occurrence: Number(occurrence) }] : [],
      );
      const all = [
        ...passed,
        { point: "tell:after", occurrence: 1 },
        { point: "tell:after", occurrence: 2 },
      ];
      const chosen = isFullSuite
        ? all
        : all.filter(
            ({ point, occurrence }) =>
              occurrence === 1 &&
              /^(?:create|tell):after|child_run.*:after|;park.*:after/.test(point),
          );
      // The two waits of the parent may share one append.
      for (const kind of [/^create:after/, /child_run.*:after/, /^tell/, /;park.*:after/])
        expect(chosen.some(({ point }) => kind.test(point))).toBe(true);
      await harness.start({ work: "sweep", leaseMs });
      const failures: string[] = [];
      const queue = chosen.map((fault, index) => ({ ...fault, ownerId: `killed ${index}` }));
      const lanes = Array.from({ length: width }, async () => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const { point, occurrence, ownerId } = next;
          const worker = await harness.start({
            work: "own",
            leaseMs,
            create: { ownerId, prompt: `whole of ${ownerId}` },
            fault: { point, occurrence, how: "kill" },
          });
          await Promise.race([worker.waitForLine("created"), worker.ended]);
          const verdict = await judge(ownerId).catch((error: unknown) =>
            error instanceof Error ? error.message : String(error),
          );
          if (
            verdict !== (point === "create:before" && occurrence === 1 ? "never created" : "done")
          )
            failures.push(`${point} #${occurrence}: ${verdict}`);
          await worker.kill();
        }
      });
      await Promise.all(lanes);
      expect(failures.join("\n\n")).toBe("");
      console.log(`${chosen.length} kills around child runs`);
    },
    isFullSuite ? 1_200_000 : 300_000,
  );
});
