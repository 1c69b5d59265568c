import { describe, expect, inject, it } from "vitest";
import { openLab } from "../crash/support/crash-lab.ts";

describe("workers that start at once on a new database", () => {
  it("BR5 all become ready", async () => {
    const lab = await openLab(inject("postgresUrl"));
    try {
      const workers = await Promise.all(Array.from({ length: 3 }, () => lab.start()));
      expect(workers.map(({ name }) => name)).not.toContain("");
    } finally {
      await lab.close();
    }
  }, 60_000);
});
