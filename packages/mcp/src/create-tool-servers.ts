import {
  BronError,
  type McpPin,
  type RunHeader,
  type Tool,
  type ToolServers,
  type ToolServersDeps,
} from "@bron/core";
import { mcpProviderPrefix, type McpDefinition } from "@bron/protocol";
import { createCache } from "./cache.ts";
import { callServer } from "./call-server.ts";
import { addServer, removeServer } from "./change-file.ts";
import { sameDefinition } from "./definition.ts";
import type { ReadVariable } from "./expand-variables.ts";
import { folderOf, type FoundServer } from "./find-servers.ts";
import { createServerCatalog, type ServerCatalog, type UsableServer } from "./server-catalog.ts";
import type { HttpEntry } from "./server-entry.ts";
import { createServerPool, type ServerPool } from "./server-pool.ts";
import { toServerTool } from "./server-tool.ts";
import { asSignInServer, signInConnector } from "./sign-in-connector.ts";
import { createServerSignIn, type ServerSignIn } from "./sign-in.ts";
import { viewServer } from "./view-server.ts";

export interface ToolServersOptions {
  readonly home: string;
  /** Who has the servers of this home. Other owners have none. */
  readonly ownerId: string;
  /** The name of this machine, as in the place of a run. */
  readonly machine: string;
  readonly version: string;
  readonly readVariable: ReadVariable;
  /** URLs of servers that are in no file, by name: those of the sandbox. */
  readonly samples?: Readonly<Record<string, string>>;
  /** For tests. */
  readonly fetch?: typeof fetch;
}

/** How long a change of a file, or of what another process recorded, may go unnoticed. */
const cacheMs = 1_000;

/** The MCP servers of a home and of trusted folders. Loads the SDK when a server is first needed. */
export function createToolServers(
  options: ToolServersOptions,
): (deps: ToolServersDeps) => ToolServers {
  return (deps) => openToolServers(options, deps);
}

interface OwnServers {
  readonly ownerId: string;
  readonly catalog: ServerCatalog;
  readonly pool: ServerPool;
  readonly signIn: ServerSignIn;
  readonly toolOf: ToolOf;
  /** What the owner accepted, by server. */
  pins(): Promise<ReadonlyMap<string, McpPin>>;
  forgetPins(): void;
}

function openToolServers(options: ToolServersOptions, deps: ToolServersDeps): ToolServers {
  const { home, ownerId, machine, version, readVariable, fetch = globalThis.fetch } = options;
  const { pins, clock } = deps;
  const cache = createCache(clock, cacheMs);
  const samples = Object.entries(options.samples ?? {}).map(([name, url]): [string, HttpEntry] => [
    name,
    { kind: "http", url, headers: {} },
  ]);
  const catalog = createServerCatalog({
    home,
    readVariable,
    cache,
    samples: Object.fromEntries(samples),
  });
  const signIn = createServerSignIn({
    ...deps,
    now: clock.now,
    fetch,
    findServer: async (owner, name) =>
      owner === ownerId
        ? asSignInServer(await catalog.find(name).catch(() => undefined))
        : undefined,
  });
  const pool = createServerPool({ ownerId, home, pins, cache, clock, signIn, version, fetch });
  const own: OwnServers = {
    ownerId,
    catalog,
    pool,
    signIn,
    toolOf: createToolCache({ ownerId, pool, signIn }),
    pins: () =>
      cache.load("pins", async () => {
        const listed = await pins.list(ownerId);
        return new Map(listed.map((pin) => [pin.server, pin]));
      }),
    forgetPins: () => cache.forget("pins"),
  };
  let hasServers = false;
  return {
    get isLive() {
      return hasServers;
    },
    async toolsFor(run: RunHeader) {
      if (run.ownerId !== ownerId) return [];
      const servers = await catalog.serversAt(folderOf(run.place, machine));
      hasServers = servers.length > 0;
      if (!hasServers) return [];
      return (await Promise.all(servers.map((server) => acceptedTools(own, server)))).flat();
    },
    ...ownerServices(own, { ...deps, home }),
    connectorOf: (provider) =>
      provider === "mcp" || provider.startsWith(mcpProviderPrefix)
        ? signInConnector(own, provider)
        : undefined,
    close: pool.close,
  };
}

/** What the owner does with the servers. */
function ownerServices(
  own: OwnServers,
  { home, pins, writeAudit }: ToolServersDeps & Pick<ToolServersOptions, "home">,
): Pick<ToolServers, "list" | "add" | "remove" | "test" | "accept"> {
  const { ownerId, catalog, pool } = own;
  const requireOwner = (owner: string): void => {
    if (owner !== ownerId)
      throw new BronError("not_found", "Only the owner of this server has MCP servers.");
  };
  const note = (what: "mcp_server.added" | "mcp_server.removed", server: string) =>
    writeAudit(ownerId, { what, by: "owner", details: { server } });
  return {
    async list(owner) {
      if (owner !== ownerId) return [];
      own.forgetPins();
      const servers = await catalog.all();
      return await Promise.all(servers.map((server) => viewOf(own, server)));
    },
    async add(owner, server) {
      requireOwner(owner);
      await addServer(home, server);
      catalog.forget();
      await note("mcp_server.added", server.name);
    },
    async remove(owner, name) {
      requireOwner(owner);
      await removeServer(home, name);
      catalog.forget();
      await pool.drop(name);
      await pins.remove(owner, name);
      own.forgetPins();
      await note("mcp_server.removed", name);
    },
    async test(owner, name) {
      requireOwner(owner);
      const running = pool.runningOf(await catalog.find(name));
      // The failure is part of the server's state.
      await running.opened({ evenIfWaiting: true }).catch(() => undefined);
    },
    async accept(owner, name, digest) {
      requireOwner(owner);
      const { source } = await catalog.find(name);
      await pins.accept(owner, { server: name, source, offeredDigest: digest });
      own.forgetPins();
    },
  };
}

async function viewOf(own: OwnServers, server: FoundServer) {
  const found = await own.catalog.usable(server);
  const target = typeof found === "string" ? undefined : asSignInServer(found);
  const grant = target && (await own.signIn.status(own.ownerId, target));
  return viewServer({
    server,
    usable: found,
    pin: (await own.pins()).get(server.name),
    running: own.pool.get(server.name),
    signedIn: target && grant !== undefined,
    isUsable: (definition) =>
      typeof found === "string" || typeof own.toolOf(found, definition) !== "string",
  });
}

/** The tools that the owner accepted and that the server, as far as known, still offers. */
async function acceptedTools(own: OwnServers, server: FoundServer): Promise<readonly Tool[]> {
  const found = await own.catalog.usable(server);
  if (typeof found === "string") return [];
  const pin = (await own.pins()).get(server.name);
  if (pin?.source !== found.source) return [];
  return pin.accepted
    .filter((definition) => isOffered(pin, definition))
    .map((definition) => own.toolOf(found, definition))
    .filter((tool) => typeof tool !== "string");
}

function isOffered({ offered }: McpPin, definition: McpDefinition): boolean {
  const now = offered.find(({ name }) => name === definition.name);
  return now !== undefined && sameDefinition(now, definition);
}

/** The tool of a definition, or why it cannot be one. */
type ToolOf = (server: UsableServer, definition: McpDefinition) => Tool | string;

const maxCachedTools = 2_000;

/** Keeps tools, because each computes a digest. */
function createToolCache(deps: Pick<OwnServers, "ownerId" | "pool" | "signIn">): ToolOf {
  const tools = new Map<string, Tool | string>();
  return (server, definition) => {
    const key = JSON.stringify([server.name, server.expanded, definition]);
    const known = tools.get(key);
    if (known !== undefined) return known;
    const tool = toServerTool({
      server: server.name,
      definition,
      call: (accepted, input, context) =>
        callServer(deps, { server, definition: accepted, input }, context),
    });
    if (tools.size >= maxCachedTools) tools.clear();
    tools.set(key, tool);
    return tool;
  };
}
