import type { Client } from "@bron/client";
import type { EventView } from "@bron/protocol";
import { expect, it } from "vitest";
import { subscribeToRun } from "./run-feed.ts";
import type { FeedTabs } from "./shared-feed.ts";
import { createBrowser } from "./tabs.fixture.ts";

type Api = Pick<Client, "call" | "events">;

/** A server with one run. `append` commits events, and streams them if a tab has opened a stream. */
function createServer() {
  const log: EventView[] = [];
  let notify = Promise.withResolvers<void>();
  const opened = { streams: 0 };
  const api: Api = {
    call: (async (_: string, { query }: { readonly query: { readonly afterSeq: number } }) => ({
      events: log.filter(({ seq }) => seq > query.afterSeq),
      lastSeq: log.length,
    })) as unknown as Api["call"],
    async *events(_, { afterSeq = 0, signal } = {}) {
      opened.streams += 1;
      for (let cursor = afterSeq; signal?.aborted !== true;) {
        const next = log.find(({ seq }) => seq === cursor + 1);
        if (next) {
          cursor = next.seq;
          yield next;
          if (next.type === "status" && next.payload.status === "completed") return;
        } else
          await Promise.race([
            notify.promise,
            new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true })),
          ]);
      }
    },
  };
  const append = (type: "log" | "status", payload: unknown) => {
    log.push({ seq: log.length + 1, type, payload } as unknown as EventView);
    notify.resolve();
    notify = Promise.withResolvers();
  };
  return { api, append, opened };
}

function openTab(api: Api, tabs: FeedTabs | undefined) {
  const closed = new AbortController();
  const seen: number[] = [];
  const done = subscribeToRun({ api, tabs }, "r1", {
    signal: closed.signal,
    onEvent: ({ seq }) => seen.push(seq),
    onPartialText: () => undefined,
    onConnection: () => undefined,
  });
  return { seen, done, close: () => closed.abort() };
}

const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it("gives a second tab the whole log without a second stream", async () => {
  const server = createServer();
  const browser = createBrowser();
  server.append("status", { status: "running" });
  const first = openTab(server.api, browser.open());
  await settle();
  server.append("log", {});
  await settle();
  const second = openTab(server.api, browser.open());
  await settle();
  expect(second.seen).toEqual([1, 2]);
  server.append("log", {});
  await settle();
  expect([first.seen, second.seen]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(server.opened.streams).toBe(1);
  server.append("status", { status: "completed" });
  await Promise.all([first.done, second.done]);
  expect(second.seen).toEqual([1, 2, 3, 4]);
});

it("misses and repeats nothing when the tab that reads is closed", async () => {
  const server = createServer();
  const browser = createBrowser();
  server.append("status", { status: "running" });
  const [first, second] = [
    openTab(server.api, browser.open()),
    openTab(server.api, browser.open()),
  ];
  await settle();
  first.close();
  server.append("log", {});
  await first.done;
  await settle();
  server.append("log", {});
  server.append("status", { status: "completed" });
  await second.done;
  expect(second.seen).toEqual([1, 2, 3, 4]);
});

it("fetches what is missing before a later event", async () => {
  const server = createServer();
  let receive: ((event: { readonly data: unknown }) => void) | undefined;
  const tabs: FeedTabs = {
    // Another tab holds the lock for good.
    locks: {
      request: (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", resolve)),
    },
    openChannel: () => ({
      postMessage: () => undefined,
      addEventListener: (_, listener) => void (receive = listener),
      close: () => undefined,
    }),
  };
  server.append("status", { status: "running" });
  const tab = openTab(server.api, tabs);
  await settle();
  server.append("log", {});
  server.append("log", {});
  receive?.({ data: { item: { event: { seq: 3, type: "log", payload: {} } } } });
  await settle();
  expect(tab.seen).toEqual([1, 2, 3]);
  tab.close();
  await tab.done;
});
