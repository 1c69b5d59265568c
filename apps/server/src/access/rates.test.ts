import { defaultRates } from "@bron/protocol";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createRates } from "./rates.ts";

/** The rate limit key of a request's address. */
async function keyOf(address: string, { behindProxy = true } = {}): Promise<string | undefined> {
  const keys: string[] = [];
  const runtime = {
    rates: {
      take: (turns: readonly { key: string }[]) => (
        keys.push(...turns.map(({ key }) => key)),
        Promise.resolve({ ok: true as const })
      ),
      refund: () => Promise.resolve(),
    },
  };
  const incoming = {
    headers: behindProxy ? { "x-forwarded-for": `198.51.100.1, ${address}` } : {},
    socket: { remoteAddress: address },
  } as unknown as IncomingMessage;
  await createRates({ runtime, settings: defaultRates, behindProxy }).take({
    name: "callback",
    ownerId: undefined,
    incoming,
  });
  return keys[0];
}

describe("the address of a rate limit", () => {
  it("BR10 omits the port that a proxy may add", async () => {
    const [v4, v6] = [await keyOf("203.0.113.7"), await keyOf("2001:db8::1")];
    for (const entry of ["203.0.113.7:1001", "203.0.113.7:65000", "[::ffff:203.0.113.7]:80"])
      expect(await keyOf(entry), entry).toBe(v4);
    for (const entry of ["[2001:db8::1]:443", "[2001:db8::1]", "[2001:DB8:0::1]:1"])
      expect(await keyOf(entry), entry).toBe(v6);
    expect(await keyOf("203.0.113.8:1001")).not.toBe(v4);
  });

  it("BR10 is the same for an entire /64, with and without a proxy", async () => {
    for (const behindProxy of [true, false]) {
      const first = await keyOf("2001:db8:1:2::1", { behindProxy });
      for (const neighbor of ["2001:db8:1:2:ffff::9", "2001:0db8:0001:0002:0:0:0:1"])
        expect(await keyOf(neighbor, { behindProxy }), neighbor).toBe(first);
      for (const stranger of ["2001:db8:1:3::1", "2001:db8::2:0:0:1", "203.0.113.7"])
        expect(await keyOf(stranger, { behindProxy }), stranger).not.toBe(first);
    }
  });
});
