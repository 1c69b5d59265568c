import { createLoopHarness, type LoopHarness, type Script } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { BronError } from "../errors.ts";

const unavailable: Script = () => {
  throw Object.assign(new TypeError("overloaded"), { statusCode: 503 });
};
const refused: Script = () => {
  throw Object.assign(new TypeError("no"), { statusCode: 403 });
};
const answers: Script = () => ({ text: "Done." });

async function modelsOf(loop: LoopHarness, runId: string): Promise<string[]> {
  return (await loop.events(runId)).flatMap((event) =>
    event.type === "step" && event.payload.phase === "start" ? [event.payload.model] : [],
  );
}

async function replacedIn(loop: LoopHarness, runId: string): Promise<object[]> {
  return (await loop.events(runId)).flatMap((event) =>
    event.type === "log" && "kind" in event.payload && event.payload.kind === "model_replaced"
      ? [event.payload]
      : [],
  );
}

describe("the model of a step", () => {
  it("is the one that was chosen for the run", async () => {
    const loop = createLoopHarness({
      script: refused,
      roles: (named) => ({ others: [named("other", answers)] }),
    });
    const run = await loop.create({ model: "other" });
    expect(await loop.advance(run.id)).toBe("ended");
    expect(await modelsOf(loop, run.id)).toEqual(["other"]);
    expect((await loop.run(run.id)).status).toBe("completed");
  });

  it("is the one of the Bron, unless the run chose another", async () => {
    const loop = createLoopHarness({
      script: refused,
      roles: (named) => ({ others: [named("of bron", answers), named("of run", answers)] }),
    });
    const first = await loop.create();
    await loop.store.brons.change("local", first.bronId, { model: "of bron" });
    const second = await loop.create({ model: "of run" });
    for (const { id } of [first, second]) await loop.advance(id);
    expect(await modelsOf(loop, first.id)).toEqual(["of bron"]);
    expect(await modelsOf(loop, second.id)).toEqual(["of run"]);
  });

  it("is the main one, and the log says so, if the chosen one is no longer configured", async () => {
    const loop = createLoopHarness({ script: answers });
    const run = await loop.create({ model: "gone" });
    await loop.advance(run.id);
    expect(await modelsOf(loop, run.id)).toEqual(["scripted"]);
    expect(await replacedIn(loop, run.id)).toMatchObject([
      { wanted: "gone", model: "scripted", why: "not_configured" },
    ]);
  });

  it("is the last resort after the retries of a model that is unavailable", async () => {
    const loop = createLoopHarness({
      script: unavailable,
      roles: (named) => ({ lastResort: named("spare", answers) }),
    });
    const run = await loop.create();
    await loop.advance(run.id);
    expect(await modelsOf(loop, run.id)).toEqual([
      "scripted",
      "scripted",
      "scripted",
      "scripted",
      "spare",
    ]);
    expect(await replacedIn(loop, run.id)).toMatchObject([
      { wanted: "scripted", model: "spare", why: "unavailable" },
    ]);
    expect((await loop.run(run.id)).status).toBe("completed");
    // The next run does not wait for the retries again.
    const next = await loop.create();
    await loop.advance(next.id);
    expect(await modelsOf(loop, next.id)).toEqual(["spare"]);
    expect(await replacedIn(loop, next.id)).toHaveLength(1);
  });

  it("fails after the retries of the last resort", async () => {
    const loop = createLoopHarness({
      script: unavailable,
      roles: (named) => ({ lastResort: named("spare", unavailable) }),
    });
    const run = await loop.create();
    await loop.advance(run.id);
    expect((await modelsOf(loop, run.id)).filter((name) => name === "spare")).toHaveLength(4);
    expect((await loop.run(run.id)).error?.code).toBe("model_unavailable");
  });

  it("is not the last resort if the model refused", async () => {
    const loop = createLoopHarness({
      script: refused,
      roles: (named) => ({ lastResort: named("spare", answers) }),
    });
    const run = await loop.create();
    await loop.advance(run.id);
    expect(await modelsOf(loop, run.id)).toEqual(["scripted"]);
    expect((await loop.run(run.id)).error?.code).toBe("model_refused");
  });

  it("is not a last resort without a price if money limits the run", async () => {
    const loop = createLoopHarness({
      script: unavailable,
      price: { inputMicrousdPerMillion: 1, outputMicrousdPerMillion: 1 },
      roles: (named) => {
        const { price: _, ...free } = named("spare", answers);
        return { lastResort: free };
      },
    });
    const run = await loop.create({}, { costMicrousd: 1_000_000 });
    await loop.advance(run.id);
    expect(await modelsOf(loop, run.id)).not.toContain("spare");
    expect((await loop.run(run.id)).error?.code).toBe("model_unavailable");
  });

  it("stays the same when another worker repeats a lost call", async () => {
    let fails = 0;
    const loop = createLoopHarness({
      script: unavailable,
      roles: (named) => ({
        lastResort: named("spare", async () => {
          // The worker dies during the first call of the last resort.
          if (fails++ === 0) return await new Promise(() => undefined);
          return { text: "Done." };
        }),
      }),
    });
    const run = await loop.create();
    const stop = new AbortController();
    const first = loop.advance(run.id, {}, stop.signal);
    await expect.poll(() => fails).toBe(1);
    stop.abort(new BronError("lease_lost", "test"));
    await first;
    await loop.advance(run.id);
    expect((await modelsOf(loop, run.id)).slice(-2)).toEqual(["spare", "spare"]);
    expect((await loop.run(run.id)).status).toBe("completed");
  });
});
