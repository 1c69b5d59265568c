import {
  BronError,
  type Connector,
  type EffectContext,
  type McpPin,
  type RunHeader,
  type Tool,
  type ToolServers,
  type ToolServersDeps,
} from "@bron/core";
import {
  mcpProviderOf,
  mcpProviderPrefix,
  type AuthReason,
  type JsonObject,
  type JsonValue,
  type McpDefinition,
  type McpServerView,
} from "@bron/protocol";
import { addServer, removeServer } from "./change-file.ts";
import { createCallTimer } from "./call-timer.ts";
import { classifyFailure, failureText, notDone } from "./call-failure.ts";
import { definitionsDigest, sameDefinition } from "./definition.ts";
import { expandEntry, type Expanded, type ReadVariable } from "./expand-variables.ts";
import {
  findFolderServers,
  findHomeServers,
  findTrustedFolders,
  folderOf,
  type FoundServer,
} from "./find-servers.ts";
import { createRunningServer, type RunningServer } from "./running-server.ts";
import { sourceOf, type HttpEntry, type ServerEntry } from "./server-entry.ts";
import { toolTimeoutMs, toServerTool } from "./server-tool.ts";
import { createServerSignIn, type SignInServer } from "./sign-in.ts";
import { viewServer } from "./view-server.ts";

export interface ToolServersOptions {
  readonly home: string;
  /** Who has the servers of this home. Other owners have none. */
  readonly ownerId: string;
  /** The name of this machine, as in the place of a run. */
  readonly machine: string;
  readonly version: string;
  readonly readVariable: ReadVariable;
  /** For tests. */
  readonly fetch?: typeof fetch;
}

/** How long a change of a file, or of what another process recorded, may go unnoticed. */
const cacheMs = 1_000;
const defaultCallMs = 60_000;
/** How long the owner has to answer a question of a server, while the call goes on. */
const questionMs = 240_000;

/** A server whose entry can be used. */
interface UsableServer extends FoundServer {
  readonly entry: ServerEntry;
  /** The entry with the values of its variables. */
  readonly expanded: ServerEntry;
  /** The digest of `sourceOf`. */
  readonly source: string;
}

interface Started {
  readonly key: string;
  readonly running: RunningServer;
}

/** The MCP servers of a home and of trusted folders. Loads the SDK when a server is first needed. */
export function createToolServers(
  options: ToolServersOptions,
): (deps: ToolServersDeps) => ToolServers {
  return (deps) => openToolServers(options, deps);
}

function openToolServers(
  { home, ownerId, machine, version, readVariable, fetch = globalThis.fetch }: ToolServersOptions,
  deps: ToolServersDeps,
): ToolServers {
  const { pins, clock } = deps;
  const started = new Map<string, Started>();
  const cached = createCache(clock);
  const tools = new Map<string, Tool | string>();
  let hasServers = false;
  let isClosed = false;

  const signIn = createServerSignIn({
    vault: deps.vault,
    sign: deps.sign,
    useOnce: deps.useOnce,
    now: clock.now,
    fetch,
    findServer: async (owner, name) =>
      owner === ownerId ? asSignInServer(await find(name).catch(() => undefined)) : undefined,
  });

  const serversAt = async (folder: string | undefined): Promise<readonly FoundServer[]> => {
    const own = await cached("home", () => findHomeServers(home));
    if (folder === undefined) return own;
    return [...own, ...(await cached(`folder ${folder}`, () => findFolderServers(home, folder)))];
  };

  const allServers = async (): Promise<readonly FoundServer[]> => {
    const folders = await findTrustedFolders(home);
    const found = await Promise.all(folders.map((folder) => findFolderServers(home, folder)));
    return [...(await findHomeServers(home)), ...found.flat()];
  };

  const usable = async (server: FoundServer): Promise<UsableServer | string> => {
    const { entry } = server;
    if (!entry) return server.problem ?? "Its entry cannot be used.";
    if (entry.disabled === true) return "Its file turns it off.";
    const expanded: Expanded = expandEntry(entry, readVariable);
    if (!expanded.ok) return expanded.problem;
    const source = await definitionsDigest(sourceOf(entry));
    return { ...server, entry, expanded: expanded.entry, source };
  };

  const find = async (name: string): Promise<UsableServer> => {
    const server = (await allServers()).find((one) => one.name === name);
    if (!server) throw new BronError("not_found", `There is no MCP server ${name}.`);
    const found = await usable(server);
    if (typeof found === "string") throw new BronError("invalid_input", `${name}: ${found}`);
    return found;
  };

  const pinsOf = async (): Promise<ReadonlyMap<string, McpPin>> =>
    await cached("pins", async () => {
      const listed = await pins.list(ownerId);
      return new Map(listed.map((pin) => [pin.server, pin]));
    });

  /** The running one for this entry. One with another entry ends. */
  const runningOf = (server: UsableServer): RunningServer => {
    if (isClosed) throw notDone("Bron is shutting down.");
    const key = JSON.stringify(server.expanded);
    const before = started.get(server.name);
    if (before?.key === key) return before.running;
    void before?.running.drop();
    const { name, expanded: entry, source } = server;
    const running = createRunningServer({
      clock,
      async open(hooks) {
        const { openConnection } = await import("./open-connection.ts");
        return await openConnection({
          entry,
          version,
          cwd: server.folder ?? home,
          fetch,
          authorization: async () =>
            entry.kind === "http" ? await signIn.authorization(ownerId, { name, entry }) : undefined,
          ...hooks,
        });
      },
      async onListed({ definitions, notes }) {
        const offeredDigest = await definitionsDigest(definitions);
        const pin = await pins.get(ownerId, name);
        if (pin?.source === source && pin.offeredDigest === offeredDigest) return;
        await pins.offer(ownerId, { server: name, source, offered: definitions, offeredDigest, notes });
        cached.forget("pins");
      },
    });
    started.set(name, { key, running });
    return running;
  };

  const call = async (
    server: UsableServer,
    definition: McpDefinition,
    input: JsonObject,
    context: EffectContext,
  ): Promise<JsonValue> => {
    const running = runningOf(server);
    const { connection, definitions } = await openFor(server, running);
    const now = definitions.find(({ name }) => name === definition.name);
    if (!now || !sameDefinition(now, definition))
      throw notDone(
        `${server.title} ${now ? "changed" : "no longer has"} this tool since you accepted it. Look at it on the Connections page, or with: bron mcp list`,
      );
    await context.requireApproval();
    const timer = createCallTimer(server.entry.timeout ?? defaultCallMs);
    try {
      const result = await connection.callTool(definition.name, input, {
        signal: AbortSignal.any([context.signal, timer.signal]),
        timeoutMs: toolTimeoutMs,
        onProgress: context.reportProgress,
        async elicit(request) {
          const { elicitFromOwner } = await import("./elicitation.ts");
          return await timer.pause(() =>
            elicitFromOwner(server.title, request, context, questionMs),
          );
        },
      });
      const { toOutput } = await import("./tool-result.ts");
      const output = await toOutput(result, definition.name, context);
      if (result.isError !== true) return output;
      throw notDone(`${server.title} answered with an error: ${textOf(output)}`);
    } catch (error) {
      throw await callError(server, running, timer.signal.aborted ? timer.signal.reason : error);
    } finally {
      timer.stop();
    }
  };

  const openFor = async (server: UsableServer, running: RunningServer) => {
    try {
      return await running.opened();
    } catch (error) {
      if (!running.wantsSignIn()) throw error;
      if (!(await renewSignIn(server))) throw needsSignIn(server);
      return await running.opened({ evenIfWaiting: true }).catch((again: unknown) => {
        throw running.wantsSignIn() ? needsSignIn(server) : again;
      });
    }
  };

  const renewSignIn = async ({ name, expanded }: UsableServer): Promise<boolean> =>
    expanded.kind === "http" && (await signIn.renew(ownerId, { name, entry: expanded }));

  /** What the loop learns from a failed call. An error that says nothing stays unclear. */
  const callError = async (
    server: UsableServer,
    running: RunningServer,
    error: unknown,
  ): Promise<unknown> => {
    if (BronError.is(error, "effect_not_done")) return error;
    const failure = classifyFailure(error);
    const text = failureText(error);
    if (failure === "rejected") return notDone(`${server.title} rejected the call: ${text}`);
    await running.drop();
    if (failure === "sign_in") {
      return (await renewSignIn(server)) ? notDone(`${server.title} wanted a new token.`, { retryAfterMs: 0 }) : needsSignIn(server);
    }
    if (failure === "lost" || failure === "not_reached")
      return notDone(`${server.title} could not be reached: ${text}`, { retryAfterMs: 1_000 });
    return new BronError("effect_unknown", `${server.title} sent no clear response: ${text}`, {
      cause: error,
    });
  };

  const toolOf = (server: UsableServer, definition: McpDefinition): Tool | string => {
    const key = JSON.stringify([server.name, server.expanded, server.entry.timeout, definition]);
    const known = tools.get(key);
    if (known !== undefined) return known;
    const tool = toServerTool({
      server: server.name,
      definition,
      call: (accepted, input, context) => call(server, accepted, input, context),
    });
    // Definitions change seldom. The limit is for a file that is edited all the time.
    if (tools.size > 2_000) tools.clear();
    tools.set(key, tool);
    return tool;
  };

  const acceptedTools = async (server: FoundServer): Promise<readonly Tool[]> => {
    const found = await usable(server);
    if (typeof found === "string") return [];
    const pin = (await pinsOf()).get(server.name);
    if (pin?.source !== found.source) return [];
    return pin.accepted
      .filter((definition) => isOffered(pin, definition))
      .map((definition) => toolOf(found, definition))
      .filter((tool) => typeof tool !== "string");
  };

  const requireOwner = (owner: string): void => {
    if (owner !== ownerId)
      throw new BronError("not_found", "Only the owner of this server has MCP servers.");
  };

  return {
    get isLive() {
      return hasServers;
    },

    async toolsFor(run: RunHeader) {
      if (run.ownerId !== ownerId || isClosed) return [];
      const servers = await serversAt(folderOf(run.place, machine));
      hasServers = servers.length > 0;
      if (!hasServers) return [];
      return (await Promise.all(servers.map(acceptedTools))).flat();
    },

    async list(owner) {
      if (owner !== ownerId) return [];
      const servers = await allServers();
      cached.forget("pins");
      const known = await pinsOf();
      return await Promise.all(
        servers.map(async (server): Promise<McpServerView> => {
          const found = await usable(server);
          const signedIn =
            typeof found === "string" ? undefined : await signedInOf(found, signIn, ownerId);
          return viewServer({
            server,
            usable: found,
            pin: known.get(server.name),
            running: started.get(server.name)?.running,
            signedIn,
            isUsable: (definition) =>
              typeof found === "string" || typeof toolOf(found, definition) !== "string",
          });
        }),
      );
    },

    async add(owner, server) {
      requireOwner(owner);
      await addServer(home, server);
      cached.forget("home");
      await deps.writeAudit(owner, {
        what: "mcp_server.added",
        by: "owner",
        details: { server: server.name },
      });
    },

    async remove(owner, name) {
      requireOwner(owner);
      await removeServer(home, name);
      cached.forget("home");
      await started.get(name)?.running.drop();
      started.delete(name);
      await pins.remove(owner, name);
      cached.forget("pins");
      await deps.writeAudit(owner, {
        what: "mcp_server.removed",
        by: "owner",
        details: { server: name },
      });
    },

    async test(owner, name) {
      requireOwner(owner);
      cached.forget("home");
      const server = await find(name);
      await runningOf(server)
        .opened({ evenIfWaiting: true })
        // The failure is part of the server's state.
        .catch(() => undefined);
    },

    async accept(owner, name, digest) {
      requireOwner(owner);
      const { source } = await find(name);
      await pins.accept(owner, { server: name, source, offeredDigest: digest });
      cached.forget("pins");
    },

    connectorOf: (provider) =>
      provider === "mcp" || provider.startsWith(mcpProviderPrefix)
        ? connector(provider)
        : undefined,

    async close() {
      isClosed = true;
      await Promise.all([...started.values()].map(({ running }) => running.drop()));
    },
  };

  function connector(provider: string): Connector {
    const server = async (owner: string): Promise<SignInServer> => {
      requireOwner(owner);
      const found = asSignInServer(await find(provider.slice(mcpProviderPrefix.length)));
      if (!found) throw new BronError("invalid_input", "This MCP server needs no sign-in.");
      return found;
    };
    return {
      provider,
      tools: [],
      scopes: [],
      startSignIn: async (request) => await signIn.start(await server(request.ownerId), request),
      returnPathOf: (state) => signIn.returnPathOf(state),
      async finishSignIn(request) {
        const finished = await signIn.finish(request);
        const name = finished.provider.slice(mcpProviderPrefix.length);
        await started.get(name)?.running.drop();
        started.delete(name);
        return finished;
      },
      async disconnect(owner) {
        const found = await server(owner);
        await signIn.remove(owner, found);
        await started.get(found.name)?.running.drop();
        started.delete(found.name);
      },
      async status(owner) {
        const grant = await signIn.status(owner, await server(owner));
        return grant && { account: grant.account, scopes: grant.scopes };
      },
    };
  }
}

/** What the server offers now is what the owner accepted. */
function isOffered({ offered }: McpPin, definition: McpDefinition): boolean {
  const now = offered.find(({ name }) => name === definition.name);
  return now !== undefined && sameDefinition(now, definition);
}

function asSignInServer(server: UsableServer | undefined): SignInServer | undefined {
  return server?.expanded.kind === "http"
    ? { name: server.name, entry: server.expanded satisfies HttpEntry }
    : undefined;
}

async function signedInOf(
  server: UsableServer,
  signIn: ReturnType<typeof createServerSignIn>,
  ownerId: string,
): Promise<boolean | undefined> {
  const target = asSignInServer(server);
  return target && (await signIn.status(ownerId, target)) !== undefined;
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

interface Cache {
  <T>(key: string, load: () => Promise<T>): Promise<T>;
  forget(key: string): void;
}

function createCache(clock: ToolServersDeps["clock"]): Cache {
  const entries = new Map<string, { readonly until: number; readonly value: Promise<unknown> }>();
  const cache = <T>(key: string, load: () => Promise<T>): Promise<T> => {
    const known = entries.get(key);
    if (known && clock.monotonic() < known.until) return known.value as Promise<T>;
    const value = load();
    entries.set(key, { until: clock.monotonic() + cacheMs, value });
    // A failure is not kept.
    value.catch(() => entries.delete(key));
    return value;
  };
  return Object.assign(cache, { forget: (key: string) => void entries.delete(key) });
}
