import { defineTool, type Tool } from "@bron/core";
import { omitUndefined, type EffectView, type RunEvent } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { restoreEffect, type RestoreDeps } from "./restore-effect.ts";

const effect = { id: "e", runId: "r", tool: "write", restoredAt: null } as EffectView;

function eventsOf(...kept: string[]): RunEvent[] {
  return [
    { type: "effect", payload: { effectId: "e", prepared: { text: "new" } } },
    ...kept.map((digest) => ({
      type: "artifact",
      payload: { kind: "previous_version", effectId: "e", digest },
    })),
    { type: "artifact", payload: { kind: "previous_version", effectId: "other", digest: "no" } },
    { type: "effect", payload: { effectId: "e", state: "done" } },
  ] as unknown as RunEvent[];
}

function depsWith(restore: Tool["restore"], kept = ["first", "second"], sideEffects = true) {
  const ended: boolean[] = [];
  const tool = defineTool({
    name: "write",
    description: "Writes.",
    input: z.object({}),
    sideEffect: true,
    execute: () => null,
    ...omitUndefined({ restore }),
  });
  const deps: RestoreDeps = {
    runs: { events: () => Promise.resolve(eventsOf(...kept)) },
    effects: {
      get: (_, id) => Promise.resolve(id === "e" ? effect : undefined),
      startRestoring: () => Promise.resolve(effect),
      endRestoring: ({ isRestored }) => (ended.push(isRestored), Promise.resolve(effect)),
    },
    artifacts: { read: (_, digest) => Promise.resolve(new TextEncoder().encode(digest)) },
    tools: new Map([["write", tool]]),
    sideEffects,
  };
  return { ended, restore: (id = "e") => restoreEffect(deps, "local", id) };
}

describe("restoring what an effect replaced", () => {
  it("writes the newest version that the effect itself replaced", async () => {
    const written: unknown[] = [];
    const { ended, restore } = depsWith((prepared, previous, { ownerId }) => {
      written.push([prepared, new TextDecoder().decode(previous), ownerId]);
      return Promise.resolve("restored");
    });
    await restore();
    expect(written).toEqual([[{ text: "new" }, "second", "local"]]);
    expect(ended).toEqual([true]);
  });

  it("gives the reservation back if the text has changed or the account fails", async () => {
    const changed = depsWith(() => Promise.resolve("changed"));
    await expect(changed.restore()).rejects.toMatchObject({
      details: { why: { code: "changed_since" } },
    });
    expect(changed.ended).toEqual([false]);
    const failing = depsWith(() => Promise.reject(new Error("The account is away")));
    await expect(failing.restore()).rejects.toThrow("The account is away");
    expect(failing.ended).toEqual([false]);
  });

  it("reserves and writes nothing if there is no old version or side effects are off", async () => {
    const never = () => Promise.reject(new Error("It was called"));
    for (const [deps, code] of [
      [depsWith(never, []), "nothing_to_restore"],
      [depsWith(undefined), "nothing_to_restore"],
      [depsWith(never, ["first"], false), "side_effects_off"],
    ] as const) {
      await expect(deps.restore()).rejects.toMatchObject({ details: { why: { code } } });
      expect(deps.ended).toEqual([]);
    }
    await expect(depsWith(never).restore("unknown")).rejects.toMatchObject({ code: "not_found" });
  });
});
