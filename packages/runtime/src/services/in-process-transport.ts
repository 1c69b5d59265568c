import type { Change, Transport } from "@bron/client";
import { BronError } from "@bron/core";
import { api, type ApiKey, type ApiQueryInput, type Endpoint } from "@bron/protocol";
import type { Runtime } from "../runtime.ts";
import { parseInput } from "../parse-input.ts";
import { createQueue } from "../queue.ts";
import { Created, requireScope, type ServiceCaller, type ServiceRequest } from "./service.ts";
import { callService, type ServiceKey, type Services } from "./services.ts";

interface InProcessDeps {
  readonly runtime: Pick<
    Runtime,
    "changes" | "logs" | "openArtifact" | "partialTexts" | "receiveUpload" | "viewOf"
  >;
  readonly services: Services;
  readonly caller: ServiceCaller;
  /** Creates the zip of a thread. Without it, `exportThread` throws not_found. */
  readonly exportThread?: (threadId: string) => AsyncGenerator<Uint8Array, void>;
}

const auditPageSize = 200;

interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** Lets a client call the services in its own process. All methods throw only BronError. */
export function inProcessTransport({
  runtime,
  services,
  caller,
  exportThread = notInProcess,
}: InProcessDeps): Transport {
  const { ownerId } = caller;
  const call: Transport["call"] = async (key, ...[options]) => {
    if (!isServiceKey(services, key))
      throw new BronError("not_found", `${key} is available over HTTP only.`);
    const response = await callService(services, key, requestOf(key, caller, options ?? {}));
    return response instanceof Created ? response.body : response;
  };
  return {
    call,
    async *events(runId, { onPartialText, onConnection: _, ...options } = {}) {
      requireScope("read", caller);
      const unsubscribe = onPartialText
        ? await runtime.partialTexts.subscribe(ownerId, runId, onPartialText)
        : () => undefined;
      try {
        for await (const event of runtime.logs.events(ownerId, runId, options))
          yield runtime.viewOf(event);
      } finally {
        unsubscribe();
      }
    },
    async *changes({ signal }) {
      requireScope("read", caller);
      const queue = createQueue<Change>(signal);
      const unsubscribe = runtime.changes.subscribe(ownerId, {
        onChange: (changes) => {
          queue.push(changes.map((change) => ({ kind: "run", change })));
        },
        onGap: () => queue.push([{ kind: "reset" }]),
      });
      try {
        for (; !signal.aborted; await queue.filled()) yield* queue.take();
      } finally {
        unsubscribe();
        queue.close();
      }
    },
    async *auditRows(options) {
      let before: number | undefined;
      do {
        const query: ApiQueryInput<"GET /api/audit"> = { ...options, before, limit: auditPageSize };
        const { audit, next } = await call("GET /api/audit", { query });
        yield* audit;
        before = next ?? undefined;
      } while (before !== undefined);
    },
    async upload({ filename, contentType, bytes }) {
      const { upload, token } = await call("POST /api/uploads/token", {
        body: { filename, contentType, sizeBytes: bytes.size },
      });
      await runtime.receiveUpload(upload.id, token, chunksOf(bytes));
      return await call("POST /api/uploads/complete", { body: { uploadId: upload.id } });
    },
    async readArtifact(digest) {
      requireScope("read", caller);
      const { chunks } = await runtime.openArtifact(ownerId, digest);
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      return new Uint8Array(Buffer.concat(parts));
    },
    exportThread,
  };
}

function notInProcess(): never {
  throw new BronError("not_found", "Threads are exported over HTTP only.");
}

function isServiceKey(services: Services, key: ApiKey): key is ServiceKey {
  return Object.hasOwn(services, key);
}

/** Checks scopes and validates a request, as the server does. */
function requestOf<K extends ServiceKey>(
  key: K,
  caller: ServiceCaller,
  { params = {}, query = {}, body = {}, idempotencyKey }: CallInput,
): ServiceRequest<K> {
  const endpoint: Endpoint = api[key];
  if (endpoint.scope !== "open") requireScope(endpoint.scope, caller);
  if (endpoint.alsoScope !== undefined) requireScope(endpoint.alsoScope, caller);
  const request = {
    caller,
    params,
    query: endpoint.query ? parseInput(endpoint.query, query) : {},
    body: endpoint.body ? parseInput(endpoint.body, body) : undefined,
    idempotencyKey,
  };
  return request as unknown as ServiceRequest<K>;
}

async function* chunksOf(bytes: Blob): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes.stream()) yield chunk;
}
