import type { RunEvent, RunView } from "@bron/protocol";
import { isFullSuite, makeTempFolder } from "@bron/testing";
import { startDemoModel, type DemoModelServer } from "@bron/demo-model";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { copyTemplateHome } from "../../../../test/support/template-home.ts";
import { createTestDatabase } from "../../../../test/support/test-database.ts";
import {
  builtCommand,
  runBron,
  runBronInProcess,
  sourceCommand,
  spawnBron,
  stopAll,
  type RunningBron,
  type Variables,
} from "./spawn-bron.fixture.ts";

const timeout = 60_000;
const ready = /^Bron is ready: (http:\/\/127\.0\.0\.1:\d+)\n/m;
const running: RunningBron[] = [];
let folder: string;

beforeAll(async () => {
  folder = await makeTempFolder();
});

afterAll(async () => {
  await stopAll(running);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

function spawn(args: readonly string[], variables: Variables): RunningBron {
  const command = spawnBron(args, variables);
  running.push(command);
  return command;
}

async function startServer(variables: Variables): Promise<{ server: RunningBron; url: string }> {
  const server = spawn(["start"], variables);
  const [, url = ""] = await server.waitFor(ready);
  return { server, url };
}

describe("with a server running on the same home", () => {
  let home: string;
  let url: string;
  const runtime = async (...args: string[]) => await runBronInProcess(args, { BRON_HOME: home });

  beforeAll(async () => {
    home = join(folder, "home");
    await copyTemplateHome(inject("templateHome"), home);
    ({ url } = await startServer({ BRON_HOME: home }));
  }, timeout);

  test("the server runs the task, and the output looks the same", { timeout }, async () => {
    const { code, out, err } = await runtime("run", "What is 17% of 2340?");
    expect({ code, out }).toEqual({ code: 0, out: "17% of 2340 = 397.8\n" });
    expect(err).toMatch(
      new RegExp(`^Run \\w{8} at ${url}\n[\\s\\S]+ +Calculated: .+ = 397\\.8\nDone in `),
    );
    const listed = await runtime("runs", "list", "--status", "done");
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining("What is 17% of 2340?") });
    const [id = ""] = /^\w{8}/m.exec(listed.out.split("\n")[1] ?? "") ?? [];
    expect(await runtime("runs", "show", id)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Status: +Done[\s\S]+Timeline[\s\S]+Calculated: .+ = 397\.8\n/),
    });
  });

  test("BR25 a token works for its scopes until it is revoked", { timeout }, async () => {
    const made = await runtime("tokens", "create", "nightly", "--scope", "read", "--days", "3");
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^bron_[\w-]{43}\n$/),
      err: expect.stringContaining("Scopes: read."),
    });
    const ask = (method: string) =>
      fetch(`${url}/api/runs`, {
        method,
        headers: {
          authorization: `Bearer ${made.out.trim()}`,
          "content-type": "application/json",
        },
        ...(method === "POST" ? { body: '{"prompt":"x"}' } : {}),
      });
    expect([(await ask("GET")).status, (await ask("POST")).status]).toEqual([200, 403]);
    const listed = await runtime("tokens", "list");
    expect(listed.out).toMatch(
      new RegExp(
        `^ID +NAME +SCOPES +TOKEN +LAST USED +EXPIRES\n(\\w{8}) +nightly +read +…${made.out.trim().slice(-4)} +.+ +in [23] days`,
      ),
    );
    expect(
      await runtime("tokens", "revoke", listed.out.split("\n")[1]?.slice(0, 8) ?? ""),
    ).toMatchObject({ code: 0, out: "Revoked nightly.\n" });
    expect((await ask("GET")).status).toBe(401);
    expect(await runtime("tokens", "list")).toMatchObject({
      out: expect.stringContaining("No tokens."),
    });
    expect(await runtime("tokens", "create", "x", "--scope", "everything")).toMatchObject({
      code: 2,
    });
  });

  test("loads neither the library nor the database nor a model", { timeout }, async () => {
    const hook = new URL("./loaded-packages.fixture.ts", import.meta.url).href;
    const variables = {
      BRON_HOME: home,
      NODE_OPTIONS: `--import=${hook}`,
      BRON_MODEL: "nobody/x",
    };
    const light = "cli client commander core files jsonc-parser node protocol settings";
    for (const args of [
      ["runs", "list"],
      ["run", "What is 2 + 2?"],
      ["approvals", "list"],
    ]) {
      const { code, err } = await spawnBron(args, variables, undefined, builtCommand).finished;
      expect(code).toBe(0);
      expect(/^loaded: (.*)$/m.exec(err)?.[1]).toBe(`${light} zod`);
    }
    // Only the build leaves out what core needs for the lists of domains and for schedules.
    const { err } = await spawnBron(["runs", "list"], variables, undefined, sourceCommand).finished;
    expect(/^loaded: (.*)$/m.exec(err)?.[1]).toBe(
      `${light.replace("core", "core croner")} tlds tldts zod`,
    );
  });

  test(
    "with --json every line is an event, numbered from 1 without gaps",
    { timeout },
    async () => {
      const { code, out } = await runtime("run", "What is 6 * 7?", "--json");
      expect(code).toBe(0);
      const events = out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as RunEvent);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)).toMatchObject({ type: "status", payload: { status: "completed" } });
    },
  );

  test(
    "an effect waits for a person and is carried out once, as approved",
    { timeout },
    async () => {
      const parked = await runtime("run", 'Post "Lunch at noon" to the team board');
      expect(parked.code).toBe(3);
      const [, id = ""] = /bron approvals approve (\w{8})\n/.exec(parked.out) ?? [];
      expect(await runtime("approvals", "list")).toMatchObject({
        code: 0,
        out: expect.stringContaining(`${id}  Post to the board "team": Lunch at noon`),
      });
      const refused = await runtime("approvals", "approve", id);
      const [, digest = ""] = /pass --digest (\w{16}) to confirm/.exec(refused.err) ?? [];
      expect(
        await runtime("approvals", "approve", id, "--digest", `sha256:${"0".repeat(64)}`),
      ).toMatchObject({ code: 1, err: expect.stringContaining("digest_mismatch") });
      const approved = await runtime("approvals", "approve", id, "--digest", digest);
      expect(approved).toMatchObject({
        code: 0,
        out: 'I posted "Lunch at noon" to the team board.\n',
      });
      expect(await readFile(join(home, "boards/team.txt"), "utf8")).toMatch(
        /^Lunch at noon \[bron:[^\n]+\]\n$/,
      );
      expect(await runtime("approvals", "approve", id, "--digest", digest)).toMatchObject({
        code: 1,
        err: expect.stringContaining("approval_closed"),
      });
    },
  );

  test(
    "a run hears what is said to it, and after its end it is the next task",
    { timeout },
    async () => {
      const parked = await runtime("run", 'Post "Dinner" to the team board', "--json");
      const { runId } = JSON.parse(parked.out.split("\n")[0] ?? "") as RunEvent;
      const short = runId.slice(0, 8);
      expect(await runtime("runs", "say", short, "What is 2 + 2?")).toMatchObject({
        code: 0,
        out: `Run ${short} will read this after its current step.\n`,
      });
      expect((await runtime("runs", "show", short)).out).toContain("You: What is 2 + 2?");
      await runtime("runs", "cancel", short);
      const said = await runtime("runs", "say", short, "What is 2 + 2?", "--json");
      const { run, isNewTask } = JSON.parse(said.out) as { run: RunView; isNewTask: boolean };
      expect({ isNewTask, prompt: run.prompt }).toEqual({
        isNewTask: true,
        prompt: "What is 2 + 2?",
      });
    },
  );

  test("a question of a run is shown, listed and answered", { timeout }, async () => {
    const asking = await runtime("run", "Ask me which day suits me: Monday or Friday");
    expect(asking.code).toBe(3);
    const [, id = ""] = /bron questions answer (\w+)/.exec(asking.err) ?? [];
    expect((await runtime("questions", "list")).out).toContain("Which day suits you?");
    expect((await runtime("questions", "show", id)).out).toContain("2. Friday");
    expect(await runtime("questions", "answer", id, "--choice", "2")).toMatchObject({ code: 0 });
    expect(await runtime("questions", "answer", id, "Sunday")).toMatchObject({
      code: 1,
      err: expect.stringContaining("already been answered"),
    });
    expect(await runtime("questions", "answer", id)).toMatchObject({ code: 2 });
    expect((await runtime("questions", "list", "--all")).out).toContain("answered");
  });

  test(
    "a file is attached, its run is logged in words, and its files are saved",
    { timeout },
    async () => {
      const csv = join(folder, "chairs.csv");
      await writeFile(csv, "item,total\nchairs,40\n");
      const task = ["run", "Read", "the", "attached", "file", "--file", csv, "--bron"];
      expect(await runtime(...task, "Nobody")).toMatchObject({
        code: 1,
        err: expect.stringContaining("Bron Nobody not found"),
      });
      const [{ name } = { name: "" }] = (
        JSON.parse((await runtime("brons", "list", "--json")).out) as { brons: { name: string }[] }
      ).brons;
      const { err } = await runtime(...task, name);
      const [, id = ""] = /^Run (\w{8}) at/.exec(err) ?? [];
      const logged = await runtime("logs", id);
      expect(logged.out).toMatch(
        /^Run \w{8}: Read the attached file\n +\d\d:\d\d:\d\d {2}Queued\n/,
      );
      expect(logged.out).toContain("Read a document: chairs.csv");
      expect(logged.out).not.toMatch(/document_read|[{}→←]/);
      expect((await runtime("logs", id, "--verbose")).out).toContain("→ document_read {");

      const target = join(folder, "saved");
      expect(await runtime("artifacts", "save", id, target)).toMatchObject({
        code: 0,
        out: `${join(target, "chairs.csv")}\n`,
      });
      expect(await readFile(join(target, "chairs.csv"), "utf8")).toBe("item,total\nchairs,40\n");
      await writeFile(join(target, "chairs.csv"), "mine");
      expect(await runtime("artifacts", "save", id, target)).toMatchObject({
        code: 2,
        err: expect.stringContaining("already exists"),
      });
      expect(await readFile(join(target, "chairs.csv"), "utf8")).toBe("mine");
      expect(await runtime("artifacts", "save", id, target, "--force")).toMatchObject({ code: 0 });
      expect(await readFile(join(target, "chairs.csv"), "utf8")).toContain("chairs,40");
      expect(await runtime("run", "x", "--file", join(folder, "none.pdf"))).toMatchObject({
        code: 2,
        err: expect.stringContaining("Can't use"),
      });
    },
  );

  test("an approval is found by its run, if the run has exactly one", { timeout }, async () => {
    const parked = await runtime("run", 'Post "Tea" to the team board', "--json");
    const { runId } = JSON.parse(parked.out.split("\n")[0] ?? "") as RunEvent;
    const refused = await runtime("approvals", "deny", runId.slice(0, 8));
    const [, digest = ""] = /pass --digest (\w{16}) to confirm/.exec(refused.err) ?? [];
    expect(await runtime("approvals", "deny", runId, "--digest", digest)).toMatchObject({
      code: 5,
    });
    expect(await runtime("approvals", "undo", runId)).toMatchObject({
      code: 1,
      err: expect.stringContaining("has no approval to undo"),
    });
    const listed = await runtime("runs", "list", "--status", "you declined");
    expect(listed.out).toMatch(new RegExp(`^ID +STATUS.+\\n${runId.slice(0, 8)} +You declined`));
  });

  test("a waiting run can be canceled", { timeout }, async () => {
    const parked = await runtime("run", 'Post "Never" to the team board', "--json");
    const { runId } = JSON.parse(parked.out.split("\n")[0] ?? "") as RunEvent;
    expect(
      await runtime("runs", "cancel", runId.slice(0, 8), "--reason", "not needed"),
    ).toMatchObject({ code: 0, out: `Run ${runId.slice(0, 8)} canceled.\n` });
  });

  test("errors have the same messages and codes", { timeout }, async () => {
    expect(await runtime("runs", "show", "00000000")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Run 00000000 not found\.[\s\S]+code: not_found/),
    });
    expect(await runtime("run", " ")).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /No text was given\. Pass it in quotes\.[\s\S]+code: invalid_input/,
      ),
    });
    expect(
      await runBronInProcess(["runs", "list"], {
        BRON_HOME: home,
        BRON_SECRET_KEY: "k".repeat(32),
      }),
    ).toMatchObject({
      code: 2,
      err: expect.stringMatching(/has a different secret key[\s\S]+code: secret_key_changed/),
    });
  });
});

describe.runIf(isFullSuite)("while a server works on a slow run", () => {
  let model: DemoModelServer;
  let home: string;
  let variables: Variables;
  let server: RunningBron;
  let url: string;
  const state = { hangs: true };

  beforeAll(async () => {
    model = await startDemoModel({
      script: () => (state.hangs ? { hang: "middle" } : { text: "Done at last." }),
    });
    home = join(folder, "slow");
    await copyTemplateHome(inject("templateHome"), home);
    variables = { BRON_HOME: home, GEMINI_API_KEY: "key", GEMINI_BASE_URL: model.url };
    ({ server, url } = await startServer(variables));
  }, timeout);
  afterAll(async () => await model.close());

  test("Ctrl-C detaches, and the run continues on the server", { timeout }, async () => {
    const command = spawn(["run", "hang on"], variables);
    const [, id = ""] = await command.waitFor(/Run (\w{8}) at/);
    await command.waitFor(/ {2}Running/);
    command.process.kill("SIGINT");
    const { code, err } = await command.finished;
    expect(code).toBe(130);
    expect(err).toMatch(new RegExp(`Detached\\. Run ${id} continues at ${url}`));
    expect(
      JSON.parse((await runBron(["runs", "show", id, "--json"], variables)).out),
    ).toMatchObject({ run: { status: "planning" } });
    expect(await runBron(["runs", "cancel", id], variables)).toMatchObject({ code: 0 });
  });

  test(
    "a command that shows a run reports a killed server once and continues with the next one",
    { timeout },
    async () => {
      const command = spawn(["run", "hang on"], variables);
      await command.waitFor(/ {2}Running/);
      server.process.kill("SIGKILL");
      await server.finished;
      await command.waitFor(/Lost connection to Bron/);
      state.hangs = false;
      await startServer(variables);
      const { code, out, err } = await command.finished;
      expect({ code, out }).toEqual({ code: 0, out: "Done at last.\n" });
      expect(err.match(/Lost connection to Bron/g)).toHaveLength(1);
      expect(err).toMatch(/Reconnected\.[\s\S]+Done in /);
    },
  );
});

test.each([
  ["with a model key, a server loads nothing of demo mode", { GEMINI_API_KEY: "key" }, false],
  ["in demo mode, a server loads the simulator and the demo model", {}, true],
])("%s", { timeout }, async (_name, model, isDemo) => {
  const home = join(await makeTempFolder(), "home");
  await copyTemplateHome(inject("templateHome"), home);
  const hook = new URL("./loaded-packages.fixture.ts", import.meta.url).href;
  const { server } = await startServer({
    BRON_HOME: home,
    NODE_OPTIONS: `--import=${hook}`,
    ...model,
  });
  server.process.kill("SIGTERM");
  const { code, err } = await server.finished;
  expect({ code, err }).toMatchObject({ code: 0 });
  const loaded = /^loaded: (.*)$/m.exec(err)?.[1]?.split(" ");
  expect(loaded).toContain("runtime");
  expect(["simulator", "demo-model"].filter((name) => loaded?.includes(name))).toEqual(
    isDemo ? ["simulator", "demo-model"] : [],
  );
});

test(
  "with DATABASE_URL set, commands still use the server of the home, by its secret",
  { timeout },
  async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const variables = {
      BRON_HOME: join(folder, "shared"),
      DATABASE_URL: database.url,
      BRON_SECRET_KEY: "s".repeat(40),
    };
    const { server, url } = await startServer(variables);
    expect(await runBronInProcess(["run", "What is 3 * 3?"], variables)).toMatchObject({
      code: 0,
      out: "3 * 3 = 9\n",
      err: expect.stringContaining(`at ${url}`),
    });
    expect(await runBronInProcess(["open", "--json"], variables)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${url}/sign-in`),
    });
    await stopAll([server]);
    await database.drop();
  },
);
