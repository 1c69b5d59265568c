import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { isTerminal, type ApprovalView, type RunView } from "@bron/protocol";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { readWords, type Said } from "../read-words.ts";
import { describeWhat } from "../render/approval.ts";
import { shortId } from "../render/short-id.ts";
import { seconds } from "../render/time.ts";
import { showRun } from "../show-run.ts";
import { json, note, type Terminal } from "../terminal.ts";
import { verdicts, type DecideOptions, type Verdict } from "../verdicts.ts";

/** Decides an approval by the digest that the person saw, then shows the rest of the run. */
export async function decideApproval(
  context: CommandContext,
  verdict: Verdict,
  id: string,
  given: DecideOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const options = verdict === "reply" ? { ...given, ...(await readReply(terminal, given)) } : given;
  const detach = options.detach === true;
  // Editing needs the tool itself, because only the tool knows which fields can be edited.
  const opening = {
    work: detach ? ("none" as const) : ("own" as const),
    ...(verdict === "edit" ? { withOutside: true } : {}),
  };
  return await reachRuntime(context, opening, async (reached) => {
    const { client } = reached;
    const approval = await findApproval(client, id);
    const digest = options.digest ?? (await confirmDigest(terminal, approval, verdict));
    if (digest === undefined) {
      note(terminal, "Nothing was decided.");
      return 3;
    }
    const { lastSeq, parentRunId } = await client.call("GET /api/runs/:id", {
      params: { id: approval.runId },
    });
    const parent =
      parentRunId === null
        ? undefined
        : await client.call("GET /api/runs/:id", { params: { id: parentRunId } });
    const decided = await verdicts[verdict].decide(client.call, approval, {
      ...options,
      digest,
    });
    if (options.json !== true) {
      note(
        terminal,
        `${verdicts[verdict].done} ${detach ? "The run continues in the background." : `Run ${shortId(approval.runId)} continues:`}`,
      );
      if (decided.undoUntil !== null)
        note(
          terminal,
          `Starts in ${seconds(Math.max(0, Date.parse(decided.undoUntil) - terminal.now().getTime()))}. Undo: bron approvals undo ${shortId(approval.id)}`,
        );
    }
    if (!detach) {
      const asJson = options.json === true;
      const code = await showRun(terminal, reached, {
        runId: approval.runId,
        afterSeq: lastSeq,
        json: asJson,
      });
      if (
        !parent ||
        !isTerminal(
          (await client.call("GET /api/runs/:id", { params: { id: approval.runId } })).status,
        )
      )
        return code;
      if (!asJson) note(terminal, `The parent run ${shortId(parent.id)} continues:`);
      await untilParentNotified(client, parent);
      return await showRun(terminal, reached, {
        runId: parent.id,
        afterSeq: parent.lastSeq,
        json: asJson,
      });
    }
    if (options.json === true) json(terminal, { approval: decided });
    return 0;
  });
}

function readReply(terminal: Terminal, { words, wordsFromStdin }: DecideOptions): Promise<Said> {
  return readWords(terminal, { words, wordsFromStdin, question: "What should change? " });
}

const notifyTimeoutMs = 5_000;

/** A parent run is notified, and continues, a moment after its child run has finished. */
async function untilParentNotified(client: Client, parent: RunView): Promise<void> {
  for (const until = Date.now() + notifyTimeoutMs; Date.now() < until; await sleep(50)) {
    const { lastSeq, status } = await client.call("GET /api/runs/:id", {
      params: { id: parent.id },
    });
    if (lastSeq > parent.lastSeq && status !== parent.status) return;
  }
}

/** Shows the approval and asks. Returns the digest of what was shown, or undefined for a no. */
async function confirmDigest(
  terminal: Terminal,
  approval: ApprovalView,
  verdict: Verdict,
): Promise<string | undefined> {
  // A closed approval needs no question, because deciding it fails with the reason.
  if (approval.state !== "pending") return approval.digest;
  if (!terminal.canAsk) {
    throw new BronError(
      "invalid_input",
      `Not a terminal: pass --digest ${approval.digest} to confirm.`,
      {
        details: {
          digest: approval.digest,
          hint: `Review it with bron approvals show ${shortId(approval.id)}, then run the command again with --digest.`,
        },
      },
    );
  }
  for (const text of describeWhat(approval)) note(terminal, text);
  const response = await terminal.ask(`${verdicts[verdict].question} [y/N] `);
  if (terminal.stop.aborted)
    throw new BronError("interrupted", "Nothing was decided.", {
      details: {
        hint: `The approval is still pending: bron approvals show ${shortId(approval.id)}`,
      },
    });
  return /^y(?:es)?$/i.test(response.trim()) ? approval.digest : undefined;
}
