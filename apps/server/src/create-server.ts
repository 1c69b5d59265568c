import type { Sandbox } from "@bron/runtime";
import { getRequestListener, RequestError } from "@hono/node-server";
import { BronError } from "@bron/core";
import {
  defaultMaxStreams,
  defaultRates,
  type AboutView,
  type LocalServer,
  type RateSettings,
} from "@bron/protocol";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createFirebase, type FirebaseSettings } from "./access/firebase.ts";
import { createHosts } from "./access/hosts.ts";
import { addressOf, refuseBeyondLoopback } from "./access/loopback.ts";
import { createRates } from "./access/rates.ts";
import { signInLink } from "./access/sign-in-link.ts";
import { createApp, type ServedRuntime } from "./app.ts";
import type { Caller } from "./register-endpoint.ts";
import { listen } from "./listen.ts";
import type { Metrics } from "./operations/metrics.ts";
import { observeRequest, type RequestEntry } from "./operations/request-entry.ts";
import { problemOf } from "./problem.ts";
import { createRouteNames } from "./route-table.ts";
import { defaultStreamTimes, type StreamTimes } from "./stream/sse-response.ts";
import { createStreams } from "./stream/streams.ts";

export interface ServerOptions {
  readonly runtime: ServedRuntime;
  /** The owner of this machine, who signs in with a link. */
  readonly ownerId: string;
  /** A loopback name or address, unless `publicUrl` is set. */
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Returned by /healthz. */
  readonly serverId: string;
  /** Renders the page at `/` for the signed-in owner. */
  readonly renderHome?: () => Promise<string>;
  /** The response of /api/about. */
  readonly about?: AboutView;
  /** The sandbox, if there is one. */
  readonly demo?: Sandbox;
  /** Looks for model servers on this machine. Only the owner of this machine may ask for it. */
  readonly findLocalModels?: () => Promise<readonly LocalServer[]>;
  /** Folder of the built web app. Without it, `renderHome` renders `/`. */
  readonly webRoot?: string;
  readonly streams?: Partial<StreamTimes>;
  /** The URL under which a proxy serves this server to browsers. */
  readonly publicUrl?: URL;
  /** Lets users sign in with Firebase session cookies. Each user is an owner. */
  readonly firebase?: FirebaseSettings;
  readonly rates?: Partial<RateSettings>;
  /** Maximum open streams per owner. 0 means no limit. */
  readonly maxStreams?: number;
  /** Whether a proxy in front of the server reports the client's address. */
  readonly behindProxy?: boolean;
  /** Maximum model turns of a run that the agent API starts. */
  readonly maxAgentSteps?: number;
  readonly maxBodyBytes?: number;
  readonly bodyTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
  /** Shorter timeouts for slow clients, for tests. */
  readonly requests?: Partial<RequestTimes>;
  /**
   * A client that reads nothing of a pending response for this long is disconnected. Default: 30 s.
   */
  readonly readerTimeoutMs?: number;
  /** How long `close` waits for open requests. */
  readonly graceMs?: number;
  /** Called after each response, and for a stream when it ends. Must not throw. */
  readonly onRequest?: (entry: RequestEntry) => void;
  /** Omit to disable /metrics. */
  readonly metrics?: Metrics;
  /** Serves only health checks and /metrics. */
  readonly isWorker?: boolean;
  /**
   * Called with the error behind each `internal` problem, and the reference that the client got.
   */
  readonly onProblem?: (message: string, error: unknown) => void;
}

export interface BronServer {
  /** The URL for browsers. */
  readonly url: string;
  /** The port that the server listens on. */
  readonly port: number;
  /** Creates a link that signs in one browser, once, within ten minutes. */
  signInLink(): string;
  /** Stops accepting requests, ends streams, waits for open requests, then closes. Idempotent. */
  close(): Promise<void>;
}

const defaultAgentSteps = 8;
/** Timeouts of Node's HTTP server, in milliseconds. */
interface RequestTimes {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

export const defaultReaderMs = 30_000;
const defaultUploadMs = 5 * 60_000;

/**
 * Proxies and HTTP agents keep a connection for up to a minute. The server keeps it longer, so that
 * it does not close one that is about to carry a request.
 *
 * The request timeout is longer than those of bodies and uploads, so that these apply first. Node
 * checks connections every two seconds.
 */
const requestTimes: RequestTimes = {
  headersTimeout: 10_000,
  requestTimeout: defaultUploadMs + 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};

const unknownServer: AboutView = {
  version: "",
  demoMail: false,
  demoModel: false,
  model: "",
  suggestions: [],
};

const securityHeaders: ReadonlyMap<string, string> = new Map([
  ["cache-control", "no-store"],
  [
    "content-security-policy",
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
]);

/**
 * Starts the HTTP server of a runtime. The caller closes the runtime. Throws port_taken, or
 * config_invalid for a host beyond loopback without a `publicUrl`.
 */
export async function createServer(options: ServerOptions): Promise<BronServer> {
  const { runtime, ownerId, host, serverId, publicUrl, onProblem = () => undefined } = options;
  if (!publicUrl) refuseBeyondLoopback(host);
  const server = createHttpServer({ ...requestTimes, ...options.requests });
  const port = await listen(server, host, options.port);
  // A worker has no pages, so the public URL is not its own.
  const url = (options.isWorker === true ? undefined : publicUrl?.origin) ?? addressOf(host, port);
  const streams = createStreams({
    runtime,
    times: { ...defaultStreamTimes, ...options.streams },
    maxPerOwner: options.maxStreams ?? defaultMaxStreams,
  });
  const unsubscribe = runtime.onAccessEnded(streams.closeFor);
  const callers = new WeakMap<IncomingMessage, Caller>();
  const app = createApp({
    runtime,
    ownerId,
    serverId,
    port,
    hosts: createHosts(port, publicUrl),
    firebase: options.firebase && createFirebase(options.firebase),
    rates: createRates({
      runtime,
      settings: { ...defaultRates, ...options.rates },
      behindProxy: options.behindProxy ?? false,
    }),
    origin: url,
    limits: limitsOf(options),
    maxAgentSteps: options.maxAgentSteps ?? defaultAgentSteps,
    streams,
    demo: options.demo,
    findLocalModels: options.findLocalModels,
    renderHome: options.renderHome,
    webRoot: options.webRoot,
    about: options.about ?? unknownServer,
    onProblem,
    metrics: options.metrics,
    isWorker: options.isWorker ?? false,
    onCaller: (incoming, caller) => callers.set(incoming, caller),
  });
  const routeOf = createRouteNames(app.routes);
  const onRequest = (entry: RequestEntry) => {
    options.metrics?.request(entry);
    options.onRequest?.(entry);
  };
  const handle = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => respondToMalformed(error, onProblem),
  });
  const openResponses = new Set<ServerResponse>();
  cutStalledReaders(server, openResponses, options.readerTimeoutMs ?? defaultReaderMs);
  let closing: Promise<void> | undefined;
  // No request can be lost: nothing has yielded to the event loop since the port was opened.
  server.on("request", (incoming, outgoing) => {
    openResponses.add(outgoing);
    outgoing.once("close", () => openResponses.delete(outgoing));
    observeRequest({
      incoming,
      outgoing,
      routeOf,
      callerOf: (request) => callers.get(request),
      onRequest,
    });
    for (const [name, value] of securityHeaders) outgoing.setHeader(name, value);
    if (closing) outgoing.setHeader("connection", "close");
    void handle(incoming, outgoing);
  });
  return {
    url,
    port,
    signInLink: () => signInLink({ sign: runtime.sign, url, now: Date.now() }),
    close() {
      closing ??= drain(server, openResponses, options.graceMs ?? 5_000);
      unsubscribe();
      streams.closeAll("the server is closing");
      return closing;
    },
  };
}

function limitsOf({ maxBodyBytes, bodyTimeoutMs, uploadTimeoutMs }: ServerOptions) {
  return {
    maxBodyBytes: maxBodyBytes ?? 1024 * 1024,
    bodyTimeoutMs: bodyTimeoutMs ?? 10_000,
    uploadTimeoutMs: uploadTimeoutMs ?? defaultUploadMs,
  };
}

/** Input that is not a valid HTTP request. The app handles all other errors. */
function respondToMalformed(
  error: unknown,
  onProblem: NonNullable<ServerOptions["onProblem"]>,
): Response {
  const cause =
    error instanceof RequestError
      ? new BronError("invalid_input", "The request is malformed.", {
          cause: error,
        })
      : error;
  const problem = problemOf(cause, (reference, inner) =>
    onProblem(`A request failed (reference ${reference})`, inner),
  );
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { "content-type": "application/problem+json" },
  });
}

/**
 * Node restarts a connection's timer whenever bytes move. If bytes are waiting when it fires, the
 * client has read none of them in that time.
 */
function cutStalledReaders(
  server: Server,
  openResponses: ReadonlySet<ServerResponse>,
  timeoutMs: number,
): void {
  server.setTimeout(timeoutMs, (socket) => {
    const isAwaited = [...openResponses].some((outgoing) => outgoing.socket === socket);
    // A request that is still being processed has nothing to read yet.
    if (isAwaited && socket.writableLength === 0) socket.setTimeout(timeoutMs);
    else socket.destroy();
  });
}

/**
 * Closes each keep-alive connection as soon as it is idle, because it would keep the server open.
 */
async function drain(
  server: Server,
  openResponses: ReadonlySet<ServerResponse>,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const outgoing of openResponses) {
    if (!outgoing.headersSent) outgoing.setHeader("connection", "close");
    outgoing.once("close", () => server.closeIdleConnections());
  }
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}
