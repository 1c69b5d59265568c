import { getRequestListener, RequestError } from "@hono/node-server";
import { BronError } from "@bron/core";
import { defaultMaxStreams, defaultRates, type AboutView, type RateSettings } from "@bron/protocol";
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
import { watchRequest, type RequestEntry } from "./operations/request-entry.ts";
import { problemOf } from "./problem.ts";
import { createRouteNames } from "./route-table.ts";
import type { Sandbox } from "./routes/demo.ts";
import { defaultStreamTimes, type StreamTimes } from "./stream/sse-response.ts";
import { createStreams } from "./stream/streams.ts";

export interface ServerOptions {
  readonly runtime: ServedRuntime;
  /** Of this machine: whoever uses a sign-in link. */
  readonly ownerId: string;
  /** A loopback name or address, unless there is a public address. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Told by /healthz. */
  readonly serverId: string;
  /** The page under `/`, for the signed-in owner. */
  readonly renderHome?: () => Promise<string>;
  /** What the page is told of this Bron. */
  readonly about?: AboutView;
  /** The simulated outside, if this Bron has one. */
  readonly demo?: Sandbox;
  /** The folder of the built page; without it `/` is what `renderHome` gives. */
  readonly webRoot?: string;
  readonly streams?: Partial<StreamTimes>;
  /** The address under which a proxy serves this server to browsers. */
  readonly publicUrl?: URL;
  /** Its owners sign in elsewhere, and bring Firebase's session cookies. */
  readonly firebase?: FirebaseSettings;
  readonly rates?: Partial<RateSettings>;
  /** Open streams of one owner at once; 0 for no limit. */
  readonly maxStreams?: number;
  /** Whether a proxy in front says where requests come from. */
  readonly behindProxy?: boolean;
  /** Model turns of a run that the agent runtime's routes begin. */
  readonly maxAgentSteps?: number;
  readonly maxBodyBytes?: number;
  readonly bodyTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
  /** For tests: shorter patience with slow clients. */
  readonly requests?: Partial<RequestTimes>;
  /** A reader that takes nothing for so long of what waits for it is cut off; 30 s unless set. */
  readonly readerTimeoutMs?: number;
  /** How long `close` waits for requests under way. */
  readonly graceMs?: number;
  /** Told of each request once it is answered; a stream when it ends. Must not throw. */
  readonly onRequest?: (entry: RequestEntry) => void;
  /** What `/metrics` answers with; without it there is nothing there. */
  readonly metrics?: Metrics;
  /** Serves the probes and `/metrics`, and nothing else. */
  readonly isWorker?: boolean;
  /** What became an `internal` problem, with the reference that the client got. */
  readonly onProblem?: (message: string, error: unknown) => void;
}

export interface BronServer {
  /** As browsers name it. */
  readonly url: string;
  /** The one that is listened on. */
  readonly port: number;
  /** Signs in one browser, once, within ten minutes. */
  signInLink(): string;
  /** Stops accepting, ends streams, lets requests under way finish, then closes. Idempotent. */
  close(): Promise<void>;
}

const defaultAgentSteps = 8;
/** As Node's HTTP server names them, in milliseconds. */
interface RequestTimes {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

export const defaultReaderMs = 30_000;
const defaultUploadMs = 5 * 60_000;

/** Slow clients: the limits of bodies and uploads come before the request's, and connections are looked at every two seconds. */
const requestTimes: RequestTimes = {
  headersTimeout: 10_000,
  requestTimeout: defaultUploadMs + 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
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

/** The HTTP door over a Bron that stays the caller's to close. Throws config_invalid beyond loopback, and port_taken. */
export async function createServer(options: ServerOptions): Promise<BronServer> {
  const { runtime, ownerId, host, serverId, publicUrl, onProblem = () => undefined } = options;
  if (!publicUrl) refuseBeyondLoopback(host);
  const server = createHttpServer({ ...requestTimes, ...options.requests });
  const port = await listen(server, host, options.port);
  // The public address is that of the page, which a worker does not have.
  const url = (options.isWorker === true ? undefined : publicUrl?.origin) ?? addressOf(host, port);
  const streams = createStreams({
    runtime,
    times: { ...defaultStreamTimes, ...options.streams },
    maxPerOwner: options.maxStreams ?? defaultMaxStreams,
  });
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
    limits: {
      maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
      bodyTimeoutMs: options.bodyTimeoutMs ?? 10_000,
      uploadTimeoutMs: options.uploadTimeoutMs ?? defaultUploadMs,
    },
    maxAgentSteps: options.maxAgentSteps ?? defaultAgentSteps,
    streams,
    demo: options.demo,
    renderHome: options.renderHome,
    webRoot: options.webRoot,
    about: options.about ?? {
      version: "",
      demoMail: false,
      demoModel: false,
      model: "",
      suggestions: [],
    },
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
  // For what cannot be made a request of; everything else has its answer from the app.
  const errorHandler = (error: unknown) => {
    const cause =
      error instanceof RequestError
        ? new BronError("invalid_input", "This is not a request that can be understood.", {
            cause: error,
          })
        : error;
    const problem = problemOf(cause, (reference, inner) =>
      onProblem(`A request failed, reference ${reference}`, inner),
    );
    return new Response(JSON.stringify(problem), {
      status: problem.status,
      headers: { "content-type": "application/problem+json" },
    });
  };
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler });
  const underWay = new Set<ServerResponse>();
  cutStalledReaders(server, underWay, options.readerTimeoutMs ?? defaultReaderMs);
  let closing: Promise<void> | undefined;
  // No request can have come yet: nothing was awaited that lets one in since the port was opened.
  server.on("request", (incoming, outgoing) => {
    underWay.add(outgoing);
    outgoing.once("close", () => underWay.delete(outgoing));
    watchRequest({ incoming, outgoing, routeOf, callerOf: (one) => callers.get(one), onRequest });
    for (const [name, value] of securityHeaders) outgoing.setHeader(name, value);
    if (closing) outgoing.setHeader("connection", "close");
    void handle(incoming, outgoing);
  });
  return {
    url,
    port,
    signInLink: () => signInLink({ sign: runtime.sign, url, now: Date.now() }),
    close() {
      closing ??= drain(server, underWay, options.graceMs ?? 5_000);
      streams.closeAll("the server is closing, resume");
      return closing;
    },
  };
}

/** Node's timer of a connection begins again whenever bytes move, so one that has bytes waiting when it fires took none of them meanwhile. */
function cutStalledReaders(
  server: Server,
  underWay: ReadonlySet<ServerResponse>,
  timeoutMs: number,
): void {
  server.setTimeout(timeoutMs, (socket) => {
    const isAwaited = [...underWay].some((outgoing) => outgoing.socket === socket);
    // A request that is still being worked on has nothing to take yet.
    if (isAwaited && socket.writableLength === 0) socket.setTimeout(timeoutMs);
    else socket.destroy();
  });
}

/** Connections that are kept alive would hold the server open: each is closed once it is idle. */
async function drain(
  server: Server,
  underWay: ReadonlySet<ServerResponse>,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const outgoing of underWay) {
    if (!outgoing.headersSent) outgoing.setHeader("connection", "close");
    outgoing.once("close", () => server.closeIdleConnections());
  }
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}
