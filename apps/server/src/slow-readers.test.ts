import type { Store } from "@bron/core";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createServer, defaultReaderMs, type BronServer } from "./create-server.ts";
import { openHarness, runId, type RuntimeHarness } from "./runtime-harness.fixture.ts";

const piece = new Uint8Array(64 * 1024);
const pieces = 1_000;

describe("a client that downloads many bytes", () => {
  let server: BronServer | undefined;
  let harness: RuntimeHarness | undefined;
  afterEach(async () => {
    await server?.close();
    await harness?.runtime.close();
  });

  /** 64 MB in chunks, and how many of them were read. */
  const serve = async (readerTimeoutMs: number, runs: Partial<Store["runs"]> = {}) => {
    const seen = { read: 0, ended: 0 };
    const chunks = async function* () {
      try {
        for (let at = 0; at < pieces; at++) {
          seen.read++;
          yield piece;
        }
      } finally {
        seen.ended++;
      }
    };
    const artifact = {
      id: runId,
      runId,
      kind: "file",
      name: "a",
      mediaType: "text/plain",
      digest: "sha256:a",
      sizeBytes: pieces * piece.length,
      data: null,
      createdAt: "2026-11-15T12:00:00.000Z",
    };
    const artifacts = {
      open: () => Promise.resolve({ sizeBytes: pieces * piece.length, chunks: chunks() }),
      list: () => Promise.resolve([artifact]),
    };
    harness = await openHarness(undefined, {
      wrap: (store) => ({
        ...store,
        artifacts: { ...store.artifacts, ...artifacts },
        runs: { ...store.runs, ...runs },
      }),
    });
    server = await createServer({
      runtime: harness.runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      readerTimeoutMs,
      graceMs: 100,
    });
    return { seen, token: await harness.token(["read"]) };
  };
  const ask = (token: string, path: string): Socket => {
    const port = server?.port ?? 0;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
    return socket;
  };

  it.each(["/api/artifacts/sha256:a", `/api/runs/${runId}/export`])(
    "is disconnected if it reads nothing of %s, and the server reads only what fits the buffers",
    async (path) => {
      const { seen, token } = await serve(200);
      const socket = ask(token, path);
      await expect.poll(() => seen.ended).toBe(1);
      expect(seen.read).toBeLessThan(pieces / 2);
      socket.destroy();
    },
  );

  it("gets 30 s by default", () => expect(defaultReaderMs).toBe(30_000));

  it("gets everything if it keeps reading", async () => {
    const { seen, token } = await serve(2_000);
    const response = await fetch(`${server?.url ?? ""}/api/artifacts/sha256:a`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.headers.get("content-length")).toBe(String(pieces * piece.length));
    expect((await response.arrayBuffer()).byteLength).toBe(pieces * piece.length);
    expect(seen).toEqual({ read: pieces, ended: 1 });
  });

  it("is not disconnected while it waits for a slow response", async () => {
    const answered = Promise.withResolvers<void>();
    const listing = Promise.withResolvers<void>();
    const { seen, token } = await serve(50, {
      list: async () => (listing.resolve(), await answered.promise, []),
    });
    const answer = fetch(`${server?.url ?? ""}/api/runs`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await listing.promise;
    // Three clients that read nothing are disconnected in turn, so the timeout has passed three times.
    for (const count of [1, 2, 3]) {
      const socket = ask(token, "/api/artifacts/sha256:a");
      await expect.poll(() => seen.ended).toBe(count);
      socket.destroy();
    }
    answered.resolve();
    expect((await answer).status).toBe(200);
  });
});
