import type { AboutView, Problem } from "@bron/protocol";
import type { Bron } from "bron";
import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { IncomingMessage } from "node:http";
import type { Firebase } from "./access/firebase.ts";
import type { Hosts } from "./access/hosts.ts";
import type { Rates } from "./access/rates.ts";
import { createAgentRuns } from "./agent/agent-runs.ts";
import { createDoor, type Caller, type DoorEnv, type On } from "./door.ts";
import { createGate } from "./gate.ts";
import type { Metrics } from "./operations/metrics.ts";
import { pagePolicy, renderNotFoundPage, renderSignInPage } from "./pages.ts";
import { problemOf } from "./problem.ts";
import type { BodyLimits } from "./read-json.ts";
import { RequestRefused } from "./request-refused.ts";
import { createRouteTable, type MethodsOf } from "./route-table.ts";
import { addAccessRoutes } from "./routes/access.ts";
import { addAgentRoutes } from "./routes/agent.ts";
import { addApprovalRoutes } from "./routes/approvals.ts";
import { addArtifactRoutes } from "./routes/artifacts.ts";
import { addAuditRoutes } from "./routes/audit.ts";
import { addBronRoutes } from "./routes/brons.ts";
import { addConnectionRoutes } from "./routes/connections.ts";
import { addDocsRoutes } from "./routes/docs.ts";
import { addDemoRoutes, type DemoWorld } from "./routes/demo.ts";
import { addEffectRoutes } from "./routes/effects.ts";
import { addHealthRoutes } from "./routes/health.ts";
import { addMetricsRoutes } from "./routes/metrics.ts";
import { addOwnerRoutes } from "./routes/owner.ts";
import { addPermissionRoutes } from "./routes/permissions.ts";
import { addRunRoutes } from "./routes/runs.ts";
import { addStreamRoutes } from "./routes/stream.ts";
import { addUploadRoutes } from "./routes/uploads.ts";
import { addWebRoutes, webPlaces } from "./routes/web.ts";
import type { Streams } from "./stream/streams.ts";

/** What this door needs of the library. */
export type ServedBron = Pick<
  Bron,
  | "runs"
  | "brons"
  | "approvals"
  | "artifacts"
  | "uploads"
  | "effects"
  | "audit"
  | "answers"
  | "changes"
  | "connections"
  | "permissions"
  | "sessions"
  | "tokens"
  | "modelKeys"
  | "rates"
  | "streamSlots"
  | "usage"
  | "tools"
  | "onDelta"
  | "ping"
  | "load"
  | "sign"
  | "useOnce"
>;

export interface AppParts {
  readonly bron: ServedBron;
  readonly ownerId: string;
  readonly serverId: string;
  /** The one that is listened on. */
  readonly port: number;
  readonly hosts: Hosts;
  readonly firebase: Firebase | undefined;
  readonly rates: Rates;
  readonly about: AboutView;
  readonly demo: DemoWorld | undefined;
  /** As browsers name this server. */
  readonly origin: string;
  /** The folder of the built page. */
  readonly webRoot: string | undefined;
  readonly limits: BodyLimits;
  /** Model turns of a run that the agent runtime's routes begin. */
  readonly maxAgentSteps: number;
  readonly streams: Streams;
  readonly renderHome: (() => Promise<string>) | undefined;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly metrics?: Metrics | undefined;
  /** A worker answers whoever looks after it, and nobody else. */
  readonly isWorker?: boolean;
  /** Who a request turned out to be of. */
  readonly onCaller?: (incoming: IncomingMessage, caller: Caller) => void;
}

export function createApp(parts: AppParts): Hono<DoorEnv> {
  const { bron, ownerId, serverId, port, hosts, streams, onProblem } = parts;
  const app = new Hono<DoorEnv>();
  let methodsOf: MethodsOf = () => [];
  app.use(
    "*",
    createGate({
      bron,
      ownerId,
      serverId,
      port,
      hosts,
      firebase: parts.firebase,
      methodsOf: (path) => methodsOf(path),
      onCaller: parts.onCaller ?? (() => undefined),
    }),
  );
  app.onError((error, c) => {
    const problem = problemOf(error, (reference, cause) =>
      onProblem(`A request failed, reference ${reference}`, cause),
    );
    const headers =
      error instanceof RequestRefused
        ? error.headers
        : problem.code === "rate_limited"
          ? { "retry-after": "5" }
          : {};
    return answer(c, problem, headers);
  });
  const on = createDoor(app, { limits: parts.limits, rates: parts.rates });
  addHealthRoutes(on, { bron, serverId });
  addMetricsRoutes(on, { bron, ownerId, metrics: parts.metrics, openStreams: streams.count });
  if (parts.isWorker !== true) addServerRoutes(app, on, parts);
  methodsOf = createRouteTable(app.routes);
  return app;
}

function addServerRoutes(app: Hono<DoorEnv>, on: On, parts: AppParts): void {
  const { bron, ownerId, port, hosts, streams, onProblem } = parts;
  addDocsRoutes(on, {
    version: parts.about.version,
    origin: parts.origin,
    port,
    pages: parts.webRoot === undefined ? ["/"] : [...webPlaces, "/assets/:name"],
  });
  // First: the built page takes the place of the plain one.
  if (parts.webRoot !== undefined) addWebRoutes(app, parts.webRoot);
  addOwnerRoutes(app, on, {
    bron,
    ownerId,
    port,
    hosts,
    about: parts.about,
    closeStreams: streams.closeOf,
    renderHome: parts.renderHome,
  });
  addAgentRoutes(on, {
    agent: createAgentRuns({ bron, maxSteps: parts.maxAgentSteps }),
    streams,
    onProblem,
  });
  addRunRoutes(on, { bron });
  addStreamRoutes(on, { bron, streams });
  addApprovalRoutes(on, { bron });
  addArtifactRoutes(on, { bron, onProblem });
  addUploadRoutes(on, {
    bron,
    times: { idleMs: parts.limits.bodyTimeoutMs, totalMs: parts.limits.uploadTimeoutMs },
  });
  addEffectRoutes(on, { bron });
  addBronRoutes(on, { bron });
  addAccessRoutes(on, { bron, closeStreams: streams.closeOf });
  addAuditRoutes(on, { bron });
  addDemoRoutes(on, { demo: parts.demo, ownerId });
  addPermissionRoutes(on, { bron });
  addConnectionRoutes(on, { bron, origin: parts.origin, port, hosts });
}

/** A person at a browser gets words, a program gets the problem. */
function isPage(c: Context<DoorEnv>): boolean {
  return (
    c.req.method === "GET" &&
    !c.req.path.startsWith("/api/") &&
    (c.req.path === "/" || (c.req.header("accept") ?? "").includes("text/html"))
  );
}

function answer(
  c: Context<DoorEnv>,
  problem: Problem,
  headers: Readonly<Record<string, string>>,
): Response {
  const status = problem.status as ContentfulStatusCode;
  if (problem.code === "not_found" && isPage(c))
    return c.html(renderNotFoundPage(), status, { "content-security-policy": pagePolicy });
  if (problem.code !== "unauthenticated")
    return c.body(JSON.stringify(problem), status, {
      ...headers,
      "content-type": "application/problem+json",
    });
  if (isPage(c))
    return c.html(renderSignInPage("Only the owner of this Bron gets in, by a link."), status, {
      "content-security-policy": pagePolicy,
    });
  return c.body(JSON.stringify(problem), status, {
    "www-authenticate": "Bearer",
    "content-type": "application/problem+json",
  });
}
