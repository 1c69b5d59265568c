import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createServer, defaultReaderMs, type BronServer } from "./create-server.ts";
import { fakeRuntime, runId, type FakeRuntime } from "./fake-runtime.fixture.ts";

const piece = new Uint8Array(64 * 1024);
const pieces = 1_000;

describe("a client that downloads many bytes", () => {
  let server: BronServer | undefined;
  afterEach(async () => await server?.close());

  /** 64 MB in chunks, and how many of them were read. */
  const serve = async (readerTimeoutMs: number, runs: Partial<FakeRuntime["runs"]> = {}) => {
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
    const runtime = fakeRuntime([], {
      artifacts: {
        open: () => Promise.resolve({ sizeBytes: pieces * piece.length, chunks: chunks() }),
        list: () => Promise.resolve([artifact]),
      },
      runs,
      approvals: { list: () => Promise.resolve([]) },
    });
    server = await createServer({
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      readerTimeoutMs,
      graceMs: 100,
    });
    return { seen, runtime };
  };
  const ask = (runtime: FakeRuntime, path: string): Promise<Socket> => {
    const port = server?.port ?? 0;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${runtime.token(["read"])}\r\n\r\n`,
    );
    return Promise.resolve(socket);
  };

  it.each(["/api/artifacts/sha256:a", `/api/runs/${runId}/export`])(
    "is disconnected if it reads nothing of %s, and the server reads only what fits the buffers",
    async (path) => {
      const { seen, runtime } = await serve(200);
      const socket = await ask(runtime, path);
      await expect.poll(() => seen.ended).toBe(1);
      expect(seen.read).toBeLessThan(pieces / 2);
      socket.destroy();
    },
  );

  it("gets 30 s by default", () => expect(defaultReaderMs).toBe(30_000));

  it("gets everything if it keeps reading", async () => {
    const { seen, runtime } = await serve(2_000);
    const response = await fetch(`${server?.url ?? ""}/api/artifacts/sha256:a`, {
      headers: { authorization: `Bearer ${runtime.token(["read"])}` },
    });
    expect(response.headers.get("content-length")).toBe(String(pieces * piece.length));
    expect((await response.arrayBuffer()).byteLength).toBe(pieces * piece.length);
    expect(seen).toEqual({ read: pieces, ended: 1 });
  });

  it("is not disconnected while it waits for a slow response", async () => {
    const answered = Promise.withResolvers<void>();
    const listing = Promise.withResolvers<void>();
    const { seen, runtime } = await serve(50, {
      list: async () => (listing.resolve(), await answered.promise, []),
    });
    const answer = fetch(`${server?.url ?? ""}/api/runs`, {
      headers: { authorization: `Bearer ${runtime.token(["read"])}` },
    });
    await listing.promise;
    // Three clients that read nothing are disconnected in turn, so the timeout has passed three times.
    for (const count of [1, 2, 3]) {
      const socket = await ask(runtime, "/api/artifacts/sha256:a");
      await expect.poll(() => seen.ended).toBe(count);
      socket.destroy();
    }
    answered.resolve();
    expect((await answer).status).toBe(200);
  });
});
