import type { AuditView } from "@bron/protocol";
import { defaultTimes, type ClientTimes } from "./client-times.ts";
import {
  createConnection,
  fillPath,
  toQuery,
  unreachable,
  type ConnectionOptions,
} from "./connection.ts";
import { defaultNetwork, type Network } from "./network.ts";
import { readChunks } from "./read-chunks.ts";
import { readLines } from "./read-lines.ts";
import { subscribeToChanges } from "./subscribe-to-changes.ts";
import { subscribeToEvents } from "./subscribe-to-events.ts";
import type { Transport } from "./transport.ts";

export interface HttpTransportOptions extends ConnectionOptions {
  readonly times?: Partial<ClientTimes>;
  readonly network?: Network;
}

/** The server waits this long for the content. */
const uploadTimeoutMs = 5 * 60_000;

/**
 * Reaches a running server. Streams reconnect and resume. All methods throw only ClientError.
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const times = { ...defaultTimes, ...options.times };
  const network = options.network ?? defaultNetwork;
  const connection = createConnection(options, times);
  const { call } = connection;
  return {
    call,
    events: (runId, subscribe) =>
      subscribeToEvents({ connection, times, network }, runId, subscribe),
    changes: (subscribe) => subscribeToChanges({ connection, times, network }, subscribe),
    async *auditRows({ runId, what }) {
      const { body } = await connection.open(`/api/audit/export${toQuery({ runId, what })}`);
      try {
        if (body) yield* readLines<AuditView>(body);
      } catch (error) {
        throw unreachable(error);
      }
    },
    async upload({ filename, contentType, bytes }) {
      const { upload, token } = await call("POST /api/uploads/token", {
        body: { filename, contentType, sizeBytes: bytes.size },
      });
      await connection.json(
        `${fillPath("/api/uploads/:id", { id: upload.id })}${toQuery({ token })}`,
        { method: "PUT", bytes, responseTimeoutMs: uploadTimeoutMs },
      );
      return await call("POST /api/uploads/complete", { body: { uploadId: upload.id } });
    },
    async readArtifact(digest) {
      const response = await connection.open(fillPath("/api/artifacts/:digest", { digest }));
      try {
        return new Uint8Array(await response.arrayBuffer());
      } catch (error) {
        throw unreachable(error);
      }
    },
    async *exportThread(id) {
      const { body } = await connection.open(fillPath("/api/threads/:id/export", { id }));
      try {
        if (body) yield* readChunks(body);
      } catch (error) {
        throw unreachable(error);
      }
    },
  };
}
