import { isFullSuite } from "@bron/testing";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal, type RunEvent } from "@bron/protocol";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "@bron/store";
import type { Script } from "@bron/demo-model";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHarness, type Harness } from "../crash/support/crash-harness.ts";
import { judge } from "../crash/support/judge.ts";
import { get, post, signIn, type SignedInServer } from "./support/signed-in-server.ts";
import { openSmallDisk } from "./support/small-disk.ts";

const ownerId = "local";
const mebibyte = 1024 * 1024;
const artifactBytes = 6 * mebibyte;

/** A script that saves an artifact, or works for a while. */
const script: Script = ({ task, results }) => {
  const [name, most, text] = task.startsWith("keep")
    ? ["keep_bytes", 1, String(artifactBytes)]
    : ["slow_read", 8, "a step"];
  return results.length < most
    ? { text: "Working. ", calls: [{ name, args: { text } }] }
    : { text: "Done." };
};

// The bytes of artifacts are in the database, so the test fills the database's disk. Only root may
// mount a disk that is small enough.
const disk = await openSmallDisk(128 * mebibyte);
if (!disk) console.log("Skipped: a full disk needs Linux, and root with the right to mount.");

describe.skipIf(!disk)("a full disk under the database", () => {
  let postgres: EmbeddedPostgres;
  let harness: Harness;
  let signedIn: SignedInServer;
  let admin: pg.Client;
  beforeAll(async () => {
    postgres = await openEmbeddedPostgres({ home: disk!.folder });
    harness = await openHarness(postgres.adminUrl, { leaseMs: 2_000, script, isEmpty: true });
    signedIn = await harness.start({ serve: { ownerId }, slowMs: 200 }).then(signIn);
    admin = new pg.Client({ connectionString: harness.databaseUrl });
    // Postgres stops during this test.
    admin.on("error", () => undefined);
    await admin.connect();
  });
  afterAll(async () => {
    try {
      await disk!.free();
      for (let tries = 0; tries < 100 && !(await isReady()); tries++) await sleep(200);
      await admin.end().catch(() => undefined);
      await harness.close();
    } finally {
      await postgres.close();
      await disk!.close();
    }
  });

  const isReady = async () => (await get(signedIn, "/readyz")).status === 200;
  const startRun = async (prompt: string) => {
    const { status, body } = await post(signedIn, "/api/runs", { prompt });
    expect(status).toBe(201);
    return (body as { id: string }).id;
  };
  const artifactsOf = async (runId: string) =>
    (
      (await get(signedIn, `/api/runs/${runId}/artifacts`)).body as {
        artifacts: { digest: string; sizeBytes: number }[];
      }
    ).artifacts;

  it("BR18 X2 says that the disk is full, leaves nothing half-written, and saves the artifact once there is room", async () => {
    // Starts a fresh segment of the write-ahead log, so that the table is what finds no room.
    await admin.query("select pg_switch_wal()");
    await admin.query("checkpoint");
    await disk!.fill(2 * mebibyte);
    const kept = await startRun("keep one");
    const eventsOf = async () =>
      ((await get(signedIn, `/api/runs/${kept}/events`)).body as { events: RunEvent[] }).events;
    const warnings = async () =>
      (await eventsOf()).flatMap((event) => (event.type === "log" ? [event.payload] : []));
    await expect
      .poll(warnings, { timeout: 20_000 })
      .toMatchObject([{ kind: "outage", code: "disk_full" }]);
    expect(await artifactsOf(kept)).toEqual([]);
    expect((await admin.query("select digest from blobs")).rows).toEqual([]);
    expect(await disk!.freeBytes()).toBeLessThan(mebibyte);
    for (const path of ["/readyz", "/api/runs", `/api/runs/${kept}/events`])
      expect((await get(signedIn, path)).status, path).toBe(200);

    await disk!.free();
    await harness.until(ownerId, kept, ({ status }) => status === "completed", 20_000);
    expect(
      (await eventsOf()).find(({ type, payload }) => type === "tool" && payload.phase === "end"),
    ).toMatchObject({ payload: { outcome: "completed" } });
    const [artifact, ...more] = await artifactsOf(kept);
    expect({ artifact, more }).toMatchObject({ artifact: { sizeBytes: artifactBytes }, more: [] });
    expect(
      createHash("sha256")
        .update(await bytesOf(signedIn, artifact!.digest))
        .digest("hex"),
    ).toBe(artifact!.digest.replace(/^sha256:/, ""));
  }, 60_000);

  it.runIf(isFullSuite)(
    "X2 BR5 recovers after the write-ahead log found no room and Postgres went down",
    async () => {
      const runs = await Promise.all(
        Array.from({ length: 6 }, (_, index) => startRun(`walk ${index}`)),
      );
      await Promise.all(
        runs.map((runId) => harness.until(ownerId, runId, ({ lastSeq }) => lastSeq > 8)),
      );
      await disk!.fill(0);
      await writeUntilDown(admin);
      await expect.poll(isReady, { timeout: 20_000, interval: 50 }).toBe(false);
      expect(await get(signedIn, "/api/runs")).toMatchObject({
        status: 503,
        body: { code: "database_unreachable" },
      });
      expect((await get(signedIn, "/healthz")).status).toBe(200);

      await disk!.free();
      const freedAt = Date.now();
      await expect.poll(isReady, { timeout: 30_000, interval: 50 }).toBe(true);
      console.log(`ready again ${Date.now() - freedAt} ms after there was room`);
      runs.push(await startRun("walk afterwards"));
      for (const runId of runs)
        judge(
          await harness.until(ownerId, runId, ({ status }) => isTerminal(status), 40_000),
          await harness.events(ownerId, runId),
          harness.simulator,
        );
      expect(signedIn.process.process.exitCode).toBeNull();
    },
    90_000,
  );
});

/** Writes only to the write-ahead log. When that finds no room, Postgres can only stop. */
async function writeUntilDown(client: pg.Client): Promise<void> {
  for (let written = 0; written < 256; written++) {
    const failure = await client
      .query("select pg_logical_emit_message(false, 'bron-test', repeat('x', 1000000))")
      .then(
        () => undefined,
        (error: Error) => error,
      );
    if (failure) return;
  }
  throw new Error("Postgres still had room");
}

async function bytesOf(signedIn: SignedInServer, digest: string): Promise<Uint8Array> {
  const response = await fetch(`${signedIn.url}/api/artifacts/${digest}`, {
    headers: { cookie: signedIn.cookie },
  });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}
