import type { RunEvent } from "@bron/protocol";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "@bron/store";
import { startDemoModel, type DemoModelServer } from "@bron/demo-model";
import { readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTempFolder, readEverything } from "@bron/testing";
import { runBron, spawnBron, stopAll, type RunningBron } from "./spawn-bron.fixture.ts";

const timeout = 60_000;
const running: RunningBron[] = [];
let folder: string;
let home: string;
let postgres: EmbeddedPostgres;
let silent: DemoModelServer;
let twoAtOnce: DemoModelServer;

/** Keeps the database of the home running, so that not every command has to start it. */
beforeAll(async () => {
  folder = await makeTempFolder();
  home = join(folder, "home");
  postgres = await openEmbeddedPostgres({ home });
  silent = await startDemoModel({ script: () => ({ hang: "middle" }) });
  const calls = ["one", "two"].map((text) => ({
    name: "post_note",
    args: { board: "pair", text },
  }));
  twoAtOnce = await startDemoModel({
    reader: readEverything,
    script: ({ results }) => (results.length === 0 ? { calls } : { text: "Both are settled." }),
  });
}, 60_000);

afterAll(async () => {
  await stopAll(running);
  await Promise.all([silent.close(), twoAtOnce.close()]);
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const runtime = async (...args: string[]) => await runBron(args, { BRON_HOME: home });

async function jsonOf<T>(...args: string[]): Promise<T> {
  const { out, code, err } = await runtime(...args, "--json");
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out) as T;
}

async function parkedPost(
  text: string,
  board: string,
): Promise<{ runId: string; approval: { id: string; digest: string } }> {
  const { code, out } = await runtime("run", `Post "${text}" to the ${board} board`, "--json");
  expect(code).toBe(3);
  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
  const asked = events.find((event) => event.type === "approval");
  if (asked?.type !== "approval") throw new Error("It did not ask");
  return {
    runId: asked.runId,
    approval: { id: asked.payload.approvalId, digest: asked.payload.digest },
  };
}

describe("with no server running", () => {
  test("an empty home suggests what to try", { timeout }, async () => {
    expect(await runtime("runs", "list")).toMatchObject({
      code: 0,
      out: 'No runs yet. Try: bron run "What is 17% of 2340?"\n',
    });
    expect(await runtime("approvals", "list")).toMatchObject({
      code: 0,
      out: "No pending approvals.\n",
    });
  });

  test(
    "the demo model runs the task, and only its answer goes to standard output",
    { timeout },
    async () => {
      const { code, out, err } = await runtime("run", "What is 17% of 2340?");
      expect({ code, out }).toEqual({ code: 0, out: "17% of 2340 = 397.8\n" });
      expect(err).toMatch(/with the demo model[\s\S]+ +Calculated: .+ = 397\.8\nDone in /);
    },
  );

  test(
    "with --json every line is an event of one run, numbered from 1 without gaps, up to its end",
    { timeout },
    async () => {
      const { code, out } = await runBron(
        ["run", "-", "--words-from-stdin", "--json", "--title", "Sum"],
        { BRON_HOME: home },
        "What is 6 * 7?\n",
      );
      expect(code).toBe(0);
      const events = out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as RunEvent);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
      expect(events.at(-1)).toMatchObject({ type: "status", payload: { status: "completed" } });
      expect(out).not.toContain('"parts"');
      const { runs } = await jsonOf<{ runs: { title: string }[] }>(
        "runs",
        "list",
        "--status",
        "succeeded",
        "--limit",
        "1",
      );
      expect(runs.map(({ title }) => title)).toEqual(["Sum"]);
    },
  );

  test(
    "an effect waits for a person and is carried out once, as approved",
    { timeout },
    async () => {
      const parked = await runtime("run", 'Post "Lunch at noon" to the team board');
      expect(parked.code).toBe(3);
      const [, id = ""] = /bron approvals approve (\w{8})\n/.exec(parked.out) ?? [];
      expect(parked.out).not.toMatch(/sha256:|post_note/);
      expect(parked.out).toContain('Post to the board "team": Lunch at noon');

      const { approval } = await jsonOf<{
        approval: { runId: string; digest: string; prepared: { line: string } };
      }>("approvals", "show", id);
      const digest = approval.digest.slice("sha256:".length, "sha256:".length + 16);
      expect(approval.prepared.line).toMatch(/^Lunch at noon \[bron:[0-9a-f-]{36}\]$/);
      const pendingUserMessages = await runtime("approvals", "approve", id);
      expect(pendingUserMessages).toMatchObject({ code: 2, err: expect.stringContaining(digest) });
      expect(
        await runtime("approvals", "approve", id, "--digest", `sha256:${"0".repeat(64)}`),
      ).toMatchObject({ code: 1, err: expect.stringContaining("digest_mismatch") });

      // The run has one approval, so its id will do.
      const approved = await runtime("approvals", "approve", approval.runId, "--digest", digest);
      expect(approved).toMatchObject({
        code: 0,
        out: 'I posted "Lunch at noon" to the team board.\n',
      });
      expect(approved.err).toMatch(/Approved\.[^]+Posted to a board/);
      expect(await readFile(join(home, "boards/team.txt"), "utf8")).toBe(
        `${approval.prepared.line}\n`,
      );
      expect(await runtime("approvals", "approve", id, "--digest", digest)).toMatchObject({
        code: 1,
        err: expect.stringContaining("approval_closed"),
      });
    },
  );

  test.concurrent(
    "a denied effect does not happen, and the run continues without it",
    { timeout },
    async () => {
      const { approval, runId } = await parkedPost("Secret", "public");
      const denied = await runtime(
        "approvals",
        "deny",
        approval.id,
        "--digest",
        approval.digest,
        "--reason",
        "too public",
      );
      expect(denied).toMatchObject({ code: 5, out: expect.stringContaining("too public") });
      await expect(readFile(join(home, "boards/public.txt"))).rejects.toMatchObject({
        code: "ENOENT",
      });
      const shown = await runtime("runs", "show", runId.slice(0, 8));
      expect(shown.out).toMatch(
        /Status: +You declined[\s\S]+You declined: too public\n[\s\S]+Didn't post to a board: /,
      );
    },
  );

  test.concurrent(
    "a reply stops the effect, and an impossible edit or undo is rejected with its reason",
    { timeout },
    async () => {
      const { approval, runId } = await parkedPost("Answered", "words");
      const seen = ["--digest", approval.digest];
      expect(
        await runtime("approvals", "edit", approval.id, "--set", "text=Other", ...seen),
      ).toMatchObject({ code: 2, err: expect.stringContaining("can't be edited") });
      expect(await runtime("approvals", "undo", approval.id)).toMatchObject({
        code: 1,
        err: expect.stringContaining("approval_closed"),
      });
      expect(
        await runtime("approvals", "batch", "--approve", `${approval.id}=sha256:${"0".repeat(64)}`),
      ).toMatchObject({
        code: 1,
        out: expect.stringContaining("not approved: The content changed"),
      });
      expect(
        await runtime("runs", "approve-send", runId, "--digest", "sha256:other"),
      ).toMatchObject({
        code: 1,
        err: expect.stringContaining("digest_mismatch"),
      });
      const answered = await runtime(
        "approvals",
        "reply",
        approval.id,
        "Use another board",
        ...seen,
      );
      // The demo model can post to the board that was named first only.
      expect(answered.code).toBe(1);
      expect(answered.err).toContain("Nothing was sent.");
      await expect(readFile(join(home, "boards/words.txt"))).rejects.toMatchObject({
        code: "ENOENT",
      });
      expect((await runtime("approvals", "show", approval.id)).out).toMatch(
        /Reply: +Use another board/,
      );
    },
  );

  test.concurrent(
    "BR16 a parent run waits for its child run's approval, and continues after it",
    { timeout },
    async () => {
      const variables = { BRON_HOME: home };
      const asked = await runBron(
        [
          "run",
          'Find out, each with its own Bron: post "Parts" to the parts board; what is 6 * 7?',
        ],
        variables,
      );
      expect(asked).toMatchObject({
        code: 3,
        err: expect.stringMatching(
          /Child run [0-9a-f]{8}, needs approval: Post "Parts"[^]+Waiting for your approval/,
        ),
      });
      const { approvals } = JSON.parse(
        (await runBron(["approvals", "list", "--json"], variables)).out,
      ) as { approvals: { id: string; digest: string; preview: string }[] };
      const approval = approvals.find(({ preview }) => preview.includes("Parts"));
      const { code, out, err } = await runBron(
        ["approvals", "approve", approval?.id ?? "", "--digest", approval?.digest ?? ""],
        variables,
      );
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/6 \* 7 = 42/) });
      expect(err).toMatch(/The parent run [0-9a-f]{8} continues/);
    },
  );

  test.concurrent(
    "two pending approvals are decided separately, and the run ends after the second",
    { timeout },
    async () => {
      const variables = { BRON_HOME: home, GEMINI_API_KEY: "key", GEMINI_BASE_URL: twoAtOnce.url };
      const parked = await runBron(["run", "post both", "--verbose"], variables);
      expect(parked.code).toBe(3);
      // Approvals are requested in the order in which they are ready.
      const asked = new Map(
        [
          ...parked.out.matchAll(
            /"pair": (one|two)\b[^]*?bron approvals approve (\w{8}) --digest (sha256:\w{64})/g,
          ),
        ].map(([, text = "", id = "", digest = ""]) => [text, [id, "--digest", digest]]),
      );
      const [one = [], two = []] = [asked.get("one"), asked.get("two")];
      expect(await runBron(["approvals", "deny", ...one], variables)).toMatchObject({
        code: 3,
        out: "",
      });
      expect(await runBron(["approvals", "approve", ...two], variables)).toMatchObject({
        code: 1,
        out: "Both are settled.\n",
      });
      expect(await readFile(join(home, "boards/pair.txt"), "utf8")).toMatch(
        /^two \[bron:[^\n]+\]\n$/,
      );
    },
  );

  test.concurrent(
    "an unknown effect exits with 4 and says what to check",
    { timeout, skip: process.platform !== "linux" },
    async () => {
      // The link can be opened, but neither written nor read.
      await symlink("/proc/self/clear_refs", join(home, "boards/void.txt"));
      const { approval } = await parkedPost("Hello", "void");
      const { code, out } = await runtime(
        "approvals",
        "approve",
        approval.id,
        "--digest",
        approval.digest,
      );
      expect(code).toBe(4);
      expect(out).toMatch(
        /Couldn't confirm whether this was posted\.\n +What: +Post to the board "void": Hello\n +Check:/,
      );
    },
  );

  test.concurrent("a waiting run can be canceled", { timeout }, async () => {
    const { runId } = await parkedPost("Never", "team");
    expect(
      await runtime("runs", "cancel", runId.slice(0, 8), "--reason", "not needed"),
    ).toMatchObject({ code: 0, out: `Run ${runId.slice(0, 8)} canceled.\n` });
    const { run, effects } = await jsonOf<{
      run: { status: string };
      effects: { state: string }[];
    }>("runs", "show", runId);
    expect([run.status, effects.map(({ state }) => state)]).toEqual(["canceled", ["canceled"]]);
  });

  test("a finished run can be retried, and an unfinished one cannot", { timeout }, async () => {
    const { runId } = await parkedPost("Once more", "again");
    expect(await runtime("runs", "retry", runId)).toMatchObject({
      code: 1,
      err: expect.stringContaining("still running"),
    });
    await runtime("runs", "cancel", runId);
    const again = await runtime("runs", "retry", runId.slice(0, 8));
    expect(again.code).toBe(3);
    expect(again.err).toMatch(new RegExp(`Run \\w{8} retries ${runId.slice(0, 8)}:`));
    const { runs } = await jsonOf<{ runs: { retryOf: string | null }[] }>(
      "runs",
      "list",
      "--limit",
      "1",
    );
    expect(runs).toMatchObject([{ retryOf: runId }]);
  });

  test.concurrent("Ctrl-C detaches from a run, which is saved", { timeout }, async () => {
    const command = spawnBron(["run", "hang on"], {
      BRON_HOME: home,
      GEMINI_API_KEY: "key",
      GEMINI_BASE_URL: silent.url,
    });
    running.push(command);
    const [, id = ""] = await command.waitFor(/Run (\w{8}) with gemini/);
    await command.waitFor(/ {2}Running/);
    command.process.kill("SIGINT");
    const { code, err } = await command.finished;
    expect(code).toBe(130);
    expect(err).toContain("is saved");
    expect(await jsonOf("runs", "show", id)).toMatchObject({ run: { status: "planning" } });
    expect(await runtime("runs", "cancel", id)).toMatchObject({ code: 0 });
  });

  test("an unknown, too short or ambiguous ID is rejected", { timeout }, async () => {
    expect(await runtime("runs", "show", "abc")).toMatchObject({
      code: 2,
      err: expect.stringContaining("at least the first 6 characters"),
    });
    expect(await runtime("runs", "show", "00000000")).toMatchObject({
      code: 1,
      err: expect.stringContaining("code: not_found"),
    });
  });
});
