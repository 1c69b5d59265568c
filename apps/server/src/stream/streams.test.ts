import type { PartialText, RunChange, RunEvent, RunView } from "@bron/protocol";
import { request, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createServer, type ServerOptions } from "../create-server.ts";
import {
  logEntry,
  openHarness,
  ownerId,
  runId,
  statusEntry,
  type RuntimeHarness,
} from "../runtime-harness.fixture.ts";
import { sessionCookieName } from "../access/session-cookie.ts";
import { ask, json } from "../../../../test/support/http/ask.ts";
import { readStream, type StreamReader } from "../../../../test/support/http/read-stream.ts";
import { ownerHeader } from "../../../../test/support/http/owner-header.ts";
import { defaultStreamTimes } from "./sse-response.ts";
import { createStreams } from "./streams.ts";

const times = {
  heartbeatMs: 20_000,
  closeAfterMs: 900_000,
  stalledMs: 5_000,
  maxBufferedBytes: 1024 * 1024,
};
const entries = (from: number, to: number, message?: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => logEntry(from + index, message));
const range = (from: number, to: number) => entries(from, to).map(({ seq }) => seq);
const stepEnd = (seq: number, step: number): RunEvent => ({
  runId,
  seq,
  createdAt: "2026-11-15T12:00:00.000Z",
  type: "step",
  payload: { phase: "end", step, attempt: 1, finish: "stop", calls: [] },
});

/** A runtime whose changes the test reports. */
function withChanges(runtime: RuntimeHarness["runtime"]) {
  const listeners = new Set<Parameters<typeof runtime.changes.subscribe>[1]>();
  const changes: typeof runtime.changes = {
    subscribe(_ownerId, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    runtime: { ...runtime, changes },
    change: (one: RunChange) => listeners.forEach(({ onChange }) => onChange([one])),
    gap: () => listeners.forEach(({ onGap }) => onGap()),
  };
}

describe("streams", () => {
  const opened: { close(): Promise<void> }[] = [];
  const readers: StreamReader[] = [];
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.leave();
    await Promise.all(opened.splice(0).map((server) => server.close()));
  });
  const openRuntime: typeof openHarness = async (...input) => {
    const harness = await openHarness(...input);
    opened.push(harness.runtime);
    return harness;
  };
  const serve = async (
    { runtime }: Pick<RuntimeHarness, "runtime">,
    streams: NonNullable<ServerOptions["streams"]> = {},
    graceMs = 5_000,
  ) => {
    const server = await createServer({
      runtime,
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      streams,
      graceMs,
    });
    opened.push(server);
    const authorization = ownerHeader(runtime);
    const address = `${server.url}/api/runs/${runId}/stream`;
    return {
      server,
      status: async (path = "", headers = {}) =>
        (await ask(`${address}${path}`, { headers: { authorization, ...headers } })).status,
      read: async (options: { path?: string; headers?: object; paused?: boolean } = {}) => {
        const reader = await readStream(
          `${address}${options.path ?? ""}`,
          { authorization, ...options.headers },
          options,
        );
        readers.push(reader);
        return reader;
      },
    };
  };

  it("BR6 sends the log, then new events, and ends with the run", async () => {
    const harness = await openRuntime(entries(1, 3));
    const { read, status } = await serve(harness);
    const reader = await read();
    await reader.until(() => reader.seqs().length === 3);
    expect(reader.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(reader.frames[0]).toEqual({ retry: "1000" });
    expect(reader.frames[1]).toEqual({
      id: "1",
      event: "log",
      data: JSON.stringify({
        runId,
        seq: 1,
        createdAt: "2026-11-15T12:00:00.000Z",
        type: "log",
        payload: { level: "info", message: "entry 1" },
      }),
    });
    await harness.append(logEntry(4), statusEntry(5, "completed"));
    expect(await reader.ended).toBe(true);
    expect(reader.seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(reader.frames.at(-1)).toEqual({ comment: "the run is over" });
    // An EventSource reconnects after the end, until it gets a 204.
    expect(await status("", { "last-event-id": "5" })).toBe(204);
    expect(harness.open).toEqual({ events: 0, texts: 0 });
  });

  it("BR6 resumes from the header, which takes precedence over the query", async () => {
    const harness = await openRuntime(entries(1, 9));
    const { read, status } = await serve(harness);
    const [byHeader, byQuery] = [
      await read({ path: "?afterSeq=2", headers: { "last-event-id": "6" } }),
      await read({ path: "?afterSeq=7" }),
    ];
    await harness.append(statusEntry(10, "completed"));
    await Promise.all([byHeader.ended, byQuery.ended]);
    expect(byHeader.seqs()).toEqual([7, 8, 9, 10]);
    expect(byQuery.seqs()).toEqual([8, 9, 10]);
    for (const wrong of ["x", "-1", "1.5"])
      expect(await status("", { "last-event-id": wrong })).toBe(400);
  });

  it("sends no event twice and leaves no gap, whatever the subscription delivers", async () => {
    let give: (events: readonly RunEvent[]) => void = () => undefined;
    const { runtime } = await openRuntime();
    const subscribe: typeof runtime.logs.subscribe = (_owner, _id, { onEvents }) => {
      give = onEvents;
      return Promise.resolve(() => undefined);
    };
    const { read } = await serve({ runtime: { ...runtime, logs: { ...runtime.logs, subscribe } } });
    const reader = await read();
    await reader.until((frames) => frames.length === 1);
    give(entries(1, 3));
    give(entries(2, 4));
    give(entries(6, 7));
    expect(await reader.ended).toBe(true);
    expect(reader.seqs()).toEqual([1, 2, 3, 4]);
    expect(reader.frames.at(-1)?.comment).toBe("out of order");
  });

  it("encodes an event once and shares its bytes", async () => {
    const harness = await openRuntime([statusEntry(1, "planning"), logEntry(2)]);
    const streams = createStreams({ runtime: harness.runtime, times, maxPerOwner: 0 });
    const written = [0, 1, 2].map(() => {
      const bytes: unknown[] = [];
      const outgoing = {
        writableLength: 0,
        destroy: () => undefined,
        on: () => undefined,
        once: () => undefined,
        writeHead: () => undefined,
        write: (chunk: unknown) => bytes.push(chunk),
        end: (chunk: unknown) => bytes.push(chunk),
      };
      void streams.openRun({
        outgoing: outgoing as unknown as ServerResponse,
        caller: { ownerId, isStillValid: () => Promise.resolve(true) },
        runId,
        afterSeq: 2,
        lastSeq: 2,
      });
      return bytes;
    });
    const counts = () => written.map((chunks) => chunks.length);
    await expect.poll(() => harness.open).toEqual({ events: 3, texts: 1 });
    await expect.poll(counts).toEqual([1, 1, 1]);
    await harness.setPartialText({ step: 1, attempt: 1, text: "Well" });
    await expect.poll(counts).toEqual([2, 2, 2]);
    await harness.append(logEntry(3), statusEntry(4, "completed"));
    await expect.poll(counts).toEqual([5, 5, 5]);
    const [first = []] = written;
    expect(first.filter(Buffer.isBuffer)).toHaveLength(3);
    for (const other of written)
      expect(
        other.every((chunk, index) => (Buffer.isBuffer(chunk) ? chunk === first[index] : true)),
      ).toBe(true);
  });

  it("BR6 sends the partial text to a late reader, after the log and without an id", async () => {
    const harness = await openRuntime([statusEntry(1, "planning"), logEntry(2)]);
    const { read } = await serve(harness);
    const early = await read();
    await early.until((frames) => frames.some(({ id }) => id === "2"));
    await harness.setPartialText({ step: 1, attempt: 1, text: "It is" });
    await early.until((frames) => frames.some(({ event }) => event === "answer"));
    const late = await read();
    await late.until((frames) => frames.some(({ event }) => event === "answer"));
    expect(late.frames.map(({ id, event }) => id ?? event)).toEqual([
      undefined,
      "1",
      "2",
      "answer",
    ]);
    expect(late.frames.at(-1)).toEqual({
      event: "answer",
      data: JSON.stringify({ step: 1, attempt: 1, text: "It is" }),
    });
    expect(harness.open).toEqual({ events: 2, texts: 1 });
  });

  it("sends a fast partial text at most ten times a second, and not once it is in the log", async () => {
    const harness = await openRuntime();
    let write: (text: PartialText) => void = () => undefined;
    let latest: PartialText | undefined;
    const subscribe: RuntimeHarness["runtime"]["partialTexts"]["subscribe"] = (
      _o,
      _r,
      listener,
    ) => {
      write = (text) => listener((latest = text));
      if (latest) listener(latest);
      return Promise.resolve(() => undefined);
    };
    const { read } = await serve({ runtime: { ...harness.runtime, partialTexts: { subscribe } } });
    const reader = await read();
    await reader.until((frames) => frames.some(({ id }) => id === "1"));
    const shown = () =>
      reader.frames
        .filter(({ event }) => event === "answer")
        .map(({ data }) => (JSON.parse(data ?? "") as { text: string }).text);
    for (let words = 1; words <= 200; words++)
      write({ step: 1, attempt: 1, text: "x".repeat(words) });
    await reader.until(() => shown().at(-1)?.length === 200);
    expect(shown()).toHaveLength(2);
    await harness.append(stepEnd(2, 1));
    await reader.until(() => reader.seqs().at(-1) === 2);
    write({ step: 1, attempt: 1, text: "much too late".repeat(50) });
    write({ step: 2, attempt: 1, text: "next" });
    await reader.until(() => shown().at(-1) === "next");
    expect(shown()).toHaveLength(3);
    const late = await read({ path: "?afterSeq=2" });
    await late.until((frames) => frames.length === 2);
    expect(late.frames[1]?.data).toContain("next");
  });

  it("keeps a quiet stream alive, and closes an old one so that the reader resumes", async () => {
    const heartbeatRunning = await (
      await serve(await openRuntime(), { heartbeatMs: 20, closeAfterMs: 60_000 })
    ).read();
    await heartbeatRunning.until(
      (frames) => frames.filter(({ comment }) => comment === "").length > 2,
    );
    const { read } = await serve(await openRuntime(), {
      heartbeatMs: 60_000,
      closeAfterMs: 200,
    });
    const reader = await read();
    expect(await reader.ended).toBe(true);
    expect(reader.frames.at(-1)).toEqual({ comment: "closed after its time limit" });
  });

  it("disconnects a stalled reader, which loses nothing when it resumes", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { read } = await serve(harness, { stalledMs: 200, maxBufferedBytes: 100_000 });
    const slow = await read({ paused: true });
    await expect.poll(() => harness.open).toEqual({ events: 1, texts: 1 });
    // More than the kernel buffers on both ends can hold.
    await harness.append(...entries(2, 2_000, "y".repeat(10_000)));
    await expect.poll(() => harness.open, { timeout: 10_000 }).toEqual({ events: 0, texts: 0 });
    slow.go();
    expect(await slow.ended).toBe(false);
    const seen = slow.seqs();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(2_000);
    await harness.append(statusEntry(2_001, "completed"));
    const resumed = await read({ headers: { "last-event-id": String(seen.at(-1)) } });
    expect(await resumed.ended).toBe(true);
    expect([...seen, ...resumed.seqs()]).toEqual(range(1, 2_001));
  });

  it("sends a log that exceeds every buffer to a reader that keeps reading", async () => {
    const harness = await openRuntime([
      ...entries(1, 2_000, "z".repeat(5_000)),
      statusEntry(2_001, "completed"),
    ]);
    const { read } = await serve(harness, { maxBufferedBytes: 100_000 });
    const reader = await read();
    expect(await reader.ended).toBe(true);
    expect(reader.seqs()).toEqual(range(1, 2_001));
  });

  it("releases everything when the reader disconnects", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { read } = await serve(harness);
    const reader = await read();
    await reader.until((frames) => frames.length > 1);
    reader.leave();
    await expect.poll(() => harness.open).toEqual({ events: 0, texts: 0 });
  });

  it("opens nothing for a reader that disconnected before it got a slot", async () => {
    const reached = Promise.withResolvers<void>();
    const letIn = Promise.withResolvers<RunView>();
    const get = () => {
      reached.resolve();
      return letIn.promise;
    };
    const harness = await openRuntime(undefined, {
      wrap: (store) => ({ ...store, runs: { ...store.runs, get } }),
    });
    const { server } = await serve(harness);
    const sent = request(`${server.url}/api/runs/${runId}/stream`, {
      headers: { authorization: ownerHeader(harness.runtime) },
      agent: false,
    });
    sent.on("error", () => undefined).end();
    await reached.promise;
    sent.destroy();
    // Once another request has a response, the server has closed the reader's connection too.
    await ask(`${server.url}/healthz`);
    letIn.resolve({ id: runId, status: "executing", lastSeq: 1 } as RunView);
    await ask(`${server.url}/healthz`);
    expect(harness.open).toEqual({ events: 0, texts: 0 });
  });

  it("ends with a comment when the server closes", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { read, server } = await serve(harness, {}, 120_000);
    const reader = await read();
    await reader.until((frames) => frames.length > 1);
    // The connection of this request would be kept alive.
    const kept = await fetch(`${server.url}/api/runs/${runId}/stream`, {
      headers: { authorization: ownerHeader(harness.runtime) },
    });
    // Closes without waiting for the grace period, which is longer than the timeout of this test.
    await server.close();
    expect(await kept.text()).toContain("the server is closing");
    expect(await reader.ended).toBe(true);
    expect(reader.frames.at(-1)).toEqual({ comment: "the server is closing" });
    expect(harness.open).toEqual({ events: 0, texts: 0 });
  });

  it("ends only for the browser that signs out", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { read, server } = await serve(harness);
    const port = new URL(server.url).port;
    const cookieName = sessionCookieName(Number(port));
    const cookies = [
      `${cookieName}=${await harness.session()}`,
      `${cookieName}=${await harness.session()}`,
    ];
    const terminal = await read();
    const [leaving, staying] = await Promise.all(
      cookies.map((cookie) => readStream(`${server.url}/api/runs/${runId}/stream`, { cookie })),
    );
    readers.push(leaving!, staying!);
    await Promise.all(
      [terminal, leaving!, staying!].map((reader) => reader.until((frames) => frames.length > 1)),
    );
    await ask(`${server.url}/sign-out`, {
      method: "POST",
      headers: { ...json, cookie: cookies[0] },
      body: "{}",
    });
    expect(await leaving!.ended).toBe(true);
    expect(leaving!.frames.at(-1)).toEqual({ comment: "signed out" });
    await harness.append(logEntry(2));
    for (const reader of [terminal, staying!]) await reader.until(() => reader.seqs().at(-1) === 2);
    expect(harness.open.events).toBe(2);
  });

  it("responds to HEAD without opening a stream, and with 404 for an unknown run", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { server, status } = await serve(harness);
    const headers = { authorization: ownerHeader(harness.runtime) };
    expect(
      (await ask(`${server.url}/api/runs/${runId}/stream`, { method: "HEAD", headers })).status,
    ).toBe(200);
    expect((await ask(`${server.url}/api/runs/nobody/stream`, { headers })).status).toBe(404);
    expect(await status("?afterSeq=x")).toBe(400);
    expect(harness.open).toEqual({ events: 0, texts: 0 });
  });

  it("BR6 keeps only the last state of each run for a slow list reader, and slows no other reader", async () => {
    const { runtime, change } = withChanges((await openRuntime()).runtime);
    const { server } = await serve({ runtime }, { stalledMs: 5_000, maxBufferedBytes: 10_000 });
    const headers = { authorization: ownerHeader(runtime) };
    const [slow, quick] = [
      await readStream(`${server.url}/api/stream`, headers, { paused: true }),
      await readStream(`${server.url}/api/stream`, headers),
    ];
    readers.push(slow, quick);
    await quick.until((frames) => frames.some(({ event }) => event === "reset"));
    const changes = 3_000;
    const of = (reader: StreamReader) =>
      reader.frames.flatMap(({ event, data }) =>
        event === "run"
          ? [(JSON.parse(data ?? "{}") as { run: { id: string; lastSeq: number } }).run]
          : [],
      );
    const run = await runtime
      .clientFor(ownerId)
      .call("GET /api/runs/:id", { params: { id: runId } });
    for (let seq = 1; seq <= changes; seq++) {
      change({
        run: { ...run, id: `run-${seq % 3}`, lastSeq: seq, prompt: "y".repeat(5_000) },
        pendingApprovals: 0,
      });
      if (seq % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    // Kept changes are in the order in which their runs first fell behind.
    const isLast = (frames: readonly { data?: string }[]) =>
      [changes, changes - 1, changes - 2].every((seq) =>
        frames.slice(-3).some(({ data }) => data?.includes(`"lastSeq":${seq},`) === true),
      );
    await quick.until(isLast);
    slow.go();
    await slow.until(isLast);
    expect(of(slow).length).toBeLessThan(changes);
    for (const name of ["run-0", "run-1", "run-2"])
      expect(of(slow).findLast(({ id }) => id === name)).toEqual(
        of(quick).findLast(({ id }) => id === name),
      );
  });

  it("BR6 asks a list reader to reload when changes may have been missed", async () => {
    const { runtime, gap } = withChanges((await openRuntime()).runtime);
    const { server } = await serve({ runtime });
    const reader = await readStream(`${server.url}/api/stream`, {
      authorization: ownerHeader(runtime),
    });
    readers.push(reader);
    const resets = () => reader.frames.filter(({ event }) => event === "reset").length;
    await reader.until(() => resets() === 1);
    gap();
    await reader.until(() => resets() === 2);
  });

  it("BR6 sends a heartbeat every 15 to 30 s and closes after 15 minutes by default", () => {
    expect(defaultStreamTimes.heartbeatMs).toBeGreaterThanOrEqual(15_000);
    expect(defaultStreamTimes.heartbeatMs).toBeLessThanOrEqual(30_000);
    expect(defaultStreamTimes.closeAfterMs).toBe(15 * 60_000);
  });

  it("BR6 releases the slot of a reader that disconnected before it got in", async () => {
    const asked = Promise.withResolvers<void>();
    const letIn = Promise.withResolvers<void>();
    const slot = { given: 0 };
    const harness = await openRuntime();
    const take = async () => (asked.resolve(), await letIn.promise, () => void slot.given++);
    const { server } = await serve({ runtime: { ...harness.runtime, streamSlots: { take } } });
    const sent = request(`${server.url}/api/runs/${runId}/stream`, {
      headers: { authorization: ownerHeader(harness.runtime) },
      agent: false,
    });
    sent.on("error", () => undefined).end();
    await asked.promise;
    sent.destroy();
    // Once another request has a response, the server has closed the reader's connection too.
    await ask(`${server.url}/healthz`);
    letIn.resolve();
    await expect.poll(() => slot.given).toBe(1);
    expect(harness.open).toEqual({ events: 0, texts: 0 });
  });

  it("BR6 releases a slot however a stream ends", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { read } = await serve(harness);
    const reader = await read();
    await reader.until((frames) => frames.length > 1);
    expect(harness.slotCount()).toBe(1);
    reader.leave();
    await expect.poll(harness.slotCount).toBe(0);
    const other = await read();
    await harness.append(statusEntry(2, "completed"));
    await other.ended;
    await expect.poll(harness.slotCount).toBe(0);
  });
});
