import { BronError } from "@bron/core";
import { isTerminal, type ApprovalView, type RunView } from "@bron/protocol";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import type { OwnerRuntime } from "../owner-runtime.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { readChanges } from "../read-changes.ts";
import { describeWhat } from "../render/approval.ts";
import { shortId } from "../render/short-id.ts";
import { seconds } from "../render/time.ts";
import { showRun } from "../show-run.ts";
import { json, note, type Terminal } from "../terminal.ts";

export interface DecideOptions {
  readonly digest?: string;
  readonly reason?: string;
  /** With `edit`: `field=value`, as often as there are values. */
  readonly set?: readonly string[];
  /** With `reply`. */
  readonly words?: string;
  readonly detach?: boolean;
  readonly json?: boolean;
}

export type Verdict = "approve" | "deny" | "edit" | "reply";

interface Words {
  readonly question: string;
  readonly done: string;
  decide(
    approvals: OwnerRuntime["approvals"],
    approval: ApprovalView,
    options: DecideOptions & { readonly digest: string },
  ): Promise<ApprovalView>;
}

const verdicts: Readonly<Record<Verdict, Words>> = {
  approve: {
    question: "Do exactly this?",
    done: "Approved.",
    decide: (approvals, { id }, { digest }) => approvals.approve(id, digest),
  },
  deny: {
    question: "Deny this?",
    done: "Denied.",
    decide: (approvals, { id }, { digest, reason }) => approvals.deny(id, digest, reason),
  },
  edit: {
    question: "Change it so, and be asked again?",
    done: "Edited. You are asked again about what it is now.",
    decide: (approvals, approval, { digest, set = [] }) =>
      approvals.edit(approval.id, digest, readChanges(approval, set)),
  },
  reply: {
    question: "Say this instead of a decision?",
    done: "Answered. It is not done.",
    decide: (approvals, { id }, { digest, words = "" }) => approvals.reply(id, digest, words),
  },
};

/** Decides on what the person saw, then follows the run from there. */
export async function decideApproval(
  context: CommandContext,
  verdict: Verdict,
  id: string,
  options: DecideOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const detach = options.detach === true;
  // What a tool lets a person edit is known only where the tool is.
  const opening = {
    work: detach ? ("none" as const) : ("own" as const),
    ...(verdict === "edit" ? { withOutside: true } : {}),
  };
  return await reachRuntime(context, opening, async (reached) => {
    const { runtime } = reached;
    const approval = await findApproval(runtime, id);
    const digest = options.digest ?? (await digestSeen(terminal, approval, verdict));
    if (digest === undefined) {
      note(terminal, "Nothing was decided.");
      return 3;
    }
    const { lastSeq, parentRunId } = await runtime.runs.get(approval.runId);
    const whole = parentRunId === null ? undefined : await runtime.runs.get(parentRunId);
    const decided = await verdicts[verdict].decide(runtime.approvals, approval, {
      ...options,
      digest,
    });
    if (options.json !== true) {
      note(
        terminal,
        `${verdicts[verdict].done} ${detach ? "The run goes on where Bron runs." : `Run ${shortId(approval.runId)} goes on:`}`,
      );
      if (decided.undoUntil !== null)
        note(
          terminal,
          `It begins in ${seconds(Math.max(0, Date.parse(decided.undoUntil) - terminal.now().getTime()))}. Until then you can take it back: bron approvals undo ${shortId(approval.id)}`,
        );
    }
    if (!detach) {
      const asJson = options.json === true;
      const code = await showRun(terminal, reached, {
        runId: approval.runId,
        afterSeq: lastSeq,
        json: asJson,
      });
      if (!whole || !isTerminal((await runtime.runs.get(approval.runId)).status)) return code;
      if (!asJson) note(terminal, `It was a part of run ${shortId(whole.id)}, which goes on:`);
      await untilTold(runtime, whole);
      return await showRun(terminal, reached, {
        runId: whole.id,
        afterSeq: whole.lastSeq,
        json: asJson,
      });
    }
    if (options.json === true) json(terminal, { approval: decided });
    return 0;
  });
}

const tellingMs = 5_000;

/** The whole goes on once it has been told of its part, a moment after that is over. */
async function untilTold(runtime: OwnerRuntime, whole: RunView): Promise<void> {
  for (const until = Date.now() + tellingMs; Date.now() < until; await sleep(50)) {
    const { lastSeq, status } = await runtime.runs.get(whole.id);
    if (lastSeq > whole.lastSeq && status !== whole.status) return;
  }
}

/** The digest of what is shown to the person now; undefined if they do not agree. */
async function digestSeen(
  terminal: Terminal,
  approval: ApprovalView,
  verdict: Verdict,
): Promise<string | undefined> {
  // A closed one needs no question: the decision itself says why it comes too late.
  if (approval.state !== "pending") return approval.digest;
  if (!terminal.canAsk) {
    throw new BronError(
      "invalid_input",
      `Without a terminal, say what you decide on: the digest of this approval is ${approval.digest}`,
      {
        details: {
          digest: approval.digest,
          hint: `Look at it with bron approvals show ${shortId(approval.id)}, then: bron approvals ${verdict} ${shortId(approval.id)} --digest ${approval.digest}`,
        },
      },
    );
  }
  for (const text of describeWhat(approval)) note(terminal, text);
  const answer = await terminal.ask(`${verdicts[verdict].question} [y/N] `);
  if (terminal.stop.aborted)
    throw new BronError("interrupted", "Nothing was decided.", {
      details: { hint: `It can still be: bron approvals show ${shortId(approval.id)}` },
    });
  return /^y(?:es)?$/i.test(answer.trim()) ? approval.digest : undefined;
}
