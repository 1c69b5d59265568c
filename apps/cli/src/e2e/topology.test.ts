import { createServer } from "node:net";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startDemoModel, type Script, type DemoModelServer } from "@bron/demo-model";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { fillIn, readComposeFile } from "../compose-file.fixture.ts";
import { makeTempFolder } from "@bron/testing";
import { runBron, spawnBron, stopAll, type RunningBron } from "./spawn-bron.fixture.ts";

const runCount = 8;

/** A slow script with tool calls in between. */
const script: Script = ({ task, results }) => ({
  text: `About ${task}: `.repeat(12),
  ...(results.length < 2
    ? { calls: [{ name: "calculator", args: { expression: "2 * 21" } }] }
    : {}),
});

interface Started {
  readonly running: RunningBron;
  readonly ready: { readonly url?: string; readonly worker: string };
  readonly home: string;
}

/** Runs the services of compose.yaml as processes, each with its own home, as containers have. */
describe("the topology of compose.yaml", () => {
  const services = readComposeFile();
  const running: RunningBron[] = [];
  let folder: string;
  let database: TestDatabase;
  let model: DemoModelServer;
  let watch: pg.Client;
  let publicUrl: string;
  let server: Started;
  let workers: Started[];

  const start = async (name: "server" | "worker", home: string): Promise<Started> => {
    const { environment = {}, command = [] } = services[name] ?? {};
    const filled = fillIn(environment, {
      POSTGRES_PASSWORD: "pw",
      BRON_SECRET_KEY: "the secret of a whole topology, long enough",
      BRON_PUBLIC_URL: publicUrl,
      GEMINI_API_KEY: "demo",
    });
    // Replaces the host names and ports of the compose network with local ones.
    const here = {
      DATABASE_URL: database.url,
      GEMINI_BASE_URL: model.url,
      BRON_HOME: join(folder, home),
      BRON_LIMIT_RUNS_PER_WORKER: "3",
      ...(name === "server" ? { PORT: new URL(publicUrl).port } : { BRON_WORKER_PORT: "0" }),
    };
    const runtime = spawnBron(command, { ...filled, ...here, LOG_FORMAT: "json" });
    running.push(runtime);
    const [line] = await runtime.waitFor(/^\{"ready".*$/m);
    return { running: runtime, ready: JSON.parse(line) as Started["ready"], home: here.BRON_HOME };
  };

  beforeAll(async () => {
    folder = await makeTempFolder();
    database = await createTestDatabase(inject("postgresUrl"));
    model = await startDemoModel({ script, reader: () => ({ asks: [] }), chunkDelayMs: 60 });
    watch = new pg.Client({ connectionString: database.url });
    await watch.connect();
    publicUrl = `http://localhost:${await freePort()}`;
    const replicas = Array.from(
      { length: Number(services["worker"]?.deploy?.replicas) },
      (_, index) => index,
    );
    [server, ...workers] = await Promise.all([
      start("server", "server"),
      ...replicas.map((index) => start("worker", `worker-${index}`)),
    ]);
  }, 90_000);
  afterAll(async () => {
    await stopAll(running);
    await watch.end();
    await model.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const holders = async () =>
    (
      await watch.query<{ lease_owner: string }>(
        "select lease_owner from runs where lease_owner is not null and lease_until > clock_timestamp()",
      )
    ).rows.map((row) => row.lease_owner);
  const statuses = async () =>
    (await watch.query<{ status: string }>("select distinct status from runs")).rows.map(
      ({ status }) => status,
    );
  const urlOf = ({ ready }: Started) => (ready.url ?? "").replace("0.0.0.0", "127.0.0.1");

  test(
    "BR5 X2 both workers process the server's runs, and the runs continue when one worker is killed",
    { timeout: 90_000 },
    async () => {
      expect(server.ready.url).toBe(publicUrl);
      expect(workers).toHaveLength(2);
      const { out } = await runBron(["open", "--json"], {
        BRON_HOME: server.home,
        DATABASE_URL: database.url,
        BRON_SECRET_KEY: "the secret of a whole topology, long enough",
      });
      const signedIn = await fetch((JSON.parse(out) as { signIn: string }).signIn, {
        redirect: "manual",
      });
      const cookie = signedIn.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
      const post = async (path: string, body: object) =>
        await fetch(`${publicUrl}${path}`, {
          method: "POST",
          headers: { cookie, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const created = await Promise.all(
        Array.from({ length: runCount }, (_, index) =>
          post("/api/runs", { prompt: `task ${index}` }),
        ),
      );
      expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
      const [victim, survivor] = workers as [Started, Started];
      await expect
        .poll(async () => new Set(await holders()), { timeout: 30_000, interval: 20 })
        .toEqual(new Set([server, victim, survivor].map(({ ready }) => ready.worker)));

      victim.running.process.kill("SIGKILL");
      await victim.running.finished;
      expect(await holders()).toContain(victim.ready.worker);
      await expect.poll(statuses, { timeout: 60_000, interval: 100 }).toEqual(["completed"]);
      expect((await watch.query("select count(*)::int as runs from runs")).rows).toEqual([
        { runs: runCount },
      ]);

      const { token } = (await (
        await post("/api/tokens", { name: "Prometheus", scopes: ["read"] })
      ).json()) as { token: string };
      const ended = await Promise.all(
        [server, survivor].map(
          async (one) => await metric(urlOf(one), token, 'bron_runs_total{status="completed",'),
        ),
      );
      for (const count of ended) expect(count).toBeGreaterThan(0);
      // The metrics of runs that the killed worker had finished are lost with it.
      expect(ended.reduce((all, count) => all + count, 0)).toBeLessThanOrEqual(runCount);
    },
  );

  test(
    "BR23 a worker serves health checks and shuts down cleanly",
    { timeout: 60_000 },
    async () => {
      const survivor = workers[1]!;
      for (const path of ["/healthz", "/readyz"])
        expect((await fetch(`${urlOf(survivor)}${path}`)).status).toBe(200);
      expect((await fetch(`${urlOf(survivor)}/api/runs`)).status).toBe(401);
      for (const { running: one } of [survivor, server]) {
        one.process.kill("SIGTERM");
        expect((await one.finished).code).toBe(0);
      }
      const lines = (await survivor.running.finished).err
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { what?: string; status?: string });
      expect(
        lines.filter(({ what, status }) => what === "run_ended" && status === "completed").length,
      ).toBeGreaterThan(0);
    },
  );
});

/** The sum of all samples that begin like this, whatever their other labels are. */
async function metric(url: string, token: string, sample: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return (await response.text())
    .split("\n")
    .filter((line) => line.startsWith(sample))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** The port of the public address, which must be known before the server starts. */
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  await new Promise((resolve) => taken.close(resolve));
  return port;
}
