import { BronError } from "@bron/core";
import { randomUUID } from "node:crypto";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime, type ReachedRuntime } from "../reach-runtime.ts";
import { showAndAsk } from "../ask-in-place.ts";
import { wrap } from "../render/wrap.ts";
import { findAsked, showRun, type ShownRun } from "../show-run.ts";
import { line, type Terminal } from "../terminal.ts";
import { waitForUndo } from "../wait-for-undo.ts";

const noSandboxHint =
  "Unset GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, and set BRON_SANDBOX=true for a model with a key.";

export interface DemoOptions {
  /** Approves without asking. */
  readonly yes?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** Runs the main email task in the sandbox: search, read, download, extract, draft, ask, send. */
export async function runDemo(context: CommandContext, options: DemoOptions): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime(context, { work: "own" }, async (reached) => {
    const [prompt] = await reached.demoTasks();
    if (prompt === undefined)
      throw new BronError(
        "config_invalid",
        "The demo uses the simulated mailbox, which this server doesn't have.",
        { details: { hint: noSandboxHint } },
      );
    if (options.json !== true)
      for (const text of wrap(prompt, terminal.columns)) line(terminal, text);
    const { id: runId } = await reached.client.call("POST /api/runs", {
      body: { prompt, title: "Demo" },
      idempotencyKey: randomUUID(),
    });
    const shown = { runId, afterSeq: 0, json: options.json === true, verbose: options.verbose };
    if (options.yes !== true) return await showAndAsk(terminal, reached, shown);
    return await showAndApprove(terminal, reached, shown);
  });
}

/** Approves everything that the run asks. */
async function showAndApprove(
  terminal: Terminal,
  reached: ReachedRuntime,
  shown: ShownRun,
): Promise<ExitCode> {
  const { client } = reached;
  const { runId } = shown;
  for (let afterSeq = 0; ;) {
    const code = await showRun(terminal, reached, { ...shown, afterSeq, asksNext: true });
    const run = await client.call("GET /api/runs/:id", { params: { id: runId } });
    const asked = await findAsked(client, run);
    if (asked?.kind !== "approval") return code;
    for (const { id, digest } of asked.group) {
      const approved = await client.call("POST /api/approvals/:id/approve", {
        params: { id },
        body: { digest },
      });
      if (!shown.json) await waitForUndo(terminal, client, [approved]);
    }
    afterSeq = run.lastSeq;
  }
}
