import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { describeClosing, type ApprovalOutcome } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval, findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { readDigest } from "../read-digest.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

export interface BatchOptions {
  /** `id=digest` each. */
  readonly approve?: readonly string[];
  readonly deny?: readonly string[];
  readonly json?: boolean;
}

/** Decides each approval by its digest. A failed one is reported and does not stop the others. */
export async function decideMany(
  context: CommandContext,
  options: BatchOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const [approve, deny] = [options.approve ?? [], options.deny ?? []];
  if (approve.length + deny.length === 0)
    throw new BronError(
      "invalid_input",
      "Specify at least one --approve id=digest or --deny id=digest.",
      { details: { hint: "bron approvals show --verbose prints the digest of an approval." } },
    );
  const outcomes = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) =>
      await client.call("POST /api/approvals/batch", {
        body: { approve: await readSeen(client, approve), deny: await readSeen(client, deny) },
      }),
  );
  if (options.json === true) json(terminal, outcomes);
  else {
    for (const outcome of outcomes.approve) line(terminal, describeOutcome(outcome, "approved"));
    for (const outcome of outcomes.deny) line(terminal, describeOutcome(outcome, "denied"));
  }
  return [...outcomes.approve, ...outcomes.deny].every(({ ok }) => ok) ? 0 : 1;
}

async function readSeen(
  client: Client,
  pairs: readonly string[],
): Promise<{ id: string; digest: string }[]> {
  const seen = [];
  for (const pair of pairs) {
    const [, id, digest] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (id === undefined || digest === undefined)
      throw new BronError(
        "invalid_input",
        `"${pair}" isn't of the form id=digest. bron approvals show --verbose prints both.`,
      );
    const approval = await findApproval(client, id, "decide");
    seen.push({ id: approval.id, digest: readDigest(approval, digest) });
  }
  return seen;
}

function describeOutcome(outcome: ApprovalOutcome, done: string): string {
  return outcome.ok
    ? `${shortId(outcome.id)}  ${done}`
    : `${shortId(outcome.id)}  not ${done}: ${describeClosing(outcome.error)} (code ${outcome.error.code})`;
}

export interface SendOptions {
  readonly digest?: string;
  readonly deny?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

/** Decides the one approval that a run is waiting for. */
export async function approveSend(
  context: CommandContext,
  id: string,
  options: SendOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const approved = options.deny !== true;
  const approval = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const { id: runId } = await findRun(client, id);
    return await client.call("POST /api/runs/:id/approve-send", {
      params: { id: runId },
      body: {
        approved,
        digest: await readRunDigest(client, runId, options.digest),
        reason: options.reason,
      },
    });
  });
  if (options.json === true) json(terminal, { approval });
  else
    line(
      terminal,
      `${approved ? "Approved" : "Denied"} ${shortId(approval.id)}. The run continues in the background.`,
    );
  return 0;
}

async function readRunDigest(
  client: Client,
  runId: string,
  given: string | undefined,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const pending = await client.list("GET /api/approvals", { runId, pending: "true" });
  const found = pending.find((approval) => readDigest(approval, given) === approval.digest);
  return found?.digest ?? given;
}
