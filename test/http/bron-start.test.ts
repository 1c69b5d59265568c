import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { startDemoModel, type Script, type DemoModelServer } from "@bron/demo-model";
import pg from "pg";
import { noLimits } from "../support/no-limits.ts";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { harnessSecretKey } from "../crash/support/crash-harness.ts";
import { compileCache } from "../support/compile-cache.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { cookieFrom, get, post, type Address } from "./support/signed-in-server.ts";

const main = fileURLToPath(new URL("../../apps/cli/bin/bron.mjs", import.meta.url));
const runCount = 12;

/** A script that writes text, posts one line to the board, and writes again. */
const script: Script = ({ task, results }) => {
  const text = `About ${task}: `.repeat(6);
  return results.length === 0
    ? { text, calls: [{ name: "post_note", args: { board: "team", text: task } }] }
    : { text };
};

describe("bron start", () => {
  const started: ChildProcess[] = [];
  let database: TestDatabase;
  let model: DemoModelServer;
  let home: string;
  let watch: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    model = await startDemoModel({ script, reader: () => ({ asks: [] }), chunkDelayMs: 80 });
    home = await mkdtemp(join(tmpdir(), "bron-start-"));
    watch = new pg.Client({ connectionString: database.url });
    await watch.connect();
  });
  afterAll(async () => {
    for (const child of started)
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await watch.end();
    await model.close();
    await database.drop();
    await rm(home, { recursive: true, force: true });
  });

  /** Starts a command and resolves with the match once its output matches `ready`. */
  const runtime = async (
    command: string,
    ready: RegExp,
  ): Promise<{ child: ChildProcess; output: RegExpExecArray }> => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      BRON_HOME: home,
      PORT: "0",
      ...noLimits,
      ...compileCache,
      DATABASE_URL: database.url,
      BRON_SECRET_KEY: harnessSecretKey,
      GEMINI_API_KEY: "demo",
      GEMINI_BASE_URL: model.url,
      BRON_SANDBOX: "true",
    };
    const child = spawn(process.execPath, [main, command], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    started.push(child);
    let out = "";
    for await (const chunk of child.stdout
      .setEncoding("utf8")
      .iterator({ destroyOnReturn: false })) {
      out += String(chunk);
      const output = ready.exec(out);
      if (output) return { child, output };
    }
    throw new Error(`bron ${command} ended with: ${out}`);
  };
  const holders = async () =>
    (
      await watch.query<{ lease_owner: string }>(
        "select lease_owner from runs where lease_owner is not null",
      )
    ).rows.map((row) => row.lease_owner);

  it("BR5 X2 hands its runs to a bron worker at once on SIGTERM, and every note is posted once", async () => {
    const { child, output } = await runtime("start", /^Bron is ready: (\S+)\nSign in: (\S+)/m);
    const signedIn: Address = { url: output[1]!, cookie: await cookieFrom(output[2]!) };
    const worker = await runtime("worker", /^Worker (\S+) is ready/m);
    const posted = await Promise.all(
      Array.from({ length: runCount }, (_, index) =>
        post(signedIn, "/api/runs", { prompt: `task ${index}` }),
      ),
    );
    expect(posted.map(({ status }) => status)).toEqual(posted.map(() => 201));
    // Half of the approvals have been approved when the signal comes. The others are pending.
    await expect
      .poll(async () => (await approvals(signedIn)).length, { timeout: 20_000, interval: 100 })
      .toBeGreaterThanOrEqual(runCount / 2);
    for (const { id, digest } of await approvals(signedIn))
      expect((await post(signedIn, `/api/approvals/${id}/approve`, { digest })).status).toBe(200);
    await expect
      .poll(async () => (await holders()).length, { timeout: 5_000, interval: 25 })
      .toBeGreaterThan(2);

    // Only the user may read the files of the home, including those of the simulator.
    const entries = await readdir(home, { recursive: true });
    expect(entries).toEqual(
      expect.arrayContaining([
        "sandbox/google/messages",
        "sandbox/connected-once",
        "sandbox/slack-connected-once",
      ]),
    );
    const open = await Promise.all(
      entries.map(
        async (name) =>
          [name, (await stat(join(home, name)).catch(() => undefined))?.mode ?? 0] as const,
      ),
    );
    expect(open.filter(([, mode]) => (mode & 0o077) !== 0).map(([name]) => name)).toEqual([]);

    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    expect(code).toBe(0);
    // The leases were released and did not expire, so another worker need not wait.
    expect((await holders()).filter((holder) => holder !== worker.output[1])).toEqual([]);

    const next = await runtime("start", /^Bron is ready: (\S+)\nSign in: (\S+)/m);
    const nextSignedIn = { url: next.output[1]!, cookie: await cookieFrom(next.output[2]!) };
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(200)) {
      const { rows } = await watch.query(
        "select id from runs where status not in ('completed', 'failed', 'canceled')",
      );
      if (rows.length === 0) break;
      for (const { id, digest } of await approvals(nextSignedIn))
        await post(nextSignedIn, `/api/approvals/${id}/approve`, { digest });
    }
    expect((await watch.query("select distinct status from runs")).rows).toEqual([
      { status: "completed" },
    ]);
    const board = await readFile(join(home, "boards", "team.txt"), "utf8");
    expect(
      board
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/ \[.*/, ""))
        .toSorted(),
    ).toEqual(Array.from({ length: runCount }, (_, index) => `task ${index}`).toSorted());
    for (const each of [worker.child, next.child]) {
      each.kill("SIGTERM");
      expect(await once(each, "exit")).toEqual([0, null]);
    }
  }, 90_000);
});

async function approvals(signedIn: Address): Promise<{ id: string; digest: string }[]> {
  return (
    (await get(signedIn, "/api/approvals?pending=true")).body as {
      approvals: { id: string; digest: string }[];
    }
  ).approvals;
}
