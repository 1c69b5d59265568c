import pg from "pg";
import { BronError } from "@bron/core";
import { clusterUser, type Cluster } from "./cluster.ts";
import { errnoOf } from "./failures.ts";
import { socketPort } from "./socket-folder.ts";

export const databaseName = "bron";

/**
 * `starting`: a server responds, but it is starting up, shutting down (57P03) or full (53300).
 * `absent`: there is no socket, or no server listens on it. `silent`: anything else, such as a
 * broken connection or no response.
 */
type ConnectOutcome =
  | { readonly kind: "connected"; readonly client: pg.Client }
  | { readonly kind: "starting" | "absent" | "silent" };

/**
 * The host in the query is used. The one before it exists for parsers that require a host (DBOS).
 */
export function connectionUrl(
  socketFolder: string,
  { user, password }: { readonly user: string; readonly password: string },
): string {
  const socket = encodeURIComponent(socketFolder);
  return `postgres://${user}:${password}@localhost:${socketPort}/${databaseName}?host=${socket}&sslmode=disable`;
}

/**
 * Connects to the maintenance database. SCRAM authenticates both sides, so another program's socket
 * at the same path is rejected. Later errors of the connection are ignored. Use its `end` event.
 */
export async function connect(socketFolder: string, cluster: Cluster): Promise<ConnectOutcome> {
  const client = new pg.Client({
    host: socketFolder,
    port: socketPort,
    user: clusterUser,
    password: cluster.password,
    database: "postgres",
    ssl: false,
    application_name: `bron keeper ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return { kind: "connected", client };
  } catch (error) {
    await client.end().catch(() => undefined);
    return judge(error, socketFolder, cluster);
  }
}

function judge(error: unknown, socketFolder: string, cluster: Cluster): ConnectOutcome {
  const code = errnoOf(error) ?? "";
  if (code === "57P03" || code === "53300") return { kind: "starting" };
  const isRefusal =
    code.startsWith("28") || (error instanceof Error && error.message.startsWith("SASL"));
  if (!isRefusal)
    return { kind: code === "ENOENT" || code === "ECONNREFUSED" ? "absent" : "silent" };
  throw new BronError(
    "postgres_failed",
    `The Postgres at ${socketFolder} does not accept the password stored next to ${cluster.data}. Restore the file "password" of that database, or use another BRON_HOME.`,
    { cause: error },
  );
}
