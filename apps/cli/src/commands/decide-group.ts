import { BronError } from "@bron/core";
import { describeClosing, type ApprovalOutcome, type ApprovalView } from "@bron/protocol";
import { findGroup, shortGroupId, type ApprovalGroup } from "../approval-groups.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { describeItems } from "../render/approval-group.ts";
import { shortId } from "../render/short-id.ts";
import { shortDigest } from "../read-digest.ts";
import { waitForUndo } from "../wait-for-undo.ts";
import { json, note, type Terminal } from "../terminal.ts";
import type { DecideOptions, Verdict } from "../verdicts.ts";
import { showAndAskRest } from "../ask-in-place.ts";
import { readBefore } from "./show-rest.ts";
import { noteReopening } from "./note-reopening.ts";

type Numbers = readonly number[];

/**
 * Decides the approvals of a group by the digests that the person saw. The ones that are left out of
 * an approval are denied.
 */
export async function decideGroup(
  context: CommandContext,
  verdict: Verdict,
  id: string,
  options: DecideOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const detach = options.detach === true;
  return await reachRuntime(context, { work: detach ? "none" : "own" }, async (reached) => {
    const { client } = reached;
    const group = await findGroup(client, id);
    if (verdict !== "approve" && verdict !== "deny") throw oneByOne(group, verdict);
    const leftOut = await ask(terminal, group, verdict, options.verbose === true);
    if (leftOut === undefined) {
      note(terminal, "Nothing was decided.");
      return 3;
    }
    const kept = verdict === "deny" ? [] : group.filter((_, at) => !leftOut.includes(at + 1));
    const others = group.filter((approval) => !kept.includes(approval));
    const before = await readBefore(client, group[0].runId);
    const reason = options.reason === undefined ? {} : { reason: options.reason };
    const outcomes = await client.call("POST /api/approvals/batch", {
      body: { approve: kept.map(seen), deny: others.map((one) => ({ ...seen(one), ...reason })) },
    });
    if (options.json !== true) {
      report(terminal, group, outcomes);
      const approved = outcomes.approve.flatMap((one) => (one.ok ? [one.approval] : []));
      await waitForUndo(terminal, client, approved);
    }
    if (!detach) return await showAndAskRest(terminal, reached, before, options);
    if (options.json === true) json(terminal, outcomes);
    return [...outcomes.approve, ...outcomes.deny].every(({ ok }) => ok) ? 0 : 1;
  });
}

const seen = ({ id, digest }: ApprovalView) => ({ id, digest });

function oneByOne(group: ApprovalGroup, verdict: Verdict): BronError {
  return new BronError("invalid_input", `${shortGroupId(group)} is several approvals.`, {
    details: {
      hint: `Name one of them: bron approvals ${verdict} ${group.map(({ id }) => shortId(id)).join(" or ")}`,
    },
  });
}

/** Shows the group and asks. Returns the numbers to leave out, or undefined for a no. */
async function ask(
  terminal: Terminal,
  group: ApprovalGroup,
  verdict: "approve" | "deny",
  isVerbose: boolean,
): Promise<Numbers | undefined> {
  if (!terminal.canAsk) {
    const flags = group.map(
      ({ id, digest }) => `--${verdict} ${shortId(id)}=${shortDigest(digest)}`,
    );
    throw new BronError("invalid_input", "Not a terminal: confirm each approval by its digest.", {
      details: {
        hint: `Review them with bron approvals show ${shortGroupId(group)}, then: bron approvals batch ${flags.join(" ")}`,
      },
    });
  }
  for (const text of describeItems(group, { calledAs: terminal.calledAs, isVerbose }))
    note(terminal, text);
  const question =
    verdict === "approve"
      ? `Approve all ${group.length}? [y/N, or the numbers to leave out, such as 2,3] `
      : `Deny all ${group.length}? [y/N] `;
  const response = (await terminal.ask(question)).trim();
  if (terminal.stop.aborted)
    throw new BronError("interrupted", "Nothing was decided.", {
      details: {
        hint: `The approvals are still pending: bron approvals show ${shortGroupId(group)}`,
      },
    });
  if (/^y(?:es)?$/i.test(response)) return [];
  return verdict === "approve" ? readNumbers(response, group.length) : undefined;
}

/** "2,3" or "2 3". Undefined for anything else, and if nothing would be left. */
export function readNumbers(text: string, count: number): Numbers | undefined {
  if (!/^\d{1,3}(?:[\s,]+\d{1,3})*$/.test(text)) return undefined;
  const numbers = [...new Set(text.split(/[\s,]+/).map(Number))];
  const areValid = numbers.every((number) => number >= 1 && number <= count);
  return areValid && numbers.length < count ? numbers : undefined;
}

function report(
  terminal: Terminal,
  group: ApprovalGroup,
  {
    approve,
    deny,
  }: { readonly approve: readonly ApprovalOutcome[]; readonly deny: readonly ApprovalOutcome[] },
): void {
  const place = (id: string) => group.findIndex((one) => one.id === id) + 1;
  const lines = [
    ...approve.map((outcome) => ({ outcome, done: "Approved." })),
    ...deny.map((outcome) => ({ outcome, done: "Denied." })),
  ];
  for (const { outcome, done } of lines.toSorted(
    (a, b) => place(a.outcome.id) - place(b.outcome.id),
  ))
    note(
      terminal,
      `${place(outcome.id)}. ${outcome.ok ? done : `Not decided: ${describeClosing(outcome.error)}`} (${shortId(outcome.id)})`,
    );
  noteReopening(
    terminal,
    deny.flatMap((outcome) => (outcome.ok ? [outcome.approval] : [])),
  );
}
