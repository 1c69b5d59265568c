import { BronError } from "@bron/core";
import type { Cache } from "./cache.ts";
import { definitionsDigest } from "./definition.ts";
import { expandEntry, type ReadVariable } from "./expand-variables.ts";
import {
  findFolderServers,
  findHomeServers,
  findTrustedFolders,
  type FoundServer,
} from "./find-servers.ts";
import { sourceOf, type HttpEntry, type ServerEntry } from "./server-entry.ts";

/** A server whose entry can be used. */
export interface UsableServer extends FoundServer {
  readonly entry: ServerEntry;
  /** The entry with the values of its variables. */
  readonly expanded: ServerEntry;
  /** The digest of what decides which program or address the server is. */
  readonly source: string;
}

/** The servers of the files that count. */
export interface ServerCatalog {
  /** Those of a run: of the home, and of the run's folder. */
  serversAt(folder: string | undefined): Promise<readonly FoundServer[]>;
  /** Those of the home and of all trusted folders. Reads the files again. */
  all(): Promise<readonly FoundServer[]>;
  /** The server with its variables, or why it cannot be used. */
  usable(server: FoundServer): Promise<UsableServer | string>;
  /** Throws not_found, or invalid_input if its entry cannot be used. */
  find(name: string): Promise<UsableServer>;
  /** The file of the home changed. */
  forget(): void;
}

interface CatalogDeps {
  readonly home: string;
  readonly readVariable: ReadVariable;
  readonly cache: Cache;
  /** Servers that are in no file. */
  readonly samples: Readonly<Record<string, HttpEntry>>;
}

export function createServerCatalog({
  home,
  readVariable,
  cache,
  samples,
}: CatalogDeps): ServerCatalog {
  const ofSamples = Object.entries(samples).map(([name, entry]): FoundServer => ({
    name,
    title: name,
    folder: undefined,
    entry,
    problem: undefined,
    isTrusted: true,
    isSample: true,
  }));
  /** A server of the owner replaces a sample of the same name. */
  const withSamples = (servers: readonly FoundServer[]) => [
    ...servers,
    ...ofSamples.filter(({ name }) => !servers.some((server) => server.name === name)),
  ];
  const catalog: ServerCatalog = {
    async serversAt(folder) {
      const own = withSamples(await cache.load("home", () => findHomeServers(home)));
      if (folder === undefined) return own;
      const found = cache.load(`folder ${folder}`, () => findFolderServers(home, folder));
      return [...own, ...(await found)];
    },
    async all() {
      cache.forget("home");
      const folders = await findTrustedFolders(home);
      const found = await Promise.all(folders.map((folder) => findFolderServers(home, folder)));
      return [...withSamples(await findHomeServers(home)), ...found.flat()];
    },
    async usable(server) {
      const { entry } = server;
      if (!entry) return server.problem ?? "Its entry cannot be used.";
      if (entry.disabled === true) return "Its file turns it off.";
      const expanded = expandEntry(entry, readVariable);
      if (!expanded.ok) return expanded.problem;
      // The address of a sample changes from start to start, and Bron itself decides it.
      const source = await definitionsDigest(
        server.isSample ? { sample: server.name } : sourceOf(entry),
      );
      return { ...server, entry, expanded: expanded.entry, source };
    },
    async find(name) {
      const server = (await catalog.all()).find((one) => one.name === name);
      if (!server) throw new BronError("not_found", `There is no MCP server ${name}.`);
      const found = await catalog.usable(server);
      if (typeof found === "string") throw new BronError("invalid_input", `${name}: ${found}`);
      return found;
    },
    forget: () => cache.forget("home"),
  };
  return catalog;
}

/** The servers of a home and of trusted folders, with what is wrong with their entries. */
export async function findServerProblems(
  home: string,
  readVariable: ReadVariable,
): Promise<readonly { readonly title: string; readonly problem: string | undefined }[]> {
  const cache: Cache = { load: (_, load) => load(), forget: () => undefined };
  const catalog = createServerCatalog({ home, readVariable, cache, samples: {} });
  const servers = await catalog.all();
  return await Promise.all(
    servers.map(async (server) => {
      const found = await catalog.usable(server);
      return { title: server.title, problem: typeof found === "string" ? found : undefined };
    }),
  );
}
