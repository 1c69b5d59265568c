import { BronError } from "@bron/core";
import { expect, it } from "vitest";
import { manualClock } from "./manual-clock.fixture.ts";
import { startUploadCleanup } from "./upload-cleanup.ts";

it("BR9 removes unattached files at the start and every ten minutes, and continues after a failure", async () => {
  const clock = manualClock();
  const asked: number[] = [];
  const problems: unknown[] = [];
  const left = [100, 3, 0];
  const removeUnattached = (olderThanMs: number) => {
    asked.push(olderThanMs);
    return asked.length === 4
      ? Promise.reject(new BronError("database_unreachable", "away"))
      : Promise.resolve(left.shift() ?? 0);
  };
  const upkeep = startUploadCleanup({
    uploads: { removeUnattached },
    clock,
    onProblem: (_, error) => problems.push(error),
  });
  await expect.poll(() => asked).toEqual([86_400_000, 86_400_000, 86_400_000]);
  for (const count of [4, 5]) {
    // The sleep starts after the query has returned.
    await expect
      .poll(() => (clock.advance(10 * 60_000), asked.length))
      .toBeGreaterThanOrEqual(count);
  }
  expect(problems).toMatchObject([{ code: "database_unreachable" }]);
  await upkeep.close();
});
