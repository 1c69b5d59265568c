import { BronError } from "@bron/core";
import { errorTable, type ApprovalOutcome } from "@bron/protocol";
import type { Rates, TurnRequest } from "./rates.ts";

interface BatchResponse {
  readonly approve: readonly ApprovalOutcome[];
  readonly deny: readonly ApprovalOutcome[];
}

/**
 * Counts decisions against the rate limit before they are made, all or none. Refused decisions
 * (wrong digest, already decided, not found) are given back and count against a separate limit.
 * Above that limit the caller gets rate_limited and learns nothing about the approval.
 */
export async function countApprovals(
  rates: Rates,
  request: TurnRequest,
  decide: () => Promise<unknown>,
): Promise<unknown> {
  await rates.take(request);
  const refuse = async (count: number) => {
    await rates.refund({ ...request, count });
    // Takes one at a time, so that a limit with room for only some of them still counts those.
    for (let turn = 0; turn < count; turn++)
      await rates.take({ ...request, name: "refusedDecision", count: 1 });
  };
  try {
    const response = await decide();
    return isBatch(response) ? await countRefusedOfBatch(response, refuse) : response;
  } catch (error) {
    if (BronError.is(error) && errorTable[error.code].status < 500 && error.code !== "rate_limited")
      await refuse(request.count ?? 1);
    throw error;
  }
}

/**
 * Never fails because of the limit, since the accepted decisions of the batch are already made.
 * Above the limit, hides why the others were refused.
 */
async function countRefusedOfBatch(
  response: BatchResponse,
  refuse: (count: number) => Promise<void>,
): Promise<BatchResponse> {
  const refused = [...response.approve, ...response.deny].filter(({ ok }) => !ok).length;
  if (refused === 0) return response;
  try {
    await refuse(refused);
    return response;
  } catch (error) {
    if (!BronError.is(error, "rate_limited")) throw error;
    const { code, message } = error;
    const hide = (outcome: ApprovalOutcome): ApprovalOutcome =>
      outcome.ok ? outcome : { ...outcome, error: { code, message } };
    return { approve: response.approve.map(hide), deny: response.deny.map(hide) };
  }
}

function isBatch(response: unknown): response is BatchResponse {
  return (
    typeof response === "object" && response !== null && "approve" in response && "deny" in response
  );
}
