import { prepareBinaries } from "./binaries.ts";
import { appUser } from "./app-role.ts";
import { assertSameMajor, clusterUser, ensureCluster } from "./cluster.ts";
import { connectionUrl } from "./connection.ts";
import { asOpenFailure } from "./failures.ts";
import { inspectHome, type EmbeddedPostgresReport } from "./inspect.ts";
import { createKeeper } from "./keeper.ts";
import { prepareLocation, prepareSystemFolder } from "./location.ts";
import { reachServer } from "./reach-server.ts";
import { thisEnvironment, type Environment } from "./environment.ts";

export interface EmbeddedPostgres {
  /**
   * A postgres:// URL for `pg` (with the socket as host, and the password) for the database `bron`,
   * as a role with limited rights.
   */
  readonly url: string;
  /** The same as the superuser, for setting up the database. */
  readonly adminUrl: string;
  /**
   * The pid of the server that runs now. It changes when the server was restarted after a crash.
   */
  readonly pid: number;
  /**
   * Whether this call found a running server, which a killed parent left or another process of the
   * same home uses.
   */
  readonly adopted: boolean;
  /**
   * Releases the server. The last process that releases it stops it and waits for its exit.
   * Idempotent. Close your own connections first.
   */
  close(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  readonly home: string;
  readonly onProgress?: (message: string) => void;
}

/**
 * Opens the database of a home. Creates and starts what is missing. Throws only `BronError`. While
 * it is open, a crashed server is restarted with the same URL. The callers must renew their own
 * connections.
 */
export function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return openIn(thisEnvironment(), options);
}

/** For `bron doctor`. Inspects without changing anything. Never throws. */
export function inspectEmbeddedPostgres(home: string): Promise<EmbeddedPostgresReport> {
  return inspectHome(thisEnvironment(), home);
}

export async function openIn(
  environment: Environment,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const onProgress = options.onProgress ?? (() => undefined);
  const { systemFolder } = environment;
  try {
    const source = await environment.findPackage();
    const { folder, account } = await prepareLocation({
      home: options.home,
      systemFolder,
      onProgress,
    });
    const copies = async (): Promise<string> =>
      account.dropsRoot ? prepareSystemFolder(systemFolder) : folder;
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
