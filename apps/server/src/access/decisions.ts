import { BronError } from "@bron/core";
import { errorTable, type ApprovalOutcome } from "@bron/protocol";
import type { Rates, TurnRequest } from "./rates.ts";

interface BatchAnswer {
  readonly approve: readonly ApprovalOutcome[];
  readonly deny: readonly ApprovalOutcome[];
}

/**
 * Counts decisions before they are made, all or none. Those that are refused (wrong digest, decided already, not found)
 * get their turns back and count in a limit of their own, beyond which they are answered with rate_limited and learn nothing.
 */
export async function countDecisions(
  rates: Rates,
  request: TurnRequest,
  decide: () => Promise<unknown>,
): Promise<unknown> {
  await rates.take(request);
  const refuse = async (count: number) => {
    await rates.giveBack({ ...request, count });
    // One after the other: a limit that has room for some of them has counted these.
    for (let turn = 0; turn < count; turn++)
      await rates.take({ ...request, name: "refusedDecision", count: 1 });
  };
  try {
    const answer = await decide();
    return isBatch(answer) ? await answerBatch(answer, refuse) : answer;
  } catch (error) {
    if (BronError.is(error) && errorTable[error.code].status < 500 && error.code !== "rate_limited")
      await refuse(request.count ?? 1);
    throw error;
  }
}

/** What was decided has been decided, so the batch is answered whatever the limit of refusals says. */
async function answerBatch(
  answer: BatchAnswer,
  refuse: (count: number) => Promise<void>,
): Promise<BatchAnswer> {
  const refused = [...answer.approve, ...answer.deny].filter(({ ok }) => !ok).length;
  if (refused === 0) return answer;
  try {
    await refuse(refused);
    return answer;
  } catch (error) {
    if (!BronError.is(error, "rate_limited")) throw error;
    const { code, message } = error;
    const hide = (outcome: ApprovalOutcome): ApprovalOutcome =>
      outcome.ok ? outcome : { ...outcome, error: { code, message } };
    return { approve: answer.approve.map(hide), deny: answer.deny.map(hide) };
  }
}

function isBatch(answer: unknown): answer is BatchAnswer {
  return typeof answer === "object" && answer !== null && "approve" in answer && "deny" in answer;
}
