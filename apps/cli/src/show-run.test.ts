import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import {
  emptyRunResult,
  type ActionView,
  type EventView,
  type QuestionView,
  type RunView,
} from "@bron/protocol";
import { expect, test } from "vitest";
import { createFakeTerminal } from "./fake-terminal.fixture.ts";
import { showRun } from "./show-run.ts";

const runId = "3f9a1c20-1111-4222-8333-444455556666";
const shown = { runId, afterSeq: 0, json: false };

function bronWith(
  events: Client["events"],
  run: Partial<RunView> = {},
  actions: readonly Partial<ActionView>[] = [],
  questions: readonly Partial<QuestionView>[] = [],
) {
  const view = {
    id: runId,
    status: "completed",
    createdAt: "2026-11-15T12:00:00Z",
    startedAt: null,
    finishedAt: null,
    spentMicrousd: 0,
    waitsFor: null,
    ...emptyRunResult,
    ...run,
  };
  const call = async (key: string) =>
    key === "GET /api/runs/:id"
      ? view
      : key === "GET /api/about"
        ? { demoModel: false }
        : { actions };
  const client = { events, call, list: async () => questions } as unknown as Client;
  return { client, by: { url: "http://127.0.0.1:4310" } };
}

test("after the demo model only said what it can do, three tasks to try are commands", async () => {
  const none: Client["events"] = async function* () {};
  const { client, by } = bronWith(none, { outcome: "could_not" });
  const call = async (key: string) =>
    key === "GET /api/about"
      ? { demoModel: true, suggestions: ["First", "Second", "Third"] }
      : await client.call(key as "GET /api/about");
  const terminal = createFakeTerminal();
  await showRun(terminal, { client: { ...client, call } as Client, by }, shown);
  expect(terminal.shown()).toContain(
    'Try one of these:\n  bron run "First"\n  bron run "Second"\n  bron run "Third"\n',
  );
});

test("losing the server for good is an error with a hint", async () => {
  const terminal = createFakeTerminal();
  // oxlint-disable-next-line require-yield
  const reached = bronWith(async function* (_id, { onConnection } = {}) {
    onConnection?.("reconnecting");
    throw new BronError("server_unreachable", "No answer.");
  });
  await expect(showRun(terminal, reached, shown)).rejects.toMatchObject({
    code: "server_unreachable",
    message: "Lost connection to Bron. Run 3f9a1c20 is saved.",
    details: { hint: "Continue it: bron start. Then see its progress: bron runs show 3f9a1c20" },
  });
  expect(terminal.shown()).toBe("  Lost connection to Bron. Reconnecting…\n");
});

test("the exit code reflects the run's status, and an unknown effect takes precedence", async () => {
  const none: Client["events"] = async function* () {};
  expect(await showRun(createFakeTerminal(), bronWith(none), shown)).toBe(0);
  expect(
    await showRun(createFakeTerminal(), bronWith(none, { status: "awaiting_confirmation" }), shown),
  ).toBe(3);
  const asking = createFakeTerminal();
  const question = { id: "77ab6232-1111-4222-8333-444455556666", runId };
  expect(
    await showRun(
      asking,
      bronWith(
        none,
        { status: "awaiting_confirmation", waitsFor: { kind: "question" } },
        [],
        [question],
      ),
      shown,
    ),
  ).toBe(3);
  expect(asking.written("err")).toBe(
    'Waiting for your answer (run 3f9a1c20). Answer it: bron questions answer 77ab6232 "…"\n',
  );
  const terminal = createFakeTerminal();
  expect(
    await showRun(
      terminal,
      bronWith(none, { status: "failed" }, [{ tool: "post_note", state: "unknown" }]),
      shown,
    ),
  ).toBe(4);
  expect(terminal.written("err")).toContain("Couldn't confirm whether this was posted.");
});

test("BR18 only a run that did everything is reported as done", async () => {
  const none: Client["events"] = async function* () {};
  const saidOf = async (run: Partial<RunView>) => {
    const terminal = createFakeTerminal();
    await showRun(terminal, bronWith(none, run), shown);
    return terminal.written("err");
  };
  expect(await saidOf({ outcome: "done" })).toMatch(/^Done in /);
  expect(await saidOf({ outcome: "partly_done" })).toMatch(/^Partly done after /);
  expect(await saidOf({ outcome: "could_not" })).toMatch(/^Couldn't do it after /);
  expect(await saidOf({ outcome: "needs_answer" })).toMatch(/^Needs your answer after /);
  expect(await saidOf({ outcome: "denied" })).toMatch(/^You declined after /);
});

test("detaching says where the run continues", async () => {
  const none: Client["events"] = async function* () {};
  const terminal = createFakeTerminal({ stop: AbortSignal.abort() });
  await expect(showRun(terminal, bronWith(none), shown)).rejects.toMatchObject({
    code: "interrupted",
    message: "Detached. Run 3f9a1c20 continues at http://127.0.0.1:4310",
  });
  await expect(
    showRun(terminal, { ...bronWith(none), by: { model: "demo" } }, shown),
  ).rejects.toMatchObject({ code: "interrupted", message: expect.stringContaining("is saved") });
});

test("BR16 reports child runs with what they wait for, and names the one that asks", async () => {
  const childId = "c0ffee00-1111-4222-8333-444455556666";
  const started = {
    runId,
    seq: 3,
    createdAt: "2026-11-15T12:00:01Z",
    type: "child_run",
    payload: { childRunId: childId, title: "Count the chairs", status: "awaiting_confirmation" },
  } as EventView;
  const reached = bronWith(
    async function* () {
      yield started;
    },
    { status: "awaiting_confirmation", waitsFor: { kind: "question" } },
    [],
    [{ id: "77ab6232-1111-4222-8333-444455556666", runId: childId }],
  );
  const { client } = reached;
  const child = {
    id: childId,
    title: "Count the chairs",
    status: "awaiting_confirmation",
    waitsFor: { kind: "question" },
    spentMicrousd: 2_100,
    error: null,
  };
  const call = async (key: string, options: { params: { id: string } }) =>
    options.params.id === childId ? child : await client.call(key as "GET /api/runs/:id", options);
  const terminal = createFakeTerminal();
  await showRun(terminal, { ...reached, client: { ...client, call } as Client }, shown);
  expect(terminal.written("err")).toBe(
    `  Child run c0ffee00, needs your answer ($0.002100): Count the chairs
Waiting for your answer (child run c0ffee00). Answer it: bron questions answer 77ab6232 "…"
`,
  );
});
