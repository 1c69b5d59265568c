import type { Caps, FailureReason } from "@bron/protocol";
import type { ModelPrice, RunModel } from "../ports/model.ts";

/** Tokens that providers add around the messages, for roles and tool framing. */
const framingTokens = 2_048;

/**
 * The maximum cost of one call. A token is at least one byte, so the request's bytes limit its
 * tokens. The request itself limits the output, including thinking.
 */
export function reserveMicrousd(
  requestBytes: number,
  { maxOutputTokens, price }: Pick<RunModel, "maxOutputTokens" | "price">,
): number {
  const inputTokens = requestBytes + framingTokens;
  return costMicrousd({ inputTokens, outputTokens: maxOutputTokens }, price);
}

/** Rounds up, so that fractions of a microdollar are charged. */
export function costMicrousd(
  usage: { inputTokens: number; cachedInputTokens?: number; outputTokens: number },
  price: ModelPrice | undefined,
): number {
  if (!price) return 0;
  const { inputMicrousdPerMillion: full, cachedInputMicrousdPerMillion: cached = full } = price;
  // A provider that reports more cached than total input must not make the call cheaper.
  const cachedTokens = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  return Math.ceil(
    ((usage.inputTokens - cachedTokens) * full +
      cachedTokens * cached +
      usage.outputTokens * price.outputMicrousdPerMillion) /
      1_000_000,
  );
}

export type Affordable =
  | {
      readonly ok: true;
      readonly draw?: { readonly needMicrousd: number; readonly blockMicrousd: number };
    }
  | {
      readonly ok: false;
      readonly code: "budget_exhausted" | "price_unknown";
      readonly why: FailureReason;
    };

export interface BudgetState {
  readonly caps: Caps;
  readonly ownerCapMicrousd: number | null;
  readonly drawnMicrousd: number;
  readonly spentMicrousd: number;
}

/** Whether money limits the run. Then only models with a known price can be used. */
export function isCapped({
  caps,
  ownerCapMicrousd,
}: Pick<BudgetState, "caps" | "ownerCapMicrousd">): boolean {
  return caps.costMicrousd !== undefined || ownerCapMicrousd !== null;
}

/** Drawing in blocks avoids locking the owner's row at every step of every run. */
const stepsPerBlock = 8;

export function afford(
  budget: BudgetState,
  reservedMicrousd: number,
  price: ModelPrice | undefined,
  modelName: string,
): Affordable {
  if (!isCapped(budget)) return { ok: true };
  if (!price)
    return {
      ok: false,
      code: "price_unknown",
      why: { code: "price_unknown", model: modelName },
    };
  const after = budget.spentMicrousd + reservedMicrousd;
  if (budget.caps.costMicrousd !== undefined && after > budget.caps.costMicrousd) {
    return {
      ok: false,
      code: "budget_exhausted",
      why: { code: "task_budget", limitMicrousd: budget.caps.costMicrousd },
    };
  }
  if (budget.ownerCapMicrousd === null || after <= budget.drawnMicrousd) return { ok: true };
  const needMicrousd = after - budget.drawnMicrousd;
  return {
    ok: true,
    draw: { needMicrousd, blockMicrousd: Math.max(needMicrousd, reservedMicrousd * stepsPerBlock) },
  };
}

/**
 * Limits a block to a small share of the remaining money, so that many runs at once do not reserve
 * what others could spend.
 */
export function drawAmount(
  draw: { readonly needMicrousd: number; readonly blockMicrousd: number },
  leftMicrousd: number,
): number {
  return Math.max(draw.needMicrousd, Math.min(draw.blockMicrousd, Math.floor(leftMicrousd / 64)));
}

export function dollars(microusd: number): string {
  return `$${(microusd / 1_000_000).toFixed(microusd < 10_000 ? 6 : 2)}`;
}
