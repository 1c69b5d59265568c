import { spawn } from "node:child_process";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { chooseAccount, giveTo, spawnAs } from "./account.ts";
import { dataFolder } from "./location.ts";
import { findPostmaster } from "./postmaster.ts";
import {
  makeHome,
  makeSharedHome,
  openElsewhere,
  openHere,
  query,
  type SharedHome,
} from "./test-home.fixture.ts";

const timeout = 40_000;

let shared: SharedHome;
beforeAll(async () => void (shared = await makeSharedHome()), timeout);
afterEach(() => shared.stop());
afterAll(() => shared.remove());

function postmasterOf(home: string) {
  return findPostmaster(dataFolder(join(home, "postgres")));
}

/** Acts like another process that uses the server. */
async function holdLock(
  opened: { url?: string },
  lock: { call: string; name: string },
): Promise<pg.Client> {
  const url = new URL(opened.url ?? "");
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href, application_name: lock.name });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  await expect
    .poll(async () => (await client.query(`select ${lock.call}(${0x62_72_6f_6e}) as held`)).rows)
    .toEqual([{ held: true }]);
  return client;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}

test("adopts the server of a process that was killed", { timeout }, async () => {
  const home = shared.path;
  const other = openElsewhere(home);
  const { pid, url } = await other.opened;
  await query(url ?? "", "create table if not exists kept as select 1 as n");
  await other.kill();
  const server = await openHere(home);
  expect(server).toMatchObject({ pid, url, adopted: true });
  expect(await query(server.url, "select n from kept")).toEqual([1]);
  await server.close();
  expect(await postmasterOf(home)).toBeUndefined();
});

test("survives Ctrl-C in the terminal of the process that started it", { timeout }, async () => {
  const home = shared.path;
  const other = openElsewhere(home);
  const { pid, url } = await other.opened;
  process.kill(-other.pid, "SIGINT");
  await other.ended;
  expect(await query(url ?? "", "select 1")).toEqual([1]);
  expect((await postmasterOf(home))?.pid).toBe(pid);
});

test(
  "is started once by processes that open a new home at the same time, and stopped by the last one",
  { timeout },
  async () => {
    const home = await makeHome();
    const others = [openElsewhere(home), openElsewhere(home), openElsewhere(home)];
    const opened = await Promise.all(others.map((other) => other.opened));
    expect(opened.map((each) => each.message)).toEqual([undefined, undefined, undefined]);
    expect(new Set(opened.map((each) => each.pid)).size).toBe(1);
    expect(opened.filter((each) => each.adopted === false)).toHaveLength(1);
    expect(await readdir(join(home, "postgres"))).toEqual(["cluster", "postgres.log", "socket"]);
    for (const other of others) {
      expect(await query(opened[0]?.url ?? "", "select 1")).toEqual([1]);
      await other.close();
    }
    expect(await postmasterOf(home)).toBeUndefined();
  },
);

test(
  "is available to a process that opens it while the last one stops it",
  { timeout },
  async () => {
    const home = shared.path;
    let current = await openHere(home);
    for (const delayMs of [0, 1, 2, 4, 6, 8, 12, 20]) {
      const closing = current.close();
      await sleep(delayMs);
      const next = await openHere(home);
      await closing;
      expect(await query(next.url, "select 1")).toEqual([1]);
      current = next;
    }
    await current.close();
    expect(await postmasterOf(home)).toBeUndefined();
  },
);

test(
  "is restarted with the same URL after a kill, for every process that has it open",
  { timeout },
  async () => {
    const home = shared.path;
    const other = openElsewhere(home);
    await other.opened;
    const server = await openHere(home);
    await query(server.url, "create table if not exists kept as select 1 as n");
    for (let round = 0; round < 2; round += 1) {
      const { pid } = server;
      process.kill(pid, "SIGKILL");
      await expect.poll(() => server.pid, { timeout: 10_000 }).not.toBe(pid);
      expect(await query(server.url, "select n from kept")).toEqual([1]);
    }
    // Both hold the lock again, so the first to leave must not stop the server.
    const locks =
      "select count(*)::int from pg_locks where locktype = 'advisory' and mode = 'ShareLock'";
    await expect.poll(() => query(server.url, locks), { timeout: 10_000 }).toEqual([2]);
    await other.close();
    expect(await query(server.url, "select n from kept")).toEqual([1]);
    await server.close();
    expect(await postmasterOf(home)).toBeUndefined();
  },
);

test.each([0, 3, 10, 30, 60])(
  "stays stopped when it is closed %i ms after a kill",
  { timeout },
  async (delayMs) => {
    const server = await openHere(shared.path);
    process.kill(server.pid, "SIGKILL");
    await sleep(delayMs);
    await server.close();
    expect(await postmasterOf(shared.path)).toBeUndefined();
  },
);

test("waits for a server that is shutting down, then starts another", { timeout }, async () => {
  const home = shared.path;
  const other = openElsewhere(home);
  const { pid, url } = await other.opened;
  await other.kill();
  const lingering = new pg.Client({ connectionString: url });
  await lingering.connect();
  process.kill(pid ?? 0, "SIGTERM"); // waits for its last client, refusing new ones with 57P03
  const opening = openHere(home);
  expect(await Promise.race([opening, sleep(300, "waiting")])).toBe("waiting");
  await lingering.end();
  const server = await opening;
  expect(server.adopted).toBe(false);
  expect(server.pid).not.toBe(pid);
  await server.close();
});

test("waits for the children of a killed server to exit", { timeout }, async () => {
  const home = shared.path;
  const other = openElsewhere(home);
  const { pid, adminUrl } = await other.opened;
  const [child] = await query(
    adminUrl ?? "",
    "select pid from pg_stat_activity where backend_type = 'checkpointer'",
  );
  await other.kill();
  process.kill(Number(child), "SIGSTOP");
  onTestFinished(() => killIfThere(Number(child)));
  process.kill(pid ?? 0, "SIGKILL");
  const opening = openHere(home);
  expect(await Promise.race([opening, sleep(800, "waiting")])).toBe("waiting");
  killIfThere(Number(child));
  expect((await opening).adopted).toBe(false);
});

test("does not join while another process is about to stop it", { timeout }, async () => {
  const other = openElsewhere(shared.path);
  const opened = await other.opened;
  await other.kill();
  const stopping = await holdLock(opened, { call: "pg_try_advisory_lock", name: "bron keeper 1" });
  const opening = openHere(shared.path);
  expect(await Promise.race([opening, sleep(300, "waiting")])).toBe("waiting");
  await stopping.end();
  expect((await opening).adopted).toBe(true);
});

test("is not kept running by the lock of a dead process", { timeout }, async () => {
  const server = await openHere(shared.path);
  const dead = await holdLock(server, {
    call: "pg_try_advisory_lock_shared",
    name: "bron keeper 4194305",
  }); // above the largest pid
  const closing = server.close();
  expect(await Promise.race([closing, sleep(200, "waiting")])).toBe("waiting");
  await dead.end();
  await closing;
  expect(await postmasterOf(shared.path)).toBeUndefined();
});

test.each(["process", "zombie"])(
  "ignores lock files whose pid now belongs to another %s of its user",
  { timeout },
  async (kind) => {
    const home = shared.path;
    const server = await openHere(home);
    const data = dataFolder(join(home, "postgres"));
    const files = [join(data, "postmaster.pid"), join(home, "postgres/socket/.s.PGSQL.5432.lock")];
    const contents = await Promise.all(files.map((file) => readFile(file, "utf8")));
    const oldPid = server.pid;
    await server.close();

    const account = await chooseAccount(data);
    const script =
      kind === "zombie" ? "sleep 0 & echo $!; exec sleep 60" : "echo $$; exec sleep 60";
    const stranger = spawn("/bin/sh", ["-c", script], {
      ...spawnAs(account),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const pid = await new Promise<string>((done) =>
      createInterface(stranger.stdout).once("line", done),
    );
    for (const [index, file] of files.entries()) {
      await writeFile(file, (contents[index] ?? "").replace(String(oldPid), pid), { mode: 0o600 });
      await giveTo(account, file);
    }
    const again = await openHere(home);
    expect(await query(again.url, "select 1")).toEqual([1]);
    await again.close();
  },
);

test("restarts a server whose socket was removed", { timeout }, async () => {
  const home = shared.path;
  const other = openElsewhere(home);
  const { pid, url } = await other.opened;
  await other.kill();
  await rm(join(home, "postgres/socket"), { recursive: true });
  const server = await openHere(home);
  expect(server).toMatchObject({ url, adopted: false });
  expect(server.pid).not.toBe(pid);
  await server.close();
});

test.each([250, 600])(
  "a kill %i ms into the first start leaves no database or a complete one",
  { timeout },
  async (delayMs) => {
    const home = await makeHome();
    const other = openElsewhere(home);
    await sleep(delayMs);
    await other.kill();
    const server = await openHere(home);
    expect(await query(server.url, "select 1")).toEqual([1]);
    await server.close();
    const leftovers = async () =>
      (await readdir(join(home, "postgres"))).filter((name) => name.startsWith("."));
    const reopen = async () => {
      await (await openHere(home)).close();
      return leftovers();
    };
    await expect.poll(reopen, { timeout: 10_000, interval: 200 }).toEqual([]);
  },
);
