// Tests the client against the real server. The client's package may not import the server.
import {
  type Client,
  ClientError,
  type HttpTransportOptions,
  createClient,
  httpTransport,
} from "@bron/client";
import { BronError } from "@bron/core";
import {
  defaultCaps,
  errorCodes,
  errorTable,
  type PartialText,
  type EventView,
  type RunEvent,
} from "@bron/protocol";
import { createServer as createHttpServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createServer, type ServerOptions } from "./create-server.ts";
import { listen } from "./listen.ts";
import {
  logEntry,
  openHarness,
  ownerId,
  runId,
  statusEntry,
  type RuntimeHarness,
} from "./runtime-harness.fixture.ts";
import { ownerHeader } from "../../../test/support/http/owner-header.ts";

type Fetch = NonNullable<HttpTransportOptions["fetch"]>;

const times = { firstWaitMs: 10, maxWaitMs: 50, pollMs: 20, giveUpAfterMs: 2_000 };
const entries = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => logEntry(from + index));
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("the client", () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const openRuntime: typeof openHarness = async (...input) => {
    const harness = await openHarness(...input);
    opened.push(harness.runtime);
    return harness;
  };
  const serve = async (
    { runtime }: Pick<RuntimeHarness, "runtime">,
    options: Partial<ServerOptions> = {},
  ) => {
    const server = await createServer({
      runtime,
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      graceMs: 100,
      ...options,
    });
    opened.push(server);
    return server;
  };
  const clientOf = (
    { runtime }: Pick<RuntimeHarness, "runtime">,
    url: HttpTransportOptions["url"],
    more: Partial<HttpTransportOptions> = {},
  ): Client =>
    createClient({
      transport: httpTransport({ url, authorize: () => ownerHeader(runtime), times, ...more }),
    });
  const getRun = (client: Client) => client.call("GET /api/runs/:id", { params: { id: runId } });
  /** The events so far, and a promise of the end. */
  const subscribe = (client: Client, options: Parameters<Client["events"]>[1] = {}) => {
    const events: EventView[] = [];
    const answers: PartialText[] = [];
    const said: string[] = [];
    const ended = (async () => {
      for await (const event of client.events(runId, {
        onPartialText: (answer) => answers.push(answer),
        onConnection: (state) => said.push(state),
        ...options,
      }))
        events.push(event);
    })();
    ended.catch(() => undefined);
    return { events, answers, said, ended, seqs: () => events.map(({ seq }) => seq) };
  };
  /** A fetch whose streams can be cut or refused at any moment. */
  const cuttable = () => {
    let knife = new AbortController();
    const cut = () => {
      knife.abort();
      knife = new AbortController();
    };
    const fetchOver: Fetch = async (url, init) =>
      await fetch(url, {
        ...init,
        signal: AbortSignal.any([knife.signal, ...(init.signal ? [init.signal] : [])]),
      });
    return { cut, fetch: fetchOver };
  };
  const answeringStreams =
    (answer: () => Response): Fetch =>
    async (url, init) =>
      url.pathname.endsWith("/stream") ? answer() : await fetch(url, init);

  it("sends the parameters, query, body and key of an endpoint, and returns its response", async () => {
    const asked: unknown[] = [];
    const echo = createHttpServer((request, response) => {
      const { method, url, headers } = request;
      request.setEncoding("utf8").once("data", (body) => asked.push(JSON.parse(body)));
      asked.push([method, url, headers["idempotency-key"]]);
      request.once("end", () =>
        method === "DELETE" ? response.writeHead(204).end() : response.end('{"ok":true}'),
      );
      request.resume();
    });
    opened.push(echo);
    const url = `http://127.0.0.1:${await listen(echo, "127.0.0.1", 0)}`;
    const { call } = clientOf(await openRuntime(), url);
    const body = { digest: "d", words: "shorter" };
    const params = { id: "a/b" };
    expect(await call("POST /api/approvals/:id/reply", { params, body })).toEqual({ ok: true });
    await call("POST /api/runs", { body: { prompt: "x" }, idempotencyKey: "k" });
    await call("POST /api/stop");
    await call("GET /api/brons", { query: { status: undefined } });
    await call("GET /api/usage", { query: { days: 7, zone: "Europe/Berlin" } });
    expect(await call("DELETE /api/tokens/:id", { params: { id: "t" } })).toBeUndefined();
    expect(asked).toEqual([
      ["POST", "/api/approvals/a%2Fb/reply", undefined],
      body,
      ["POST", "/api/runs", "k"],
      { prompt: "x" },
      ["POST", "/api/stop", undefined],
      {},
      ["GET", "/api/brons", undefined],
      ["GET", "/api/usage?days=7&zone=Europe%2FBerlin", undefined],
      ["DELETE", "/api/tokens/t", undefined],
    ]);
  });

  it("downloads a file", async () => {
    const harness = await openRuntime();
    const { digest } = await harness.store.artifacts.put({
      ownerId,
      runId,
      kind: "file",
      name: "a",
      mediaType: "text/plain",
      bytes: new Uint8Array([0, 255, 10]),
    });
    const client = clientOf(harness, (await serve(harness)).url);
    expect([...(await client.readArtifact(digest))]).toEqual([0, 255, 10]);
  });

  it("lists the requested number of runs, in pages", async () => {
    const harness = await openRuntime();
    for (let count = 0; count < 449; count++)
      await harness.store.runs.create({
        ownerId,
        input: { prompt: "task" },
        title: "task",
        caps: defaultCaps,
      });
    const all = await harness.store.runs.list(ownerId, { limit: 1_000 });
    expect(all).toHaveLength(450);
    const client = clientOf(harness, (await serve(harness)).url);
    expect(await client.list("GET /api/runs", { limit: 1_000 })).toEqual(all);
    expect(await client.list("GET /api/runs", { limit: 250 })).toEqual(all.slice(0, 250));
    expect(await client.list("GET /api/runs")).toEqual(all);
  });

  it("throws every public code as a BronError, like the library", async () => {
    const publicCodes = errorCodes.filter((code) => errorTable[code].public);
    const [thrown] = [{ code: publicCodes[0]! }];
    const get = () => Promise.reject(new BronError(thrown.code, `About ${thrown.code}.`));
    const harness = await openRuntime(undefined, {
      wrap: (store) => ({ ...store, runs: { ...store.runs, get } }),
    });
    const client = clientOf(harness, (await serve(harness)).url, {
      times: { ...times, firstWaitMs: 1 },
    });
    for (const code of publicCodes) {
      thrown.code = code;
      const error: unknown = await getRun(client).catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code,
        message: `About ${code}.`,
        hint: errorTable[code].hint,
        retryable: errorTable[code].retryable,
      });
      expect([BronError.is(error, code), ClientError.is(error, code)]).toEqual([true, true]);
    }
    thrown.code = "lease_lost";
    await expect(getRun(client)).rejects.toMatchObject({
      code: "internal",
      details: { reference: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
  });

  it("throws server_unreachable for an unreachable server and for another program", async () => {
    const dead = await serve(await openRuntime());
    await dead.close();
    await expect(getRun(clientOf(await openRuntime(), dead.url))).rejects.toMatchObject({
      code: "server_unreachable",
      message: "Can't reach Bron.",
    });
    for (const [status, body] of [
      [502, "<h1>Bad gateway</h1>"],
      [200, "<h1>Welcome</h1>"],
      [302, ""],
    ] as const) {
      const other = createHttpServer((_, response) =>
        response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(body),
      );
      opened.push(other);
      const port = await listen(other, "127.0.0.1", 0);
      const client = clientOf(await openRuntime(), `http://127.0.0.1:${port}`);
      const error: unknown = await getRun(client).catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: "server_unreachable",
        message: expect.not.stringContaining("h1"),
      });
    }
  });

  it("retries only requests that are safe to repeat", async () => {
    let asked = 0;
    const deaf = createHttpServer((request) => {
      asked++;
      request.socket.destroy();
    });
    opened.push(deaf);
    const client = clientOf(
      await openRuntime(),
      `http://127.0.0.1:${await listen(deaf, "127.0.0.1", 0)}`,
    );
    const body = { prompt: "x" };
    const tries = async (call: () => Promise<unknown>) => {
      asked = 0;
      await expect(call()).rejects.toMatchObject({ code: "server_unreachable" });
      return asked;
    };
    expect(await tries(() => getRun(client))).toBe(3);
    expect(await tries(() => client.call("POST /api/runs", { body, idempotencyKey: "k" }))).toBe(3);
    expect(await tries(() => client.call("POST /api/runs", { body }))).toBe(1);
    expect(await tries(() => client.call("POST /api/stop"))).toBe(1);
  });

  it("BR7 streams a run to its end, with its partial text", async () => {
    const harness = await openRuntime([statusEntry(1, "planning"), ...entries(2, 3)]);
    const { events, answers, ended, seqs, said } = subscribe(
      clientOf(harness, (await serve(harness)).url),
    );
    await expect.poll(seqs).toEqual([1, 2, 3]);
    await harness.setPartialText({ step: 1, attempt: 1, text: "So far" });
    await expect.poll(() => answers).toEqual([{ step: 1, attempt: 1, text: "So far" }]);
    await harness.append(logEntry(4), statusEntry(5, "completed"));
    await ended;
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(events[0]).toEqual(statusEntry(1, "planning"));
    expect(said).toEqual([]);
    const again = subscribe(clientOf(harness, (await serve(harness)).url), { afterSeq: 5 });
    await again.ended;
    expect(again.events).toEqual([]);
  });

  it(
    "BR7 loses and repeats no event through a hundred disconnects",
    { timeout: 30_000 },
    async () => {
      const harness = await openRuntime();
      const { cut, fetch: fetchOver } = cuttable();
      const { ended, seqs } = subscribe(
        clientOf(harness, (await serve(harness)).url, {
          fetch: fetchOver,
          times: { ...times, firstWaitMs: 1, maxWaitMs: 2 },
        }),
      );
      let seq = 1;
      for (let cuts = 0; cuts < 100; cuts++) {
        await harness.append(...entries(seq + 1, seq + 7));
        seq += 7;
        if (cuts % 3 === 0) await expect.poll(() => seqs().length, { interval: 1 }).toBe(seq);
        cut();
      }
      await harness.append(statusEntry(seq + 1, "completed"));
      await ended;
      expect(seqs()).toEqual(upTo(seq + 1));
    },
  );

  it("does not report a disconnect from which it resumes at once", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { cut, fetch: fetchOver } = cuttable();
    const { ended, seqs, said } = subscribe(
      clientOf(harness, (await serve(harness)).url, { fetch: fetchOver }),
    );
    await expect.poll(seqs).toEqual([1]);
    cut();
    await harness.append(statusEntry(2, "completed"));
    await ended;
    expect([seqs(), said]).toEqual([[1, 2], []]);
  });

  it("BR7 waits for a lost server, reports it once, and continues with its successor at another address", async () => {
    const harness = await openRuntime(entries(1, 2));
    const current = { server: await serve(harness), id: "s" };
    const client = clientOf(harness, () => current.server.url, {
      authorize: () => ownerHeader(harness.runtime, { serverId: current.id }),
    });
    const { ended, seqs, said } = subscribe(client);
    await expect.poll(seqs).toEqual([1, 2]);
    await current.server.close();
    await expect.poll(() => said).toEqual(["reconnecting"]);
    await harness.append(logEntry(3));
    Object.assign(current, { server: await serve(harness, { serverId: "s-2" }), id: "s-2" });
    await expect.poll(seqs).toEqual([1, 2, 3]);
    await harness.append(statusEntry(4, "completed"));
    await ended;
    expect(said).toEqual(["reconnecting", "live"]);
  });

  it("gives up after its timeout, with the reason", async () => {
    const harness = await openRuntime(entries(1, 1));
    const server = await serve(harness);
    const { ended, seqs, said } = subscribe(
      clientOf(harness, server.url, { times: { ...times, giveUpAfterMs: 150 } }),
    );
    await expect.poll(seqs).toEqual([1]);
    await server.close();
    await expect(ended).rejects.toMatchObject({ code: "server_unreachable" });
    expect(said).toEqual(["reconnecting"]);
  });

  it("throws permanent errors at once", async () => {
    const harness = await openRuntime(entries(1, 1));
    const { url } = await serve(harness);
    const all = async (events: AsyncIterable<EventView>) => {
      for await (const _ of events);
    };
    await expect(all(clientOf(harness, url).events("nobody"))).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(
      all(clientOf(harness, url, { authorize: () => "Bearer x" }).events(runId)),
    ).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("stops when a run waits for a person, unless it has already continued", async () => {
    const harness = await openRuntime([logEntry(1), statusEntry(2, "awaiting_confirmation")]);
    const { url } = await serve(harness);
    const first = subscribe(clientOf(harness, url), { untilParked: true, afterSeq: 2 });
    await expect.poll(() => harness.open.events).toBe(1);
    await harness.park(logEntry(3));
    await first.ended;
    expect(first.seqs()).toEqual([3]);
    const second = subscribe(clientOf(harness, url), { untilParked: true, afterSeq: 3 });
    await second.ended;
    expect(second.events).toEqual([]);
    await expect.poll(() => harness.open).toEqual({ events: 0, texts: 0 });
  });

  it("BR7 polls pages when streams are refused", async () => {
    const harness = await openRuntime(entries(1, 3));
    const { url } = await serve(harness);
    for (const refuse of [
      () => new Response("no", { status: 406 }),
      () => new Response("<h1>x</h1>", { headers: { "content-type": "text/html" } }),
    ]) {
      const { ended, seqs } = subscribe(
        clientOf(harness, url, { fetch: answeringStreams(refuse) }),
      );
      await expect.poll(() => seqs().length).toBeGreaterThanOrEqual(3);
      const { lastSeq } = await harness.runtime
        .clientFor(ownerId)
        .call("GET /api/runs/:id", { params: { id: runId } });
      if (lastSeq === 3) await harness.append(logEntry(4), statusEntry(5, "completed"));
      await ended;
      expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("treats a silent stream, or one with a gap, as disconnected", async () => {
    const harness = await openRuntime([logEntry(1), statusEntry(2, "completed")]);
    const { url } = await serve(harness);
    const frame = (event: RunEvent) =>
      `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    for (const text of [
      "retry: 1000\n\n",
      frame(logEntry(1)) + frame(logEntry(3)),
      frame(logEntry(1)) + frame(logEntry(1)),
      "event: log\ndata: {\n\n",
    ]) {
      let asked = 0;
      const broken = () =>
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
        });
      const once: Fetch = async (asking, init) =>
        asking.pathname.endsWith("/stream") && asked++ === 0
          ? new Response(broken(), { headers: { "content-type": "text/event-stream" } })
          : await fetch(asking, init);
      const { ended, seqs } = subscribe(
        clientOf(harness, url, { fetch: once, times: { ...times, silenceMs: 50 } }),
      );
      await ended;
      expect(seqs(), text).toEqual([1, 2]);
    }
  });

  it("releases everything when it is aborted, or when the caller stops reading", async () => {
    const harness = await openRuntime(entries(1, 3));
    const { url } = await serve(harness);
    const stop = new AbortController();
    const { ended, seqs } = subscribe(clientOf(harness, url), { signal: stop.signal });
    await expect.poll(seqs).toEqual([1, 2, 3]);
    stop.abort();
    await ended;
    for await (const { seq } of clientOf(harness, url).events(runId)) if (seq === 2) break;
    await expect.poll(() => harness.open).toEqual({ events: 0, texts: 0 });
    const early = subscribe(clientOf(harness, url), { signal: AbortSignal.abort() });
    await early.ended;
    expect(early.events).toEqual([]);
  });
});
