import { BronError } from "@bron/core";
import { expect, it } from "vitest";
import { passingClock } from "./passing-clock.fixture.ts";
import { startUploadUpkeep } from "./upload-upkeep.ts";

it("BR9 removes files that are attached to nothing at the start and every ten minutes, until there are none, and goes on after a failure", async () => {
  const clock = passingClock();
  const asked: number[] = [];
  const problems: unknown[] = [];
  const left = [100, 3, 0];
  const removeUnattached = (olderThanMs: number) => {
    asked.push(olderThanMs);
    return asked.length === 4
      ? Promise.reject(new BronError("database_unreachable", "away"))
      : Promise.resolve(left.shift() ?? 0);
  };
  const upkeep = startUploadUpkeep({
    uploads: { removeUnattached },
    clock,
    onProblem: (_, error) => problems.push(error),
  });
  await expect.poll(() => asked).toEqual([86_400_000, 86_400_000, 86_400_000]);
  for (const count of [4, 5]) {
    // The sleep begins once what was asked has been answered.
    await expect.poll(() => (clock.pass(10 * 60_000), asked.length)).toBeGreaterThanOrEqual(count);
  }
  expect(problems).toMatchObject([{ code: "database_unreachable" }]);
  await upkeep.close();
});
