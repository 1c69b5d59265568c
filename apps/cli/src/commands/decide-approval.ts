import { BronError } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";
import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachBron } from "../reach-bron.ts";
import { describeWhat } from "../render/approval.ts";
import { shortId } from "../render/short-id.ts";
import { showRun } from "../show-run.ts";
import { json, note, type Terminal } from "../terminal.ts";

export interface DecideOptions {
  readonly digest?: string;
  readonly reason?: string;
  readonly detach?: boolean;
  readonly json?: boolean;
}

type Verdict = "approve" | "deny";

/** Decides on what the person saw, then follows the run from there. */
export async function decideApproval(door: Door, verdict: Verdict, id: string, options: DecideOptions): Promise<ExitCode> {
  const { terminal } = door;
  const detach = options.detach === true;
  return await reachBron(door, { work: detach ? "none" : "own" }, async (reached) => {
    const { bron } = reached;
    const approval = await findApproval(bron, id);
    const digest = options.digest ?? (await digestSeen(terminal, approval, verdict));
    if (digest === undefined) {
      note(terminal, "Nothing was decided.");
      return 3;
    }
    const { lastSeq } = await bron.runs.get(approval.runId);
    const decided = verdict === "approve" ? await bron.approvals.approve(approval.id, digest) : await bron.approvals.deny(approval.id, digest, options.reason);
    if (options.json !== true) note(terminal, `${verdict === "approve" ? "Approved" : "Denied"}. ${detach ? "The run goes on where Bron runs." : `Run ${shortId(approval.runId)} goes on:`}`);
    if (!detach) return await showRun(terminal, reached, { runId: approval.runId, afterSeq: lastSeq, json: options.json === true });
    if (options.json === true) json(terminal, { approval: decided });
    return 0;
  });
}

/** The digest of what is shown to the person now; undefined if they do not agree. */
async function digestSeen(terminal: Terminal, approval: ApprovalView, verdict: Verdict): Promise<string | undefined> {
  // A closed one needs no question: the decision itself says why it comes too late.
  if (approval.state !== "pending") return approval.digest;
  if (!terminal.canAsk) {
    throw new BronError("invalid_input", `Without a terminal, say what you decide on: the digest of this approval is ${approval.digest}`, {
      details: { digest: approval.digest, hint: `Look at it with bron approvals show ${shortId(approval.id)}, then: bron approvals ${verdict} ${shortId(approval.id)} --digest ${approval.digest}` },
    });
  }
  for (const text of describeWhat(approval)) note(terminal, text);
  const answer = await terminal.ask(`${verdict === "approve" ? "Do exactly this" : "Deny this"}? [y/N] `);
  if (terminal.stop.aborted) throw new BronError("interrupted", "Nothing was decided.", { details: { hint: `It can still be: bron approvals show ${shortId(approval.id)}` } });
  return /^y(?:es)?$/i.test(answer.trim()) ? approval.digest : undefined;
}
