import { mkdir, readFile, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { inspectEmbeddedPostgres, openEmbeddedPostgres } from "./embedded-postgres.ts";
import { dataFolder } from "./location.ts";
import { findPostmaster } from "./postmaster.ts";
import {
  lend,
  makeFolder,
  makeHome,
  makeSharedHome,
  openHere,
  query,
  type SharedHome,
} from "./test-home.fixture.ts";

const timeout = 30_000;

let shared: SharedHome;
beforeAll(async () => void (shared = await makeSharedHome()), timeout);
afterEach(() => shared.stop());
afterAll(() => shared.remove());

test(
  "creates a database on first use, keeps it, and stops the server at the end",
  { timeout },
  async () => {
    const home = await makeHome();
    expect(await inspectEmbeddedPostgres(home)).toEqual({ state: "absent" });
    const first = await openHere(home);
    expect(first.adopted).toBe(false);
    expect(await query(first.url, "select current_database()")).toEqual(["bron"]);
    await query(first.url, "create table kept as select 'Größe' as word");
    const location = join(home, "postgres");
    expect(await inspectEmbeddedPostgres(home)).toEqual({
      state: "running",
      major: "18",
      location,
      detail: `pid ${first.pid}`,
    });
    await Promise.all([first.close(), first.close()]);
    expect(await inspectEmbeddedPostgres(home)).toEqual({
      state: "stopped",
      major: "18",
      location,
    });

    const second = await openHere(home);
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "select lower(upper(word)) from kept")).toEqual(["größe"]);
    await second.close();
    expect(await readFile(join(location, "postgres.log"), "utf8")).toContain(
      "database system was shut down",
    );
  },
);

test("runs durably, behind a password, without a port", { timeout }, async () => {
  const server = await openHere(shared.path);
  const names = [
    "fsync",
    "full_page_writes",
    "synchronous_commit",
    "listen_addresses",
    "max_connections",
    "shared_buffers",
    "server_encoding",
    "data_checksums",
  ];
  const settings = await query(
    server.url,
    `select current_setting(name) from unnest('{${names.join()}}'::text[]) with ordinality as t(name, n) order by n`,
  );
  expect(settings).toEqual(["on", "on", "on", "", "200", "64MB", "UTF8", "on"]);
  expect(
    await query(server.adminUrl, "select left(rolpassword, 16) from pg_authid where rolcanlogin"),
  ).toEqual(["SCRAM-SHA-256$1:", "SCRAM-SHA-256$1:"]);
  const wrong = new URL(server.url);
  wrong.password = "wrong";
  await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  await server.close();
});

test("works in paths with spaces, umlauts, quotes and shell commands", { timeout }, async () => {
  const home = await makeHome(`a "b", 'c' ü $(touch d) %2F & \\e`);
  const server = await openHere(home);
  expect(await query(server.adminUrl, "show data_directory")).toEqual([
    join(home, "postgres/cluster/data"),
  ]);
  await server.close();
  expect(await readdir(dirname(home))).toHaveLength(1);
});

test("treats a relative home and a link to it as the same home", { timeout }, async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, "real"), { mode: 0o755 });
  await symlink("real", join(folder, "link"));
  await lend(shared, join(folder, "real"));
  const one = await openHere(relative(process.cwd(), join(folder, "real")));
  const two = await openHere(join(folder, "link"));
  expect(two).toMatchObject({ pid: one.pid, url: one.url, adopted: true });
  await Promise.all([one.close(), two.close()]);
  expect(await findPostmaster(dataFolder(join(folder, "real/postgres")))).toBeUndefined();
});

test(
  "puts the socket of a long home into /tmp, under the same name each time, and removes it",
  { timeout },
  async () => {
    const home = await makeHome(`${"long/".repeat(40)}home`);
    await lend(shared, home);
    const first = await openHere(home);
    const socketFolder = new URL(first.url).searchParams.get("host") ?? "";
    expect(socketFolder).toMatch(/^\/tmp\/bron-\w+$/);
    expect(await query(first.url, "select 1")).toEqual([1]);
    await first.close();
    await expect(readdir(socketFolder)).rejects.toMatchObject({ code: "ENOENT" });
    const second = await openHere(home);
    expect(second.url).toBe(first.url);
    await second.close();
  },
);

test("rejects data of another major version and names both", { timeout }, async () => {
  const home = shared.path;
  const { data } = shared;
  await writeFile(join(data, "PG_VERSION"), "17\n");
  onTestFinished(() => writeFile(join(data, "PG_VERSION"), "18\n"));
  const failure = {
    code: "postgres_version",
    message: expect.stringMatching(
      new RegExp(`${data}.*Postgres 17.*Postgres 18.*backup.*BRON_HOME`),
    ) as unknown,
  };
  await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject(failure);
  expect(await inspectEmbeddedPostgres(home)).toMatchObject({
    state: "broken",
    major: "17",
    detail: failure.message,
  });
});

test("shows the end of the log when Postgres does not start", { timeout }, async () => {
  const home = shared.path;
  const file = join(shared.data, "postgresql.auto.conf");
  await writeFile(file, "nonsense = 1\n");
  onTestFinished(() => writeFile(file, ""));
  await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject({
    code: "postgres_failed",
    message: expect.stringMatching(
      /postgres\.log[^]*unrecognized configuration parameter "nonsense"/,
    ) as unknown,
  });
});

test("reports an incomplete database and does not change it", { timeout }, async () => {
  const home = await makeHome();
  const precious = join(home, "postgres/cluster/data/base/1/1234");
  await mkdir(dirname(precious), { recursive: true });
  await writeFile(precious, "rows");
  const failure = {
    code: "home_unusable",
    message: expect.stringMatching(/PG_VERSION is missing.*Move it away/) as unknown,
  };
  await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject(failure);
  expect(await inspectEmbeddedPostgres(home)).toMatchObject({
    state: "broken",
    detail: failure.message,
  });
  expect(await readFile(precious, "utf8")).toBe("rows");
});

test("names the password file when it is missing or wrong", { timeout }, async () => {
  const home = shared.path;
  const server = await openHere(home);
  const file = join(home, "postgres/cluster/password");
  await rename(file, `${file}.bak`);
  onTestFinished(() => rename(`${file}.bak`, file));
  await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject({
    code: "home_unusable",
    message: expect.stringContaining("password is missing") as unknown,
  });
  await writeFile(file, "wrong");
  await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject({
    code: "postgres_failed",
    message: expect.stringContaining("password") as unknown,
  });
  await server.close();
});

test("explains why a home cannot be used", { timeout }, async () => {
  const folder = await makeFolder();
  const file = join(folder, "file");
  await writeFile(file, "");
  await symlink("nowhere/at/all", join(folder, "dangling"));
  for (const home of [
    file,
    join(file, "below"),
    join(folder, "dangling"),
    join(folder, "x".repeat(300)),
    "",
    "/proc/bron",
  ]) {
    await expect(openEmbeddedPostgres({ home }), home).rejects.toMatchObject({
      code: "home_unusable",
      message: expect.stringContaining(home) as unknown,
    });
  }
});

test("starts a new log when the old one is over 5 MB", { timeout }, async () => {
  const home = shared.path;
  const log = join(home, "postgres/postgres.log");
  await writeFile(log, "x".repeat(5 * 1024 * 1024 + 1));
  await (await openEmbeddedPostgres({ home })).close();
  expect((await readFile(log, "utf8")).length).toBeLessThan(10_000);
  expect((await readFile(`${log}.old`, "utf8")).length).toBeGreaterThan(5_000_000);
});
