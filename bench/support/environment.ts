import { openEmbeddedPostgres, type EmbeddedPostgres } from "@bron/store";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startProgram, startRemote, type Remote } from "./remote-calls.ts";
import type { Subject, SubjectOrders } from "./subject.ts";

export interface Environment {
  readonly modelUrl: string;
  readonly quick: boolean;
  /** For observation from outside. The measured code never uses it. */
  readonly admin: pg.Client;
  /** Creates a separate database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Starts Bron and the bare loop, each in its own process and on its own database. */
  startPair(): Promise<SubjectPair>;
  close(): Promise<void>;
}

export interface RemoteSubject extends Remote<Subject> {
  /** The name of its database. */
  readonly database: string;
}

export interface SubjectPair {
  readonly bron: RemoteSubject;
  readonly bare: RemoteSubject;
  close(): Promise<void>;
}

interface EnvironmentOptions {
  readonly quick: boolean;
  /** The folder for CPU profiles of the processes under test. */
  readonly profiles: string | undefined;
}

/** Opens a Postgres as Bron runs it, with fsync on, and a model over loopback HTTP. */
export async function openEnvironment({
  quick,
  profiles,
}: EnvironmentOptions): Promise<Environment> {
  const home = await temporaryHome();
  const postgres = await openEmbeddedPostgres({ home });
  const closePostgres = async () => {
    await postgres.close();
    await rm(home, { recursive: true, force: true });
  };
  try {
    return await openOn(postgres, closePostgres, { quick, profiles });
  } catch (error) {
    await closePostgres();
    throw error;
  }
}

async function openOn(
  postgres: EmbeddedPostgres,
  closePostgres: () => Promise<void>,
  { quick, profiles }: EnvironmentOptions,
): Promise<Environment> {
  const model = await startProgram("model-server.ts", []);
  const modelUrl = String(model.ready);
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  // The client emits an error when its server goes away. The next query reports it too.
  admin.on("error", () => undefined);
  await admin.connect();
  let databases = 0;
  const createDatabase = async () => {
    const name = `bench_${databases++}`;
    await admin.query(`create database ${name}`);
    const url = new URL(postgres.adminUrl);
    url.pathname = `/${name}`;
    return url.href;
  };
  const start = async (kind: SubjectOrders["kind"]): Promise<RemoteSubject> => {
    const orders: SubjectOrders = { kind, databaseUrl: await createDatabase(), modelUrl };
    const execArgv =
      profiles === undefined
        ? []
        : [
            "--cpu-prof",
            `--cpu-prof-dir=${profiles}`,
            `--cpu-prof-name=${kind}-${databases}.cpuprofile`,
          ];
    return {
      ...(await startRemote<Subject>("subject-process.ts", orders, execArgv)),
      database: new URL(orders.databaseUrl).pathname.slice(1),
    };
  };
  return {
    modelUrl,
    quick,
    admin,
    createDatabase,
    async startPair() {
      const bron = await start("bron");
      try {
        const bare = await start("bare");
        return {
          bron,
          bare,
          close: async () => void (await Promise.all([bron.close(), bare.close()])),
        };
      } catch (error) {
        await bron.close();
        throw error;
      }
    },
    async close() {
      if (model.child.connected) {
        const ended = once(model.child, "exit");
        model.child.disconnect();
        await ended;
      }
      await admin.end().catch(() => undefined);
      await closePostgres();
    },
  };
}

/** As root, Postgres runs as another uid, which must be able to enter the folder. */
export async function temporaryHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "bron-bench-"));
  await chmod(home, 0o711);
  return home;
}
