import { BronError } from "@bron/core";
import { defaultRates, type ApprovalOutcome } from "@bron/protocol";
import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { countApprovals } from "./approval-rate.ts";
import { createRates } from "./rates.ts";

/** Counted turns by the name of the rate limit. */
function memoryRates(approve: number, refused: number) {
  const counted = new Map<string, number>();
  const nameOf = (key: string) => key.split(":")[0] ?? "";
  const runtime = {
    rates: {
      take(turns: readonly { readonly key: string; readonly limit: number }[], count = 1) {
        if (turns.some(({ key, limit }) => (counted.get(nameOf(key)) ?? 0) + count > limit))
          return Promise.resolve({ ok: false as const, retryAfterMs: 1_000 });
        for (const { key } of turns)
          counted.set(nameOf(key), (counted.get(nameOf(key)) ?? 0) + count);
        return Promise.resolve({ ok: true as const });
      },
      refund(keys: readonly string[], count: number) {
        for (const key of keys) counted.set(nameOf(key), (counted.get(nameOf(key)) ?? 0) - count);
        return Promise.resolve();
      },
    },
  };
  const settings = {
    ...defaultRates,
    approve: { perUser: approve, perAddress: 0 },
    refusedDecision: { perUser: refused, perAddress: 0 },
  };
  const rates = createRates({ runtime, settings, behindProxy: false });
  const request = {
    name: "approve" as const,
    ownerId: "eva",
    incoming: { headers: {}, socket: {} } as IncomingMessage,
  };
  return {
    counted,
    decide: (decide: () => Promise<unknown>, count = 1) =>
      countApprovals(rates, { ...request, count }, decide),
  };
}

const wrong = () => Promise.reject(new BronError("digest_mismatch", "It changed."));
const right = () => Promise.resolve("decided");

it("BR10 refused decisions count against a separate limit, and valid ones still pass when it is used up", async () => {
  const { counted, decide } = memoryRates(2, 3);
  for (const code of ["digest_mismatch", "digest_mismatch", "digest_mismatch", "rate_limited"])
    await expect(decide(wrong)).rejects.toMatchObject({ code });
  expect(Object.fromEntries(counted)).toEqual({ approve: 0, refusedDecision: 3 });
  expect(await decide(right)).toBe("decided");
  expect(await decide(right)).toBe("decided");
  await expect(decide(right)).rejects.toMatchObject({ code: "rate_limited" });
});

it("BR10 a decision that failed in an outage counts, because it may have been made", async () => {
  const { counted, decide } = memoryRates(2, 3);
  await expect(
    decide(() => Promise.reject(new BronError("database_unreachable", "away"))),
  ).rejects.toMatchObject({ code: "database_unreachable" });
  expect(Object.fromEntries(counted)).toEqual({ approve: 1 });
});

it("BR10 a batch counts its decisions, and hides the reasons of refused ones above the limit", async () => {
  const { counted, decide } = memoryRates(5, 1);
  const refused: ApprovalOutcome = {
    id: "1",
    ok: false,
    error: { code: "digest_mismatch", message: "It changed." },
  };
  const done = { id: "2", ok: true } as ApprovalOutcome;
  expect(
    await decide(() => Promise.resolve({ approve: [refused, done], deny: [done] }), 3),
  ).toEqual({ approve: [refused, done], deny: [done] });
  expect(Object.fromEntries(counted)).toEqual({ approve: 2, refusedDecision: 1 });
  expect(
    await decide(() => Promise.resolve({ approve: [done], deny: [refused] }), 2),
  ).toMatchObject({ approve: [done], deny: [{ ok: false, error: { code: "rate_limited" } }] });
  expect(counted.get("approve")).toBe(3);
  // One more than the limit allows, so none of them is made.
  await expect(decide(() => expect.unreachable(), 3)).rejects.toMatchObject({
    code: "rate_limited",
  });
});
