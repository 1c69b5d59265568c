import { prepareBinaries } from "./binaries.ts";
import { appUser } from "./app-role.ts";
import { assertSameMajor, clusterUser, ensureCluster } from "./cluster.ts";
import { connectionUrl } from "./connection.ts";
import { asOpenFailure } from "./failures.ts";
import { inspectHome, type EmbeddedPostgresReport } from "./inspect.ts";
import { createKeeper } from "./keeper.ts";
import { prepareLocation, prepareSystemFolder } from "./location.ts";
import { reachServer } from "./reach-server.ts";
import { thisMachine, type Surroundings } from "./surroundings.ts";

export interface EmbeddedPostgres {
  /** postgres:// URL usable by `pg` (socket host, password inside) for the database `bron`, as a role that rights bind. */
  readonly url: string;
  /** The same as the superuser, who sets the database up. */
  readonly adminUrl: string;
  /** Of the server that runs now: another one after it died and was brought back. */
  readonly pid: number;
  /** Whether this call found a running server (left by a killed parent, or shared with another process of the same home). */
  readonly adopted: boolean;
  /** Leaves; the last process out stops the server and waits for it. Idempotent. End your own connections first. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly home: string;
  readonly onProgress?: (message: string) => void;
}

/**
 * Opens the database of a home, making and starting what is missing. Throws only `BronError`. While open, a server that
 * dies is brought back under the same URL; connections that broke meanwhile are for their owners to renew.
 */
export function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return openIn(thisMachine(), options);
}

/** For `bron doctor`: looks, and changes nothing. Never throws. */
export function inspectEmbeddedPostgres(home: string): Promise<EmbeddedPostgresReport> {
  return inspectHome(thisMachine(), home);
}

export async function openIn(
  surroundings: Surroundings,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const onProgress = options.onProgress ?? (() => undefined);
  const { systemFolder } = surroundings;
  try {
    const source = await surroundings.findPackage();
    const { folder, account } = await prepareLocation({
      home: options.home,
      systemFolder,
      onProgress,
    });
    const copies = async (): Promise<string> =>
      account.lent ? prepareSystemFolder(systemFolder) : folder;
    const binaries = await prepareBinaries({ source, account, copies, onProgress });
    const cluster = await ensureCluster({ folder, account, binaries, onProgress });
    assertSameMajor(cluster, source.major);
    const setup = { folder, cluster, binaries, account, onProgress };
    const reached = await reachServer(setup);
    const keeper = createKeeper(setup, reached);
    return {
      url: connectionUrl(reached.socketFolder, { user: appUser, password: cluster.password }),
      adminUrl: connectionUrl(reached.socketFolder, {
        user: clusterUser,
        password: cluster.password,
      }),
      get pid() {
        return keeper.pid();
      },
      adopted: !reached.startedHere,
      close: keeper.leave,
    };
  } catch (error) {
    throw asOpenFailure(error, options.home);
  }
}
