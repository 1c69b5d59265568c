import { describe, expect, it } from "vitest";
import { ClientError } from "./client-error.ts";
import { defaultTimes, backoffMs } from "./client-times.ts";
import type { Network } from "./network.ts";
import type { ConnectionState } from "./connection-health.ts";
import { withReconnect, type Attempt } from "./with-reconnect.ts";

const times = {
  ...defaultTimes,
  firstWaitMs: 1,
  maxWaitMs: 2,
  pollMs: 1,
  pollAfterMs: 60,
  retryStreamAfterMs: 80,
  giveUpAfterMs: Number.POSITIVE_INFINITY,
};
const unreachable = () => new ClientError("server_unreachable", "No response.");

function fakeNetwork() {
  const listeners = new Set<() => void>();
  let online = true;
  const network: Network = {
    isOnline: () => online,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    network,
    listeners,
    set(value: boolean) {
      online = value;
      for (const listener of listeners) listener();
    },
  };
}

/**
 * Runs attempts until one returns `done`. Records the mode of each attempt and the reported states.
 */
async function runAttempts(
  attempt: (attempt: Attempt, number: number) => "done" | "again",
  { network = fakeNetwork().network, signal = new AbortController().signal, changed = times } = {},
) {
  const reported: ConnectionState[] = [];
  const mode: string[] = [];
  const attempts = withReconnect(
    { times: changed, network, signal, onConnection: (state) => reported.push(state) },
    // oxlint-disable-next-line require-yield
    async function* (one): AsyncGenerator<never, "done" | "again"> {
      mode.push(one.mode);
      return attempt(one, mode.length);
    },
  );
  for await (const _ of attempts);
  return { reported, mode };
}

describe("reconnecting", () => {
  it("BR7 backs off from half a second to ten seconds, with jitter", () => {
    const waits = Array.from({ length: 12 }, (_, tries) =>
      Array.from({ length: 50 }, () => backoffMs(tries, defaultTimes)),
    );
    for (const [tries, some] of waits.entries()) {
      const most = Math.min(10_000, 500 * 2 ** tries);
      for (const wait of some)
        expect(wait, `try ${tries}`).toSatisfy((ms: number) => ms >= most / 2 && ms <= most);
      expect(new Set(some).size).toBeGreaterThan(10);
    }
    expect([
      defaultTimes.pollMs >= 2_000,
      defaultTimes.pollMs <= 5_000,
      defaultTimes.pollAfterMs >= 60_000,
      defaultTimes.pollAfterMs <= 120_000,
    ]).toEqual([true, true, true, true]);
  });

  it("BR7 reports reconnecting only after an attempt without a response, and live after the next response", async () => {
    const { reported } = await runAttempts(
      ({ connected }, number) => {
        if (number === 2 || number === 3) throw unreachable();
        connected();
        return number === 5 ? "done" : "again";
      },
      { changed: { ...times, pollAfterMs: 60_000 } },
    );
    expect(reported).toEqual(["reconnecting", "live"]);
  });

  it("BR7 polls after a time without a stream, retries streams, and returns to them", async () => {
    const seen = { pages: 0, streamsAfter: 0 };
    const { reported, mode } = await runAttempts(({ mode: way, connected }) => {
      if (way === "polling") seen.pages++;
      else if (seen.pages > 0) seen.streamsAfter++;
      if (way === "stream" && seen.streamsAfter < 2) throw unreachable();
      connected();
      return way === "stream" ? "done" : "again";
    });
    expect(reported).toEqual(["reconnecting", "polling", "reconnecting", "polling", "live"]);
    const firstPage = mode.indexOf("polling");
    expect(mode.slice(0, firstPage).every((way) => way === "stream")).toBe(true);
    expect(mode.slice(firstPage, -1)).toContain("stream");
    expect(mode.at(-1)).toBe("stream");
  });

  it("BR7 waits while offline, and starts as soon as the network is back", async () => {
    const { network, set, listeners } = fakeNetwork();
    set(false);
    let attempts = 0;
    const result = runAttempts(
      ({ connected }) => {
        attempts++;
        connected();
        return "done";
      },
      { network },
    );
    await expect.poll(() => listeners.size).toBe(1);
    expect(attempts).toBe(0);
    set(true);
    expect((await result).reported).toEqual(["offline", "live"]);
    expect([attempts, listeners.size]).toEqual([1, 0]);
  });

  it("polls forever if streams are not supported, and for a while if there are too many", async () => {
    const refused = (status: number) =>
      new ClientError("rate_limited", "no", { details: { status } });
    const forGood = await runAttempts(({ mode, connected }, number) => {
      if (mode === "stream") throw refused(405);
      connected();
      return number > 60 ? "done" : "again";
    });
    expect(forGood.mode.filter((way) => way === "stream")).toHaveLength(1);
    const forAWhile = await runAttempts(({ mode, connected }, number) => {
      if (mode === "stream" && number === 1) throw refused(429);
      connected();
      return mode === "stream" ? "done" : "again";
    });
    expect(forAWhile.reported).toEqual(["polling", "live"]);
  });

  it("throws errors that a retry cannot fix, and gives up after a time", async () => {
    await expect(
      runAttempts(() => {
        throw new ClientError("unauthenticated", "signed out");
      }),
    ).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(
      runAttempts(
        () => {
          throw unreachable();
        },
        { changed: { ...times, giveUpAfterMs: 50 } },
      ),
    ).rejects.toMatchObject({ code: "server_unreachable" });
  });

  it("ends when the signal aborts, even while offline", async () => {
    const { network, set, listeners } = fakeNetwork();
    set(false);
    const abort = new AbortController();
    const result = runAttempts(() => "again", { network, signal: abort.signal });
    await expect.poll(() => listeners.size).toBe(1);
    abort.abort();
    expect((await result).mode).toEqual([]);
    expect(listeners.size).toBe(0);
  });
});
