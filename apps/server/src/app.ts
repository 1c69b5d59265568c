import type { AboutView, LocalServer, Problem } from "@bron/protocol";
import { createAppServices, type RuntimeWithAccess, type Sandbox } from "@bron/runtime";
import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { IncomingMessage } from "node:http";
import { callbackPaths } from "./access/callback-paths.ts";
import type { Firebase } from "./access/firebase.ts";
import type { Hosts } from "./access/hosts.ts";
import type { Rates } from "./access/rates.ts";
import { createEndpoints, type Caller, type ServerEnv, type On } from "./register-endpoint.ts";
import { createGate } from "./gate.ts";
import type { Metrics } from "./operations/metrics.ts";
import { pagePolicy, renderNotFoundPage, renderSignInPage } from "./pages.ts";
import { problemOf } from "./problem.ts";
import type { BodyLimits } from "./read-json.ts";
import { RequestRefused } from "./request-refused.ts";
import { createRouteTable, type MethodsOf } from "./route-table.ts";
import { addAgentRoutes } from "./routes/agent.ts";
import { addArtifactRoutes } from "./routes/artifacts.ts";
import { addAuditRoutes } from "./routes/audit.ts";
import { addConnectionRoutes } from "./routes/connections.ts";
import { addDocsRoutes } from "./routes/docs.ts";
import { addHealthRoutes } from "./routes/health.ts";
import { addMcpRoutes } from "./routes/mcp.ts";
import { addMetricsRoutes } from "./routes/metrics.ts";
import { addOwnerRoutes } from "./routes/owner.ts";
import { addServiceRoutes } from "./routes/services.ts";
import { addStreamRoutes } from "./routes/stream.ts";
import { addUploadRoutes } from "./routes/uploads.ts";
import { addWebRoutes, rootFiles, webPaths } from "./routes/web.ts";
import type { Streams } from "./stream/streams.ts";

/** What the server uses of the runtime. */
export type ServedRuntime = Pick<
  RuntimeWithAccess,
  | "services"
  | "clientFor"
  | "agent"
  | "logs"
  | "viewOf"
  | "changes"
  | "partialTexts"
  | "connections"
  | "modelKeys"
  | "oauthClients"
  | "openArtifact"
  | "receiveUpload"
  | "sessions"
  | "tokens"
  | "rates"
  | "streamSlots"
  | "onAccessEnded"
  | "ping"
  | "load"
  | "sign"
  | "useOnce"
>;

interface AppDeps {
  readonly runtime: ServedRuntime;
  readonly ownerId: string;
  readonly serverId: string;
  /** The port that the server listens on. */
  readonly port: number;
  readonly hosts: Hosts;
  readonly firebase: Firebase | undefined;
  readonly rates: Rates;
  readonly about: AboutView;
  readonly demo: Sandbox | undefined;
  readonly findLocalModels?: (() => Promise<readonly LocalServer[]>) | undefined;
  /** The origin under which browsers reach this server. */
  readonly origin: string;
  /** Folder of the built web app. */
  readonly webRoot: string | undefined;
  readonly limits: BodyLimits;
  /** Maximum model turns of a run that the agent API starts. */
  readonly maxAgentSteps: number;
  readonly streams: Streams;
  readonly renderHome: (() => Promise<string>) | undefined;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly metrics?: Metrics | undefined;
  /** Serves only health checks and metrics. */
  readonly isWorker?: boolean;
  /** Reports the authenticated caller of a request. */
  readonly onCaller?: (incoming: IncomingMessage, caller: Caller) => void;
}

export function createApp(deps: AppDeps): Hono<ServerEnv> {
  const { runtime, ownerId, serverId, port, hosts, streams, onProblem } = deps;
  const app = new Hono<ServerEnv>();
  let methodsOf: MethodsOf = () => [];
  app.use(
    "*",
    createGate({
      runtime,
      ownerId,
      serverId,
      port,
      hosts,
      firebase: deps.firebase,
      methodsOf: (path) => methodsOf(path),
      onCaller: deps.onCaller ?? (() => undefined),
    }),
  );
  app.onError((error, c) => {
    const problem = problemOf(error, (reference, cause) =>
      onProblem(`A request failed (reference ${reference})`, cause),
    );
    const headers =
      error instanceof RequestRefused
        ? error.headers
        : problem.code === "rate_limited"
          ? { "retry-after": "5" }
          : {};
    return problemResponse(c, problem, headers);
  });
  const on = createEndpoints(app, { limits: deps.limits, rates: deps.rates });
  addHealthRoutes(on, { runtime, serverId });
  addMetricsRoutes(on, { runtime, ownerId, metrics: deps.metrics, openStreams: streams.count });
  if (deps.isWorker !== true) addServerRoutes(app, on, deps);
  methodsOf = createRouteTable(app.routes);
  return app;
}

function addServerRoutes(app: Hono<ServerEnv>, on: On, deps: AppDeps): void {
  const { runtime, ownerId, port, hosts, streams, onProblem } = deps;
  addDocsRoutes(on, {
    version: deps.about.version,
    origin: deps.origin,
    port,
    pages:
      deps.webRoot === undefined
        ? ["/"]
        : [...webPaths, ...rootFiles.map((name) => `/${name}`), "/assets/:name"],
  });
  // Registered first, so that the web app replaces the plain page at `/`.
  if (deps.webRoot !== undefined) addWebRoutes(app, deps.webRoot);
  addOwnerRoutes(app, on, {
    runtime,
    ownerId,
    port,
    hosts,
    renderHome: deps.renderHome,
  });
  const { about, demo: sandbox } = deps;
  addServiceRoutes(on, {
    ...runtime.services,
    ...createAppServices({
      about,
      sandbox,
      ownerId,
      runtime,
      findLocalModels: deps.findLocalModels,
      redirectUriOf: (provider) => `${deps.origin}${callbackPaths.get(provider) ?? ""}`,
    }),
  });
  addAgentRoutes(on, {
    agent: runtime.agent,
    maxSteps: deps.maxAgentSteps,
    streams,
    onProblem,
  });
  addStreamRoutes(on, { runtime, streams });
  addMcpRoutes(on, { runtime, rates: deps.rates, version: deps.about.version, onProblem });
  addArtifactRoutes(on, { runtime, onProblem });
  addUploadRoutes(on, {
    runtime,
    times: { idleMs: deps.limits.bodyTimeoutMs, totalMs: deps.limits.uploadTimeoutMs },
  });
  addAuditRoutes(on, { runtime });
  addConnectionRoutes(on, { runtime, origin: deps.origin, port, hosts });
}

/** Whether to respond with a page for a person instead of a problem for a program. */
function isPage(c: Context<ServerEnv>): boolean {
  return (
    c.req.method === "GET" &&
    !c.req.path.startsWith("/api/") &&
    (c.req.path === "/" || (c.req.header("accept") ?? "").includes("text/html"))
  );
}

function problemResponse(
  c: Context<ServerEnv>,
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
    return c.html(renderSignInPage("You need a sign-in link to use Bron."), status, {
      "content-security-policy": pagePolicy,
    });
  return c.body(JSON.stringify(problem), status, {
    "www-authenticate": "Bearer",
    "content-type": "application/problem+json",
  });
}
