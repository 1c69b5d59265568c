// Behavior that depends on the user that runs Bron. Most of it can be tested only as root, who can
// switch to any user.
import { execFile } from "node:child_process";
import { chmod, chown, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { inspectHome } from "./inspect.ts";
import { openEmbeddedPostgres, openIn } from "./embedded-postgres.ts";
import { prepareLocation } from "./location.ts";
import { findPostmaster } from "./postmaster.ts";
import { thisEnvironment, type Environment } from "./environment.ts";
import {
  daemonUid,
  isRoot,
  makeFolder,
  openElsewhere,
  openHere,
  query,
} from "./test-home.fixture.ts";

const timeout = 40_000;
const nobody = 65534;

const run = promisify(execFile);

/**
 * The real package as npm leaves it with --ignore-scripts. Uses hard links where /tmp allows them,
 * for speed.
 */
async function copyPackage(to: string): Promise<string> {
  const { root } = await thisEnvironment().findPackage();
  await run("cp", ["-al", root, to]).catch(() => run("cp", ["-a", root, to]));
  await run("find", [to, "-type", "l", "-delete"]);
  return to;
}

async function uidOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`)).uid;
}

describe.skipIf(!isRoot)("as root (needs root)", () => {
  test(
    "runs the server as the user nobody, in the home if that user can enter it",
    { timeout },
    async () => {
      const home = join(await makeFolder(), "home");
      const server = await openHere(home);
      expect(await uidOf(server.pid)).toBe(nobody);
      const data = await stat(join(home, "postgres/cluster/data"));
      expect([data.uid, data.mode & 0o777]).toEqual([nobody, 0o700]);
      const password = await stat(join(home, "postgres/cluster/password"));
      expect([password.uid, password.mode & 0o777]).toEqual([nobody, 0o600]);
      await server.close();

      // Access is lost later. The data stays where it is and is not replaced by an empty database.
      await chmod(home, 0o700);
      await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject({
        code: "home_unusable",
        message: expect.stringContaining("chmod o+x") as unknown,
      });
    },
  );

  test(
    "keeps data and programs in the system folder if the user nobody cannot access home and package",
    { timeout },
    async () => {
      const folder = await makeFolder();
      const home = join(folder, "root/.bron");
      await mkdir(join(folder, "root"), { mode: 0o700 });
      const root = await copyPackage(join(folder, "root/package"));
      const found = await thisEnvironment().findPackage();
      const machine: Environment = {
        systemFolder: join(folder, "var/lib/bron"),
        findPackage: () => Promise.resolve({ ...found, root }),
      };

      const first = await openIn(machine, { home });
      expect(await uidOf(first.pid)).toBe(nobody);
      await query(first.url, "create table kept as select 1 as n");
      await first.close();
      const location = (await readFile(join(home, "postgres-location"), "utf8")).trim();
      expect(await readdir(home)).toEqual(["postgres-location"]);
      expect(await readFile(join(location, "home"), "utf8")).toBe(`${home}\n`);
      expect((await readdir(machine.systemFolder)).sort()).toEqual([
        basename(location),
        `postgres-${found.version}`,
      ]);
      expect(await inspectHome(machine, home)).toEqual({ state: "stopped", major: "18", location });

      const second = await openIn(machine, { home });
      expect(await query(second.url, "select n from kept")).toEqual([1]);
      await second.close();

      const record = join(home, "postgres-location");
      await rm((await readFile(record, "utf8")).trim(), { recursive: true });
      await expect(openIn(machine, { home })).rejects.toMatchObject({
        code: "home_unusable",
        message: expect.stringMatching(/which no longer exists.*remove/) as unknown,
      });
      await writeFile(record, "/etc\n");
      await expect(openIn(machine, { home })).rejects.toMatchObject({
        code: "home_unusable",
        message: expect.stringContaining("not a folder that Bron created") as unknown,
      });
      await rm(home, { recursive: true });
      expect(
        (
          await prepareLocation({
            home,
            systemFolder: machine.systemFolder,
            onProgress: () => undefined,
          })
        ).folder,
      ).not.toBe(location);
    },
  );

  test("agrees on one folder when many processes open a closed home at the same time", async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, "root"), { mode: 0o700 });
    const options = {
      home: join(folder, "root/.bron"),
      systemFolder: join(folder, "system"),
      onProgress: () => undefined,
    };
    const locations = await Promise.all(Array.from({ length: 8 }, () => prepareLocation(options)));
    expect(new Set(locations.map((location) => location.folder)).size).toBe(1);
    expect(await readdir(options.systemFolder)).toHaveLength(1);
  });

  test("rejects a system folder that is writable by others", { timeout }, async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, "root"), { mode: 0o700 });
    await mkdir(join(folder, "system"));
    await chmod(join(folder, "system"), 0o777);
    await expect(
      openIn(
        { ...thisEnvironment(), systemFolder: join(folder, "system") },
        { home: join(folder, "root/.bron") },
      ),
    ).rejects.toMatchObject({ code: "home_unusable" });
  });

  test("shares a user's database and runs it as that user", { timeout }, async () => {
    const folder = await makeFolder();
    const home = join(folder, "home");
    await mkdir(home);
    await chown(home, daemonUid, daemonUid);
    const user = openElsewhere(home, {
      uid: daemonUid,
      packageRoot: await copyPackage(join(folder, "package")),
    });
    const opened = await user.opened;
    expect(opened.message).toBeUndefined();
    expect(await uidOf(opened.pid ?? 0)).toBe(daemonUid);
    // The user cannot add the missing links to the package, so there is a copy of it.
    expect(await readdir(join(home, "postgres"))).toContain(
      `postgres-${(await thisEnvironment().findPackage()).version}`,
    );
    const shared = await openHere(home);
    expect(shared.pid).toBe(opened.pid);
    await shared.close();
    await user.close();
    expect(await findPostmaster(join(home, "postgres/cluster/data"))).toBeUndefined();

    const server = await openHere(home);
    expect(await uidOf(server.pid)).toBe(daemonUid);
    await server.close();
    const again = openElsewhere(home, { uid: daemonUid });
    expect((await again.opened).message).toBeUndefined();
    await again.close();
  });

  test("reports a full disk, and loses no data", { timeout }, async ({ skip }) => {
    const disk = await makeFolder();
    await run("mount", ["-t", "tmpfs", "-o", "size=24m,mode=755", "none", disk]).catch(() =>
      skip("mount is not allowed here"),
    );
    onTestFinished(async () => void (await run("umount", ["-l", disk])));
    const home = join(disk, "home");
    await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject({ code: "disk_full" });
    await run("mount", ["-o", "remount,size=100m", disk]);
    const server = await openHere(home);
    await server.close();
    await writeFile(join(disk, "ballast"), Buffer.alloc(100 * 1024 * 1024)).catch(() => undefined);
    await expect(openEmbeddedPostgres({ home })).rejects.toMatchObject({ code: "disk_full" });
    await rm(join(disk, "ballast"));
    await (await openEmbeddedPostgres({ home })).close();
  });
});

describe.skipIf(!isRoot)("as another user (needs root to become one)", () => {
  test("explains why a home cannot be used", { timeout }, async () => {
    const folder = await makeFolder();
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o755 });
    for (const home of [closed, join(closed, "below")]) {
      const { code, message } = await openElsewhere(home, { uid: daemonUid }).opened;
      expect(code).toBe("home_unusable");
      expect(message).toMatch(new RegExp(`${home}: permission denied.*BRON_HOME`));
    }
  });

  test("requires a user with a name, which initdb needs", { timeout }, async () => {
    const home = join(await makeFolder(), "home");
    await mkdir(home);
    await chown(home, 23456, 23456);
    expect(await openElsewhere(home, { uid: 23456 }).opened).toMatchObject({
      code: "postgres_failed",
      message: expect.stringContaining("/etc/passwd") as unknown,
    });
    expect(await readdir(join(home, "postgres"))).toEqual([]);
  });
});
