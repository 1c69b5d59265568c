import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "./support/crash-harness.ts";

describe.concurrent("a worker killed while it keeps a long output", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { leaseMs: 2_000 });
    await harness.start({ work: "sweep" });
  }, 60_000);
  afterAll(async () => await harness.close());

  it.each([
    "artifact:before",
    "artifact:after",
    "append(tool.end+step.start):before",
    "append(tool.end+step.start):after",
  ])(
    "X2 leaves one result, whose whole output can be read, after %s",
    async (point) => {
      const ownerId = `kept ${point}`;
      const worker = await harness.start({
        work: "own",
        create: { ownerId, prompt: "long" },
        fault: { point, occurrence: 1, how: "kill" },
      });
      const runId = String(await worker.waitForLine("created"));
      expect((await worker.ended).signal).toBe("SIGKILL");
      await harness.until(ownerId, runId, ({ status }) => status === "completed", 60_000);
      const results = (await harness.events(ownerId, runId)).flatMap(({ type, payload }) =>
        type === "tool" && payload.phase === "end" && payload.name === "long_read" ? [payload] : [],
      );
      expect(results).toMatchObject([{ outcome: "completed", kept: { characters: 50_000 } }]);
      const digest = results[0]?.kept?.digest ?? "";
      const client = harness.runtime.clientFor(ownerId);
      expect((await client.readArtifact(digest)).length).toBe(50_000);
      expect(
        await client.call("GET /api/runs/:id/artifacts", { params: { id: runId } }),
      ).toMatchObject({ artifacts: [{ digest }] });
    },
    120_000,
  );
});
