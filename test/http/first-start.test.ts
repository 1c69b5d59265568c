import { describe, expect, inject, it } from "vitest";
import { openHarness } from "../crash/support/crash-harness.ts";

describe("workers that start at once on a new database", () => {
  it("BR5 all become ready", async () => {
    const harness = await openHarness(inject("postgresUrl"), { isEmpty: true });
    try {
      const workers = await Promise.all(Array.from({ length: 3 }, () => harness.start()));
      expect(workers.map(({ name }) => name)).not.toContain("");
    } finally {
      await harness.close();
    }
  }, 60_000);
});
