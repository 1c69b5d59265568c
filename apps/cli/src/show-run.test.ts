import { BronError } from "@bron/core";
import type { ActionView, RunView } from "@bron/protocol";
import { expect, test } from "vitest";
import { createFakeTerminal } from "./fake-terminal.fixture.ts";
import type { OwnerRuntime } from "./owner-runtime.ts";
import { showRun } from "./show-run.ts";

const runId = "3f9a1c20-1111-4222-8333-444455556666";
const shown = { runId, afterSeq: 0, json: false };

function bronWith(
  events: OwnerRuntime["runs"]["events"],
  run: Partial<RunView> = {},
  actions: readonly Partial<ActionView>[] = [],
) {
  const runs = {
    events,
    get: async () => ({
      id: runId,
      status: "completed",
      createdAt: "2026-11-15T12:00:00Z",
      startedAt: null,
      finishedAt: null,
      spentMicrousd: 0,
      ...run,
    }),
    actions: async () => actions,
  };
  return { runtime: { runs } as unknown as OwnerRuntime, by: { url: "http://127.0.0.1:4310" } };
}

test("a server that goes away and does not come back is an error that says what to do", async () => {
  const terminal = createFakeTerminal();
  // oxlint-disable-next-line require-yield
  const reached = bronWith(async function* (_id, { onConnection } = {}) {
    onConnection?.("reconnecting");
    throw new BronError("server_unreachable", "No answer.");
  });
  await expect(showRun(terminal, reached, shown)).rejects.toMatchObject({
    code: "server_unreachable",
    message: "Bron went away and has not come back. Run 3f9a1c20 is kept.",
    details: { hint: "bron start lets it go on, then bron runs show 3f9a1c20 says how far it is." },
  });
  expect(terminal.shown()).toBe("  Bron does not answer any more; waiting for it to come back.\n");
});

test("the exit code is the run's, and doubt about an effect wins", async () => {
  const none: OwnerRuntime["runs"]["events"] = async function* () {};
  expect(await showRun(createFakeTerminal(), bronWith(none), shown)).toBe(0);
  expect(
    await showRun(createFakeTerminal(), bronWith(none, { status: "awaiting_confirmation" }), shown),
  ).toBe(3);
  const terminal = createFakeTerminal();
  expect(
    await showRun(
      terminal,
      bronWith(none, { status: "failed" }, [{ tool: "post_note", state: "unknown" }]),
      shown,
    ),
  ).toBe(4);
  expect(terminal.written("err")).toContain("nobody knows whether post_note happened");
});

test("BR18 only a run that did all it was to do is said to have succeeded", async () => {
  const none: OwnerRuntime["runs"]["events"] = async function* () {};
  const saidOf = async (run: Partial<RunView>) => {
    const terminal = createFakeTerminal();
    await showRun(terminal, bronWith(none, run), shown);
    return terminal.written("err");
  };
  expect(await saidOf({ notDone: 0 })).toContain("succeeded");
  expect(await saidOf({ notDone: 1 })).toContain("ended, not all done");
});

test("whoever lets go is told where the run goes on", async () => {
  const none: OwnerRuntime["runs"]["events"] = async function* () {};
  const terminal = createFakeTerminal({ stop: AbortSignal.abort() });
  await expect(showRun(terminal, bronWith(none), shown)).rejects.toMatchObject({
    code: "interrupted",
    message: "Let go of run 3f9a1c20. It goes on at http://127.0.0.1:4310.",
  });
  await expect(
    showRun(terminal, { ...bronWith(none), by: { model: "demo" } }, shown),
  ).rejects.toMatchObject({ code: "interrupted", message: expect.stringContaining("It is kept") });
});
