import { BronError } from "@bron/core";
import { randomUUID } from "node:crypto";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime, type ReachedRuntime } from "../reach-runtime.ts";
import { showRun } from "../show-run.ts";
import { line, type Terminal } from "../terminal.ts";

const noSandboxHint =
  "Unset GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, and set BRON_SANDBOX=true for a model with a key.";

export interface DemoOptions {
  /** Approves without asking. */
  readonly yes?: boolean;
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
        "The demo uses the simulated mailbox, which this Bron doesn't have.",
        { details: { hint: noSandboxHint } },
      );
    if (options.json !== true) line(terminal, prompt);
    const { id: runId } = await reached.client.call("POST /api/runs", {
      body: { prompt, title: "Demo" },
      idempotencyKey: randomUUID(),
    });
    let afterSeq = 0;
    for (;;) {
      const code = await showRun(terminal, reached, {
        runId,
        afterSeq,
        json: options.json === true,
      });
      const { status, lastSeq } = await reached.client.call("GET /api/runs/:id", {
        params: { id: runId },
      });
      if (status !== "awaiting_confirmation" || !(await decide(terminal, reached, runId, options)))
        return code;
      afterSeq = lastSeq;
    }
  });
}

/** Returns false when the person wants to decide later. */
async function decide(
  terminal: Terminal,
  { client }: ReachedRuntime,
  runId: string,
  options: DemoOptions,
): Promise<boolean> {
  const [approval] = await client.list("GET /api/approvals", { runId, pending: "true" });
  if (!approval || (options.yes !== true && !terminal.canAsk)) return false;
  const response =
    options.yes === true
      ? "y"
      : await terminal.ask("Approve and send? [y]es / [n]o / Enter to decide later: ");
  const shown = { params: { id: approval.id }, body: { digest: approval.digest } };
  if (/^y(?:es)?$/i.test(response.trim()))
    await client.call("POST /api/approvals/:id/approve", shown);
  else if (/^n(?:o)?$/i.test(response.trim()))
    await client.call("POST /api/approvals/:id/deny", shown);
  else return false;
  return true;
}
