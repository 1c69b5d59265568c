import { expect, it } from "vitest";
import { createReloadWhenReachable } from "./reload-when-reachable.ts";

function harness(responses: readonly boolean[]) {
  const left = [...responses];
  const stored = new Map<string, string>();
  const seen = { reloads: 0, waits: 0, now: 100_000 };
  const reload = createReloadWhenReachable({
    isReachable: () => Promise.resolve(left.shift() ?? true),
    wait: (ms) => Promise.resolve((seen.now += ms) && (seen.waits += 1)),
    reload: () => (seen.reloads += 1),
    now: () => seen.now,
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
    },
  });
  return { seen, reload };
}

it("reloads once the server responds, and only once for several callers", async () => {
  const { seen, reload } = harness([false, false, true]);
  await Promise.all([reload(), reload(), reload()]);
  expect(seen).toMatchObject({ reloads: 1, waits: 2 });
});

it("does not reload again and again if a file stays missing", async () => {
  const { seen, reload } = harness([]);
  await reload();
  await reload();
  expect(seen.reloads).toBe(1);
  seen.now += 60_000;
  await reload();
  expect(seen.reloads).toBe(2);
});
