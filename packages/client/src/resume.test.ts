import { describe, expect, it } from "vitest";
import { ClientError } from "./client-error.ts";
import { defaultTimes, waitBefore } from "./client-times.ts";
import type { Network } from "./network.ts";
import { keepTrying, type Attempt, type ConnectionState } from "./resume.ts";

const times = {
  ...defaultTimes,
  firstWaitMs: 1,
  maxWaitMs: 2,
  pollMs: 1,
  pollAfterMs: 60,
  streamAgainMs: 80,
  patienceMs: Number.POSITIVE_INFINITY,
};
const gone = () => new ClientError("server_unreachable", "No answer.");

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

/** Runs attempts until one says that it is done; notes what each was by, and what was told of the connection. */
async function follow(
  attempt: (attempt: Attempt, number: number) => "done" | "again",
  { network = fakeNetwork().network, signal = new AbortController().signal, changed = times } = {},
) {
  const told: ConnectionState[] = [];
  const by: string[] = [];
  const following = keepTrying(
    { times: changed, network, signal, onConnection: (state) => told.push(state) },
    // oxlint-disable-next-line require-yield
    async function* (one): AsyncGenerator<never, "done" | "again"> {
      by.push(one.by);
      return attempt(one, by.length);
    },
  );
  for await (const _ of following);
  return { told, by };
}

describe("resuming", () => {
  it("BR7 waits half a second at first and ten at most, never the same for all", () => {
    const waits = Array.from({ length: 12 }, (_, tries) =>
      Array.from({ length: 50 }, () => waitBefore(tries, defaultTimes)),
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

  it("BR7 says that it reconnects only when an attempt got no answer, and that it is live once one does", async () => {
    const { told } = await follow(
      ({ met }, number) => {
        if (number === 2 || number === 3) throw gone();
        met();
        return number === 5 ? "done" : "again";
      },
      { changed: { ...times, pollAfterMs: 60_000 } },
    );
    expect(told).toEqual(["reconnecting", "live"]);
  });

  it("BR7 asks for pages after a time without a stream, tries streams again, and goes back to them", async () => {
    const seen = { pages: 0, streamsAfter: 0 };
    const { told, by } = await follow(({ by: way, met }) => {
      if (way === "pages") seen.pages++;
      else if (seen.pages > 0) seen.streamsAfter++;
      if (way === "stream" && seen.streamsAfter < 2) throw gone();
      met();
      return way === "stream" ? "done" : "again";
    });
    expect(told).toEqual(["reconnecting", "polling", "reconnecting", "polling", "live"]);
    const firstPage = by.indexOf("pages");
    expect(by.slice(0, firstPage).every((way) => way === "stream")).toBe(true);
    expect(by.slice(firstPage, -1)).toContain("stream");
    expect(by.at(-1)).toBe("stream");
  });

  it("BR7 pauses while there is no network, and begins at once when there is one", async () => {
    const { network, set, listeners } = fakeNetwork();
    set(false);
    let attempts = 0;
    const following = follow(
      ({ met }) => {
        attempts++;
        met();
        return "done";
      },
      { network },
    );
    await expect.poll(() => listeners.size).toBe(1);
    expect(attempts).toBe(0);
    set(true);
    expect((await following).told).toEqual(["offline", "live"]);
    expect([attempts, listeners.size]).toEqual([1, 0]);
  });

  it("is pages for good where streams are refused, and for a while where there are too many", async () => {
    const refused = (status: number) =>
      new ClientError("rate_limited", "no", { details: { status } });
    const forGood = await follow(({ by, met }, number) => {
      if (by === "stream") throw refused(405);
      met();
      return number > 60 ? "done" : "again";
    });
    expect(forGood.by.filter((way) => way === "stream")).toHaveLength(1);
    const forAWhile = await follow(({ by, met }, number) => {
      if (by === "stream" && number === 1) throw refused(429);
      met();
      return by === "stream" ? "done" : "again";
    });
    expect(forAWhile.told).toEqual(["polling", "live"]);
  });

  it("gives up what waiting cannot mend, and after its patience", async () => {
    await expect(
      follow(() => {
        throw new ClientError("unauthenticated", "signed out");
      }),
    ).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(
      follow(
        () => {
          throw gone();
        },
        { changed: { ...times, patienceMs: 50 } },
      ),
    ).rejects.toMatchObject({ code: "server_unreachable" });
  });

  it("ends when it is told to, also while it waits for a network", async () => {
    const { network, set, listeners } = fakeNetwork();
    set(false);
    const leaving = new AbortController();
    const following = follow(() => "again", { network, signal: leaving.signal });
    await expect.poll(() => listeners.size).toBe(1);
    leaving.abort();
    expect((await following).by).toEqual([]);
    expect(listeners.size).toBe(0);
  });
});
