import type { Runtime } from "@bron/runtime";
import type { ServerResponse } from "node:http";
import { ReadableStream } from "node:stream/web";
import type { On } from "../register-endpoint.ts";
import { exportRun } from "../export/run-export.ts";
import { exportThread } from "../export/thread-export.ts";

type OnProblem = (message: string, error: unknown) => void;

export function addArtifactRoutes(
  on: On,
  {
    runtime,
    onProblem,
  }: {
    readonly runtime: Pick<Runtime, "clientFor" | "openArtifact">;
    readonly onProblem: OnProblem;
  },
): void {
  on("GET /api/runs/:id/export", async ({ caller: { ownerId }, params, c }) => {
    const { run, bytes } = await exportRun(runtime, ownerId, params.id);
    return c.body(streamOf(bytes, c.env.outgoing, onProblem), 200, {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="bron-run-${run.id}.zip"`,
    });
  });

  on("GET /api/threads/:id/export", async ({ caller: { ownerId }, params, c }) => {
    const { thread, bytes } = await exportThread(runtime, ownerId, params.id);
    return c.body(streamOf(bytes, c.env.outgoing, onProblem), 200, {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="bron-thread-${thread.id}.zip"`,
    });
  });

  // Always a download, so that untrusted bytes never run in the page's origin. The header has no
  // name, so a link's `download` attribute sets it.
  on("GET /api/artifacts/:digest", async ({ caller: { ownerId }, params, c }) => {
    const { sizeBytes, chunks } = await runtime.openArtifact(ownerId, params.digest);
    return c.body(streamOf(chunks, c.env.outgoing, onProblem), 200, {
      "content-type": "application/octet-stream",
      "content-length": String(sizeBytes),
      "content-disposition": "attachment",
      "content-security-policy": "sandbox; default-src 'none'",
    });
  });
}

/** Reads a chunk only after the client has read the previous one. */
function streamOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  outgoing: ServerResponse,
  onProblem: OnProblem,
): globalThis.ReadableStream {
  return ReadableStream.from(
    destroyOnError(bytes, outgoing, onProblem),
  ) as globalThis.ReadableStream;
}

/**
 * After the first bytes it is too late for a problem. Destroys the connection, so that the client
 * does not mistake a truncated file for a complete one.
 */
async function* destroyOnError(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  outgoing: ServerResponse,
  onProblem: OnProblem,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* bytes;
  } catch (error) {
    onProblem("A download was cut off", error);
    outgoing.destroy();
  }
}
