import { createLoopHarness } from "@bron/testing";
import { defaultRules } from "../policy/permissions/rules.ts";
import { describe, expect, it } from "vitest";
import { scheduleTool } from "./schedule-tool.ts";

const input = {
  title: "Mail",
  prompt: "Email eva@x.example a summary of my mail",
  kind: "cron",
  expression: "0 8 * * 1-5",
};

async function propose(rules: Partial<typeof defaultRules>) {
  const stores: { current?: ReturnType<typeof createLoopHarness>["store"] } = {};
  const harness = createLoopHarness({
    script: ({ options: { prompt } }) =>
      prompt.at(-1)?.role === "user"
        ? { calls: [{ tool: "schedule_create", input }] }
        : { text: "Done." },
    tools: [
      scheduleTool({
        schedules: {
          create: (ownerId, schedule) => stores.current!.schedules.create(ownerId, schedule),
          get: (ownerId, id) => stores.current!.schedules.get(ownerId, id),
        },
        clock: { now: () => Date.parse("2026-01-05T09:00:00Z") },
        zoneOf: () => Promise.resolve("Europe/Berlin"),
      }),
    ],
    deps: { permissions: { rules: () => Promise.resolve({ ...defaultRules, ...rules }) } },
  });
  stores.current = harness.store;
  const { id } = await harness.create({ prompt: "Email Eva a summary every weekday at 8" });
  await harness.advance(id);
  return { harness, id, ownerId: "local" };
}

describe("a schedule that a run proposes", () => {
  it.each([
    { trustLevel: "supervised" as const },
    { trustLevel: "delegated" as const },
    { trustLevel: "autonomous" as const },
    {
      trustLevel: "autonomous" as const,
      rules: [
        {
          tool: "schedule_create",
          host: null,
          server: null,
          verdict: "allow" as const,
          ofBron: false,
        },
      ],
    },
  ])("BR27 is always asked about: %j", async (rules) => {
    const { harness, id, ownerId } = await propose(rules);
    expect((await harness.run(id)).status).toBe("awaiting_confirmation");
    const [approval] = await harness.store.approvals.list(ownerId, {});
    expect(approval?.preview).toContain("Every weekday at 08:00 (Europe/Berlin)");
    expect(approval?.preview).toContain(
      "Next: Tue, Jan 6, 2026, 08:00 · Wed, Jan 7, 2026, 08:00 · Thu, Jan 8, 2026, 08:00",
    );
    expect(await harness.store.schedules.list(ownerId)).toEqual([]);
  });

  it("BR27 is created once when it is approved, with words that ask for nothing", async () => {
    const { harness, id, ownerId } = await propose({ trustLevel: "autonomous" });
    await harness.decide(id, true);
    await harness.advance(id);
    expect(await harness.store.schedules.list(ownerId)).toMatchObject([
      { prompt: input.prompt, isProposed: true, program: "Schedule proposed by Bron" },
    ]);
  });
});
