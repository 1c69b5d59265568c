import { BronError } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";
import { isGroupId } from "../approval-groups.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { readWords, type Said } from "../read-words.ts";
import { describeWhat } from "../render/approval.ts";
import { shortId } from "../render/short-id.ts";
import { readDigest, shortDigest } from "../read-digest.ts";
import { waitForUndo } from "../wait-for-undo.ts";
import { json, note, type Terminal } from "../terminal.ts";
import { verdicts, type DecideOptions, type Verdict } from "../verdicts.ts";
import { decideGroup } from "./decide-group.ts";
import { noteReopening } from "./note-reopening.ts";
import { showAndAskRest } from "../ask-in-place.ts";
import { readBefore } from "./show-rest.ts";

/** Decides an approval, or a group of them, by the digest that the person saw, then shows the rest of the run. */
export async function decideApproval(
  context: CommandContext,
  verdict: Verdict,
  id: string,
  given: DecideOptions,
): Promise<ExitCode> {
  if (isGroupId(id)) return await decideGroup(context, verdict, id, given);
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
    const approval = await findApproval(client, id, "decide");
    const digest =
      options.digest === undefined
        ? await confirmDigest(terminal, approval, verdict, options.verbose === true)
        : readDigest(approval, options.digest);
    if (digest === undefined) {
      note(terminal, "Nothing was decided.");
      return 3;
    }
    const before = await readBefore(client, approval.runId);
    const decided = await verdicts[verdict].decide(client.call, approval, {
      ...options,
      digest,
    });
    if (options.json !== true) {
      note(
        terminal,
        `${verdicts[verdict].done} ${detach ? "The run continues in the background." : `Run ${shortId(approval.runId)} continues:`}`,
      );
      if (verdict === "approve") await waitForUndo(terminal, client, [decided]);
      noteReopening(terminal, [decided]);
    }
    if (!detach) return await showAndAskRest(terminal, reached, before, options);
    if (options.json === true) json(terminal, { approval: decided });
    return 0;
  });
}

function readReply(terminal: Terminal, { words, wordsFromStdin }: DecideOptions): Promise<Said> {
  return readWords(terminal, { words, wordsFromStdin, question: "What should change? " });
}

/** Shows the approval and asks. Returns the digest of what was shown, or undefined for a no. */
async function confirmDigest(
  terminal: Terminal,
  approval: ApprovalView,
  verdict: Verdict,
  isVerbose: boolean,
): Promise<string | undefined> {
  // A closed approval needs no question, because deciding it fails with the reason.
  if (approval.state !== "pending") return approval.digest;
  if (!terminal.canAsk) {
    throw new BronError(
      "invalid_input",
      `Not a terminal: pass --digest ${shortDigest(approval.digest)} to confirm.`,
      {
        details: {
          digest: approval.digest,
          hint: `Review it with: bron approvals show ${shortId(approval.id)}`,
        },
      },
    );
  }
  for (const text of describeWhat(approval, { calledAs: terminal.calledAs, isVerbose }))
    note(terminal, text);
  const response = await terminal.ask(`${verdicts[verdict].question} [y/N] `);
  if (terminal.stop.aborted)
    throw new BronError("interrupted", "Nothing was decided.", {
      details: {
        hint: `The approval is still pending: bron approvals show ${shortId(approval.id)}`,
      },
    });
  return /^y(?:es)?$/i.test(response.trim()) ? approval.digest : undefined;
}
