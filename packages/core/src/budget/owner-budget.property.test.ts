import { defaultCaps } from "@bron/protocol";
import { createLoopHarness, sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Lease } from "../ports/runs/run-log.ts";
import { afford } from "./reservation.ts";
import { dayIn } from "./zoned-day.ts";

/** What happens to one run. A kill loses the response of its calls. */
interface Happening {
  readonly run: number;
  readonly kind: "call" | "side_call" | "settle" | "kill" | "end" | "sleep";
  readonly cost: number;
  readonly share: number;
  readonly hours: number;
}

const happening: fc.Arbitrary<Happening> = fc.record({
  run: fc.nat(),
  kind: fc.constantFrom(
    "call",
    "call",
    "call",
    "side_call",
    "settle",
    "settle",
    "kill",
    "end",
    "sleep",
  ),
  cost: fc.integer({ min: 1, max: 400 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  hours: fc.integer({ min: 1, max: 30 }),
});

/** A model call as the provider bills it: on the day on which it started. */
interface Call {
  readonly day: string;
  microusd: number;
}

interface Member {
  readonly id: string;
  lease: Lease;
  seq: number;
  drawn: number;
  spent: number;
  readonly open: Call[];
  hasEnded: boolean;
}

const ownerId = "owner";
const price = { inputMicrousdPerMillion: 1, outputMicrousdPerMillion: 1 };

async function openOwner(zone: string, caps: { day: number | null; month: number | null }) {
  const { store, clock } = createLoopHarness({ script: () => ({ text: "unused" }) });
  // Close to the end of a month, and to the change to summer time.
  await clock.pass(Date.parse("2026-03-27T20:00:00Z") - clock.now());
  await store.budgets.setBudget(ownerId, {
    zone,
    dayCapMicrousd: caps.day,
    monthCapMicrousd: caps.month,
  });
  const calls: Call[] = [];
  const claim = async (runId: string) => {
    const claimed = await store.log.claim({
      runId,
      worker: "w",
      leaseMs: 1e12,
      takeOverUntil: Number.MAX_SAFE_INTEGER,
      serves: [],
      maxPerOwner: 1_000,
      maxInAll: 1_000,
    });
    if (!claimed.claimed) throw new Error(claimed.reason);
    return claimed;
  };
  const create = async (): Promise<Member> => {
    const { run } = await store.runs.create({
      ownerId,
      input: { prompt: "x" },
      title: "x",
      caps: defaultCaps,
    });
    const { lease, lastSeq } = await claim(run.id);
    return { id: run.id, lease, seq: lastSeq, drawn: 0, spent: 0, open: [], hasEnded: false };
  };
  const reservedOf = ({ open }: Member) => open.reduce((sum, { microusd }) => sum + microusd, 0);
  const write = async (member: Member, extra: object, charged: number) => {
    const result = await store.log.append({
      lease: member.lease,
      seen: member.seq,
      events: [{ type: "log", payload: { level: "info", message: "x" } }],
      leaseMs: 1e12,
      chargedMicrousd: charged,
      ...extra,
    });
    if (!result.ok) return result.reason;
    Object.assign(member, { seq: result.lastSeq, drawn: result.drawnMicrousd });
    return "written";
  };
  const call = async (member: Member, cost: number) => {
    const affordable = afford(
      {
        caps: defaultCaps,
        ownerCapMicrousd: null,
        hasOwnerBudget: true,
        drawnMicrousd: member.drawn,
        spentMicrousd: member.spent + reservedOf(member),
        settledMicrousd: member.spent,
        hasCappedAncestors: false,
        hasChildren: false,
      },
      { reservedMicrousd: cost, model: { name: "m", price } },
    );
    if (!affordable.ok) throw new Error("refused without the store");
    const { draw } = affordable;
    const written = await write(member, { draw }, member.spent + reservedOf(member) + cost);
    if (written !== "written") return expect(written).toBe("budget");
    const started = { day: dayIn(zone, clock.now()), microusd: cost };
    member.open.push(started);
    calls.push(started);
  };
  const happen = async (member: Member, { kind, cost, share, hours }: Happening) => {
    if (kind === "sleep") await clock.pass(hours * 3_600_000);
    if (member.hasEnded) return;
    if (
      (kind === "call" && member.open.length === 0) ||
      (kind === "side_call" && member.open.length < 2)
    )
      await call(member, cost);
    if (kind === "settle") {
      const ended = member.open.shift();
      if (!ended) return;
      ended.microusd = Math.floor(ended.microusd * share);
      member.spent += ended.microusd;
      expect(await write(member, {}, member.spent + reservedOf(member))).toBe("written");
    }
    if (kind === "kill") {
      member.lease = (await claim(member.id)).lease;
      member.spent += reservedOf(member);
      member.open.length = 0;
      expect(await write(member, {}, member.spent)).toBe("written");
    }
    if (kind === "end") {
      member.spent += reservedOf(member);
      member.hasEnded = true;
      expect(await write(member, { release: "end" }, member.spent)).toBe("written");
    }
  };
  const spentIn = (period: number) => {
    const totals = new Map<string, number>();
    for (const { day, microusd } of calls)
      totals.set(day.slice(0, period), (totals.get(day.slice(0, period)) ?? 0) + microusd);
    return totals;
  };
  return { store, create, happen, spentIn, now: clock.now };
}

describe("the budget of an owner by day and month", () => {
  it("BR33 X6 is never exceeded by any order of calls, kills, ends and midnights", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("UTC", "Europe/Berlin", "Pacific/Auckland", "America/St_Johns"),
        fc.option(fc.integer({ min: 0, max: 1_500 })),
        fc.option(fc.integer({ min: 0, max: 4_000 })),
        fc.array(happening, { maxLength: 120 }),
        async (zone, day, month, happenings) => {
          if (day === null && month === null) return;
          const owner = await openOwner(zone, { day, month });
          const members = await Promise.all(Array.from({ length: 2 }, () => owner.create()));
          for (const one of happenings) {
            await owner.happen(members[one.run % members.length]!, one);
            for (const spent of owner.spentIn(10).values())
              if (day !== null) expect(spent).toBeLessThanOrEqual(day);
            for (const spent of owner.spentIn(7).values())
              if (month !== null) expect(spent).toBeLessThanOrEqual(month);
          }
          // What was reserved and not spent can be spent: the ledger ends at the real cost, or
          // above it where a call was under way at midnight.
          for (const member of members)
            if (!member.hasEnded)
              await owner.happen(member, { run: 0, kind: "end", cost: 1, share: 1, hours: 1 });
          const { monthMicrousd } = await owner.store.budgets.budget(ownerId);
          const real = owner.spentIn(7).get(dayIn(zone, owner.now()).slice(0, 7)) ?? 0;
          expect(monthMicrousd).toBeGreaterThanOrEqual(real);
        },
      ),
      { numRuns: sampleCount(1_500) },
    );
  });

  it("BR33 counts a call that is under way at midnight on both days", async () => {
    const owner = await openOwner("UTC", { day: 100, month: null });
    const run = await owner.create();
    const step = (kind: Happening["kind"], cost = 1, share = 0) => ({
      run: 0,
      kind,
      cost,
      share,
      hours: 24,
    });
    await owner.happen(run, step("call", 60));
    await owner.happen(run, step("sleep"));
    await owner.happen(run, step("side_call", 20));
    await owner.happen(run, step("settle"));
    await owner.happen(run, step("settle", 1, 1));
    for (let count = 0; count < 10; count++) {
      await owner.happen(run, step("call", 30));
      await owner.happen(run, step("settle", 1, 1));
    }
    expect([...owner.spentIn(10).values()]).toEqual([0, 80]);
  });

  it("BR33 is used up to the last microdollar when nothing is under way at midnight", async () => {
    const owner = await openOwner("UTC", { day: 100, month: null });
    const [one, two] = [await owner.create(), await owner.create()];
    const step = (kind: Happening["kind"], cost: number, share = 1) => ({
      run: 0,
      kind,
      cost,
      share,
      hours: 1,
    });
    await owner.happen(one, step("call", 90));
    await owner.happen(one, step("settle", 0, 0.5));
    await owner.happen(two, step("call", 20));
    expect(two.open).toEqual([]);
    await owner.happen(one, step("end", 0));
    await owner.happen(two, step("call", 55));
    expect(two.open).toHaveLength(1);
    expect((await owner.store.budgets.budget(ownerId)).dayMicrousd).toBe(100);
  });
});
