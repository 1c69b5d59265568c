import { BronError, type EffectContext } from "@bron/core";
import {
  mcpProviderOf,
  type AuthReason,
  type JsonObject,
  type JsonValue,
  type McpDefinition,
} from "@bron/protocol";
import { classifyFailure, failureText, notDone } from "./call-failure.ts";
import { createCallTimer, type CallTimer } from "./call-timer.ts";
import { sameDefinition } from "./definition.ts";
import type { Connection } from "./open-connection.ts";
import type { OpenedServer, RunningServer } from "./running-server.ts";
import type { UsableServer } from "./server-catalog.ts";
import type { ServerPool } from "./server-pool.ts";
import { toolTimeoutMs } from "./server-tool.ts";
import type { ServerSignIn } from "./sign-in.ts";

const defaultCallMs = 60_000;
/** How long the owner has to answer a question of a server, while the call goes on. */
const questionMs = 240_000;

interface CallDeps {
  readonly ownerId: string;
  readonly pool: ServerPool;
  readonly signIn: Pick<ServerSignIn, "renew">;
}

interface ServerCall {
  readonly server: UsableServer;
  readonly definition: McpDefinition;
  readonly input: JsonObject;
}

/**
 * Calls a tool as the owner accepted it. Throws effect_not_done if the call was not made or was
 * rejected, missing_credentials if the server wants a sign-in, and otherwise effect_unknown.
 */
export async function callServer(
  deps: CallDeps,
  call: ServerCall,
  context: EffectContext,
): Promise<JsonValue> {
  const { server, definition } = call;
  const running = deps.pool.runningOf(server);
  const { connection, definitions } = await openServer(deps, server, running);
  const now = definitions.find(({ name }) => name === definition.name);
  if (!now || !sameDefinition(now, definition))
    throw notDone(
      `${server.title} ${now ? "changed" : "no longer has"} this tool since you accepted it. Look at it on the Connections page, or with: bron mcp list`,
    );
  await context.requireApproval();
  const timer = createCallTimer(server.entry.timeout ?? defaultCallMs);
  try {
    return await request(connection, call, { context, timer });
  } catch (error) {
    const cause: unknown = timer.signal.aborted ? timer.signal.reason : error;
    throw await callError(deps, { server, running }, cause);
  } finally {
    timer.stop();
  }
}

async function request(
  connection: Connection,
  { server, definition, input }: ServerCall,
  { context, timer }: { readonly context: EffectContext; readonly timer: CallTimer },
): Promise<JsonValue> {
  const result = await connection.callTool(definition.name, input, {
    signal: AbortSignal.any([context.signal, timer.signal]),
    timeoutMs: toolTimeoutMs,
    onProgress: context.reportProgress,
    async elicit(asked) {
      const { elicitFromOwner } = await import("./elicitation.ts");
      return await timer.pause(() => elicitFromOwner(server.title, asked, context, questionMs));
    },
  });
  const { toOutput } = await import("./tool-result.ts");
  const output = await toOutput(result, definition.name, context);
  if (result.isError !== true) return output;
  throw notDone(`${server.title} answered with an error: ${textOf(output)}`);
}

/** Opens it, and renews the sign-in once if the server no longer accepts it. */
async function openServer(
  deps: CallDeps,
  server: UsableServer,
  running: RunningServer,
): Promise<OpenedServer> {
  try {
    return await running.opened();
  } catch (error) {
    if (!running.wantsSignIn()) throw error;
    if (!(await renewSignIn(deps, server))) throw needsSignIn(server);
    return await running.opened({ evenIfWaiting: true }).catch((again: unknown) => {
      throw running.wantsSignIn() ? needsSignIn(server) : again;
    });
  }
}

async function callError(
  deps: CallDeps,
  { server, running }: { readonly server: UsableServer; readonly running: RunningServer },
  error: unknown,
): Promise<unknown> {
  if (BronError.is(error, "effect_not_done")) return error;
  const failure = classifyFailure(error);
  const text = failureText(error);
  if (failure === "rejected") return notDone(`${server.title} rejected the call: ${text}`);
  await running.drop();
  if (failure === "sign_in")
    return (await renewSignIn(deps, server))
      ? notDone(`${server.title} wanted a new token.`, { retryAfterMs: 0 })
      : needsSignIn(server);
  if (failure === "lost" || failure === "not_reached")
    return notDone(`${server.title} could not be reached: ${text}`, { retryAfterMs: 1_000 });
  return new BronError("effect_unknown", `${server.title} sent no clear response: ${text}`, {
    cause: error,
  });
}

async function renewSignIn(
  { ownerId, signIn }: CallDeps,
  { name, expanded }: UsableServer,
): Promise<boolean> {
  return expanded.kind === "http" && (await signIn.renew(ownerId, { name, entry: expanded }));
}

function needsSignIn({ name, title }: UsableServer): BronError {
  const why: AuthReason = { code: "not_connected", service: title };
  return new BronError("missing_credentials", `${title} asks you to sign in.`, {
    details: { provider: mcpProviderOf(name), why },
  });
}

function textOf(output: JsonValue): string {
  return (typeof output === "string" ? output : JSON.stringify(output)).slice(0, 4_000);
}
