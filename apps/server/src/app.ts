import type { AboutView, Problem } from "@bron/protocol";
import type { Bron } from "bron";
import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { createGate, type DoorEnv } from "./gate.ts";
import { pagePolicy, renderSignInPage } from "./pages.ts";
import { problemOf } from "./problem.ts";
import type { BodyLimits } from "./read-json.ts";
import { RequestRefused } from "./request-refused.ts";
import { createRouteTable, type MethodsOf } from "./route-table.ts";
import { addApprovalRoutes } from "./routes/approvals.ts";
import { addArtifactRoutes } from "./routes/artifacts.ts";
import { addAuditRoutes } from "./routes/audit.ts";
import { addConnectionRoutes } from "./routes/connections.ts";
import { addDemoRoutes, type DemoWorld } from "./routes/demo.ts";
import { addEffectRoutes } from "./routes/effects.ts";
import { addHealthRoutes } from "./routes/health.ts";
import { addOwnerRoutes } from "./routes/owner.ts";
import { addPermissionRoutes } from "./routes/permissions.ts";
import { addRunRoutes } from "./routes/runs.ts";
import { addStreamRoutes } from "./routes/stream.ts";
import { addWebRoutes } from "./routes/web.ts";
import type { Streams } from "./stream/streams.ts";

/** What this door needs of the library. */
export type ServedBron = Pick<Bron, "runs" | "approvals" | "artifacts" | "effects" | "audit" | "answers" | "connections" | "ping" | "sign" | "useOnce" | "wasUsed" | "permissions">;

export interface AppParts {
  readonly bron: ServedBron;
  readonly ownerId: string;
  readonly serverId: string;
  /** The one that is listened on, which Host headers must name. */
  readonly port: number;
  readonly about: AboutView;
  readonly demo: DemoWorld | undefined;
  /** As browsers name this server. */
  readonly origin: string;
  /** The folder of the built page. */
  readonly webRoot: string | undefined;
  readonly limits: BodyLimits;
  readonly streams: Streams;
  readonly renderHome: (() => Promise<string>) | undefined;
  readonly onProblem: (message: string, error: unknown) => void;
}

export function createApp(parts: AppParts): Hono<DoorEnv> {
  const { bron, ownerId, port, limits } = parts;
  const app = new Hono<DoorEnv>();
  let methodsOf: MethodsOf = () => [];
  const endedKey = (sessionId: string) => `session-ended:${sessionId}`;
  const endSession = async (sessionId: string) => {
    await bron.useOnce(endedKey(sessionId));
    parts.streams.closeSession(sessionId);
  };
  app.use("*", createGate({ sign: bron.sign, ownerId, serverId: parts.serverId, port, isEnded: (sessionId) => bron.wasUsed(endedKey(sessionId)), methodsOf: (path) => methodsOf(path) }));
  app.onError((error, c) => {
    const problem = problemOf(error, (reference, cause) => parts.onProblem(`A request failed, reference ${reference}`, cause));
    const headers = error instanceof RequestRefused ? error.headers : {};
    return answer(c, problem, headers);
  });
  app.get("/api/about", (c) => c.json(parts.about));
  addHealthRoutes(app, { bron, serverId: parts.serverId });
  // First: the built page takes the place of the plain one.
  if (parts.webRoot !== undefined) addWebRoutes(app, parts.webRoot);
  addOwnerRoutes(app, { bron, ownerId, port, endSession, renderHome: parts.renderHome });
  addRunRoutes(app, { bron, ownerId, limits });
  addStreamRoutes(app, { bron, ownerId, streams: parts.streams });
  addApprovalRoutes(app, { bron, ownerId, limits });
  addArtifactRoutes(app, { bron, ownerId });
  addEffectRoutes(app, { bron, ownerId, limits });
  addAuditRoutes(app, { bron, ownerId });
  addDemoRoutes(app, { demo: parts.demo, limits });
  addPermissionRoutes(app, { bron, ownerId, limits });
  addConnectionRoutes(app, { bron, ownerId, origin: parts.origin });
  methodsOf = createRouteTable(app.routes);
  return app;
}

function answer(c: Context<DoorEnv>, problem: Problem, headers: Readonly<Record<string, string>>): Response {
  const status = problem.status as ContentfulStatusCode;
  if (problem.code !== "unauthenticated") return c.body(JSON.stringify(problem), status, { ...headers, "content-type": "application/problem+json" });
  if (c.req.path === "/") return c.html(renderSignInPage("Only the owner of this Bron gets in, by a link."), status, { "content-security-policy": pagePolicy });
  return c.body(JSON.stringify(problem), status, { "www-authenticate": "Bearer", "content-type": "application/problem+json" });
}
