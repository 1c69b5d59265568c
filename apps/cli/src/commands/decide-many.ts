import { BronError } from "@bron/core";
import type { ApprovalOutcome } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval, findRun } from "../find-by-id.ts";
import type { OwnerRuntime } from "../owner-runtime.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

export interface BatchOptions {
  /** `id=digest` each. */
  readonly approve?: readonly string[];
  readonly deny?: readonly string[];
  readonly json?: boolean;
}

/** Each by the digest of what was seen; those that are refused are named, and do not stop the others. */
export async function decideMany(
  context: CommandContext,
  options: BatchOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const [approve, deny] = [options.approve ?? [], options.deny ?? []];
  if (approve.length + deny.length === 0)
    throw new BronError(
      "invalid_input",
      "Say what you decide on: --approve id=digest, --deny id=digest.",
    );
  const outcomes = await reachRuntime(context, { work: "none" }, async ({ runtime }) => ({
    approve: await runtime.approvals.approveMany(await readSeen(runtime, approve)),
    deny: await runtime.approvals.denyMany(await readSeen(runtime, deny)),
  }));
  if (options.json === true) json(terminal, outcomes);
  else {
    for (const outcome of outcomes.approve) line(terminal, sayOutcome(outcome, "approved"));
    for (const outcome of outcomes.deny) line(terminal, sayOutcome(outcome, "denied"));
  }
  return [...outcomes.approve, ...outcomes.deny].every(({ ok }) => ok) ? 0 : 1;
}

async function readSeen(
  runtime: OwnerRuntime,
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
    seen.push({ id: (await findApproval(runtime, id)).id, digest });
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
export async function approveSend(
  context: CommandContext,
  id: string,
  options: SendOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const approved = options.deny !== true;
  const approval = await reachRuntime(
    context,
    { work: "none" },
    async ({ runtime }) =>
      await runtime.approvals.decideOfRun((await findRun(runtime, id)).id, {
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
