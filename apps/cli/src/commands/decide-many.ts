import { BronError } from "@bron/core";
import type { ApprovalOutcome } from "@bron/protocol";
import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval, findRun } from "../find-by-id.ts";
import type { OwnerBron } from "../owner-bron.ts";
import { reachBron } from "../reach-bron.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

export interface BatchOptions {
  /** `id=digest` each. */
  readonly approve?: readonly string[];
  readonly deny?: readonly string[];
  readonly json?: boolean;
}

/** Each by the digest of what was seen; those that are refused are named, and do not stop the others. */
export async function decideMany(door: Door, options: BatchOptions): Promise<ExitCode> {
  const { terminal } = door;
  const [approve, deny] = [options.approve ?? [], options.deny ?? []];
  if (approve.length + deny.length === 0)
    throw new BronError(
      "invalid_input",
      "Say what you decide on: --approve id=digest, --deny id=digest.",
    );
  const outcomes = await reachBron(door, { work: "none" }, async ({ bron }) => ({
    approve: await bron.approvals.approveMany(await readSeen(bron, approve)),
    deny: await bron.approvals.denyMany(await readSeen(bron, deny)),
  }));
  if (options.json === true) json(terminal, outcomes);
  else {
    for (const outcome of outcomes.approve) line(terminal, sayOutcome(outcome, "approved"));
    for (const outcome of outcomes.deny) line(terminal, sayOutcome(outcome, "denied"));
  }
  return [...outcomes.approve, ...outcomes.deny].every(({ ok }) => ok) ? 0 : 1;
}

async function readSeen(
  bron: OwnerBron,
  given: readonly string[],
): Promise<{ id: string; digest: string }[]> {
  const seen = [];
  for (const one of given) {
    const [, id, digest] = /^([^=]+)=(.+)$/.exec(one) ?? [];
    if (id === undefined || digest === undefined)
      throw new BronError(
        "invalid_input",
        `"${one}" does not say what you saw: give id=digest, as bron approvals show prints them.`,
      );
    seen.push({ id: (await findApproval(bron, id)).id, digest });
  }
  return seen;
}

function sayOutcome(outcome: ApprovalOutcome, done: string): string {
  return outcome.ok
    ? `${shortId(outcome.id)}  ${done}`
    : `${shortId(outcome.id)}  not ${done}: ${outcome.error.message} (code ${outcome.error.code})`;
}

export interface SendOptions {
  readonly digest?: string;
  readonly deny?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

/** The one decision that a run waits for. */
export async function approveSend(door: Door, id: string, options: SendOptions): Promise<ExitCode> {
  const { terminal } = door;
  const approved = options.deny !== true;
  const approval = await reachBron(
    door,
    { work: "none" },
    async ({ bron }) =>
      await bron.approvals.decideOfRun((await findRun(bron, id)).id, {
        approved,
        digest: options.digest,
        reason: options.reason,
      }),
  );
  if (options.json === true) json(terminal, { approval });
  else
    line(
      terminal,
      `${approved ? "Approved" : "Denied"}: ${shortId(approval.id)}. The run goes on where Bron runs.`,
    );
  return 0;
}
