import { describe, expect, it } from "vitest";
import { limitStreams, type Locks } from "./stream-slots.ts";

const url = new URL("http://127.0.0.1/api/stream");
const stream = { headers: { accept: "text/event-stream" } };

/** The locks of one browser. */
function createLocks(): Locks {
  const held = new Set<string>();
  return {
    async request(name, _options, hold) {
      if (held.has(name)) return await hold(null);
      held.add(name);
      await hold({ name });
      held.delete(name);
    },
  };
}

/** A server whose streams stay open until they are ended, and the fetch of one tab. */
function openTab(locks: Locks | undefined) {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const fetch = limitStreams(
    (_url, init) =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (controller) => {
              controllers.push(controller);
              init.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
      ),
    locks,
  );
  return { fetch, controllers };
}

describe("the streams of a browser", () => {
  it("BR7 BR10 are limited to four in all tabs together, a fifth gets 429, other requests pass", async () => {
    const locks = createLocks();
    const tabs = [openTab(locks), openTab(locks), openTab(locks)];
    const statuses: number[] = [];
    for (const { fetch } of tabs)
      for (let times = 0; times < 2; times++) statuses.push((await fetch(url, stream)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await tabs[2]!.fetch(url, { headers: { accept: "application/json" } })).status).toBe(
      200,
    );
  });

  it.each(["aborted", "ended by the server", "canceled by the reader", "cut"])(
    "BR7 release their slot when they are %s",
    async (how) => {
      const { fetch, controllers } = openTab(createLocks());
      const leaving = new AbortController();
      const first = await fetch(url, { ...stream, signal: leaving.signal });
      expect(first.headers.get("content-type")).toBe("text/event-stream");
      for (let times = 0; times < 3; times++) await fetch(url, stream);
      expect((await fetch(url, stream)).status).toBe(429);
      const reader = first.body!.getReader();
      const read = reader.read().catch((error: unknown) => error);
      if (how === "aborted") leaving.abort();
      if (how === "ended by the server") controllers[0]!.close();
      if (how === "canceled by the reader") await reader.cancel();
      if (how === "cut") controllers[0]!.error(new TypeError("network error"));
      await read;
      await expect.poll(async () => (await fetch(url, stream)).status).toBe(200);
      expect((await fetch(url, stream)).status).toBe(429);
    },
  );

  it("BR7 release their slot when the server cannot be reached", async () => {
    const fetch = limitStreams(() => Promise.reject(new TypeError("fetch failed")), createLocks());
    for (let times = 0; times < 6; times++)
      await expect(fetch(url, stream)).rejects.toThrow("fetch failed");
  });

  it("BR7 are not limited where the browser has no locks", async () => {
    const { fetch } = openTab(undefined);
    for (let times = 0; times < 6; times++) expect((await fetch(url, stream)).status).toBe(200);
  });
});
