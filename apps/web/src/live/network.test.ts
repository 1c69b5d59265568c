import { expect, it } from "vitest";
import { createNetwork } from "./network.ts";

function openHarness(hostname: string, { isOnline = true, isReachable = true } = {}) {
  const listeners = new Map<string, () => void>();
  const navigator = { onLine: isOnline };
  const network = createNetwork(
    { location: { hostname }, navigator, addEventListener: (...entry) => listeners.set(...entry) },
    () => Promise.resolve(isReachable),
  );
  const reported: boolean[] = [];
  const unsubscribe = network.onChange(() => reported.push(network.isOnline()));
  return {
    network,
    reported,
    unsubscribe,
    async report(name: "online" | "offline") {
      navigator.onLine = name === "online";
      listeners.get(name)?.();
      await Promise.resolve();
    },
  };
}

it("believes the browser about a server elsewhere", async () => {
  const { network, reported, report } = openHarness("bron.example");
  await report("offline");
  await report("offline");
  expect(network.isOnline()).toBe(false);
  await report("online");
  expect(reported).toEqual([false, true]);
});

it.each(["localhost", "127.0.0.1", "[::1]"])(
  "checks a server at %s before it believes the browser",
  async (hostname) => {
    const reachable = openHarness(hostname);
    await reachable.report("offline");
    expect(reachable.network.isOnline()).toBe(true);
    const gone = openHarness(hostname, { isReachable: false });
    await gone.report("offline");
    expect(gone.network.isOnline()).toBe(false);
  },
);

it("checks a local server at once if the page starts offline", async () => {
  const { network, reported } = openHarness("localhost", { isOnline: false });
  expect(network.isOnline()).toBe(false);
  await Promise.resolve();
  expect(reported).toEqual([true]);
});

it("stays online if the network is back before the check of a local server has failed", async () => {
  const { network, report } = openHarness("localhost", { isReachable: false });
  const lost = report("offline");
  await report("online");
  await lost;
  expect(network.isOnline()).toBe(true);
});

it("reports nothing after the subscription has ended", async () => {
  const { reported, report, unsubscribe } = openHarness("bron.example");
  unsubscribe();
  await report("offline");
  expect(reported).toEqual([]);
});
