import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTempFolder } from "@bron/testing";
import {
  runBron,
  runBronInProcess,
  spawnBron,
  stopAll,
  type RunningBron,
} from "./spawn-bron.fixture.ts";

const timeout = 45_000;
const running: RunningBron[] = [];
let folder: string;
let home: string;

beforeAll(async () => {
  folder = await makeTempFolder();
  home = join(folder, "home");
});

afterAll(async () => {
  await stopAll(running);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

function start(): RunningBron {
  const server = spawnBron(["start"], { BRON_HOME: home });
  running.push(server);
  return server;
}

const signIn = /^Sign in: (\S+)/m;

/** Opens a sign-in link as a browser does, and returns the cookie. */
async function cookieFrom(link: string): Promise<string> {
  const response = await fetch(link, { redirect: "manual" });
  expect(response.status).toBeGreaterThanOrEqual(300);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

const ready = /^Bron is ready: (http:\/\/127\.0\.0\.1:\d+)\n/m;

describe("bron start", () => {
  let server: RunningBron;
  let url: string;
  let cookie: string;

  test(
    "if two start at once, one becomes ready and the other reports who holds the home",
    { timeout },
    async () => {
      const both = [start(), start()];
      const ends = await Promise.any(
        both.map(async (each) => ({ each, end: await each.finished })),
      );
      expect(ends.end.code).toBe(1);
      const [winner] = both.filter((each) => each !== ends.each);
      if (!winner) throw new Error("Nobody won");
      server = winner;
      expect(ends.end.err).toMatch(
        new RegExp(
          `process ${server.process.pid}, http://127\\.0\\.0\\.1:\\d+[\\s\\S]+code: home_busy`,
        ),
      );
      [, url = ""] = await server.waitFor(ready);
      const [, link = ""] = await server.waitFor(signIn);
      cookie = await cookieFrom(link);
      expect(
        (await fetch(link, { redirect: "manual" })).status,
        "a link works once",
      ).toBeGreaterThanOrEqual(400);
      await server.waitFor(/^Demo mode: no model key found/m);
    },
  );

  test("its page and health checks respond", { timeout }, async () => {
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(url, { headers: { cookie } })).text()).toContain(
      "<title>Bron</title>",
    );
    expect((await fetch(`${url}/api/runs`)).status).toBe(401);
    expect(await (await fetch(`${url}/api/runs`, { headers: { cookie } })).json()).toEqual({
      runs: [],
      next: null,
    });
  });

  test("bron open prints another link for the running server", { timeout }, async () => {
    const opened = await runBronInProcess(["open", "--json"], { BRON_HOME: home });
    const { signIn: link, url: address } = JSON.parse(opened.out) as {
      signIn: string;
      url: string;
    };
    expect(address).toBe(url);
    expect((await fetch(url, { headers: { cookie: await cookieFrom(link) } })).status).toBe(200);
    expect(await runBronInProcess(["open"], { BRON_HOME: join(folder, "nowhere") })).toMatchObject({
      code: 1,
      err: expect.stringContaining("bron start"),
    });
  });

  test("reports a port that is in use", { timeout }, async () => {
    const other = await runBron(["start"], {
      BRON_HOME: join(folder, "other"),
      PORT: new URL(url).port,
    });
    expect(other).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /PORT \d+ on 127\.0\.0\.1 is in use by a Bron with another home\.[\s\S]+code: port_taken/,
      ),
    });
    expect(await readdir(join(folder, "other"))).toEqual([]);
  });

  test("picks up a detached run and shows it", { timeout }, async () => {
    const left = await runBronInProcess(["run", "What is 3 * 3?", "--detach"], { BRON_HOME: home });
    expect(left).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
      err: expect.stringContaining("Started. Follow it with: bron logs"),
    });
    await expect
      .poll(
        async () =>
          (await (await fetch(`${url}/api/runs`, { headers: { cookie } })).json()) as unknown,
        { timeout: 10_000, interval: 100 },
      )
      .toMatchObject({ runs: [{ id: left.out.trim(), status: "completed" }] });
  });

  test("a command does its own work if the server does not respond", { timeout }, async () => {
    server.process.kill("SIGSTOP");
    // With a Google OAuth client it does not wait for the simulator of the stuck process.
    const beside = await runBron(["run", "What is 4 * 4?"], {
      BRON_HOME: home,
      GOOGLE_CLIENT_ID: "app",
      GOOGLE_CLIENT_SECRET: "secret",
    });
    server.process.kill("SIGCONT");
    expect(beside).toMatchObject({
      code: 0,
      out: "4 * 4 = 16\n",
      err: expect.stringContaining("with the demo model"),
    });
  });

  test(
    "after a kill the next one takes over, and SIGTERM ends that one cleanly",
    { timeout },
    async () => {
      server.process.kill("SIGKILL");
      await server.finished;
      const next = start();
      await next.waitFor(ready);
      next.process.kill("SIGTERM");
      expect(await next.finished).toMatchObject({
        code: 0,
        err: expect.stringContaining("Stopping"),
      });
      expect(await readdir(home)).not.toContain("server.json");
    },
  );
});
