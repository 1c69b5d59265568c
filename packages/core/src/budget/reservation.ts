import { omitUndefined, type Caps, type Failure, type FailureReason } from "@bron/protocol";
import type { ModelUsage } from "../model/model-result.ts";
import type { ModelPrice, RunModel } from "../ports/model.ts";
import type { BudgetRefusal, Draw } from "../ports/runs/run-log.ts";

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
  // The provider may write all of the input to its cache.
  return costMicrousd(
    { inputTokens, cacheWriteTokens: inputTokens, outputTokens: maxOutputTokens },
    price,
  );
}

/** Rounds up, so that fractions of a microdollar are charged. */
export function costMicrousd(
  usage: Omit<ModelUsage, "reasoningTokens">,
  price: ModelPrice | undefined,
): number {
  if (!price) return 0;
  const {
    inputMicrousdPerMillion: full,
    cachedInputMicrousdPerMillion: cached = full,
    cacheWriteMicrousdPerMillion: written = full,
  } = price;
  // A provider that reports more cached than total input must not make the call cheaper.
  const cachedTokens = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const otherTokens = usage.inputTokens - cachedTokens;
  const writtenTokens = Math.min(usage.cacheWriteTokens ?? 0, otherTokens);
  return Math.ceil(
    ((otherTokens - writtenTokens) * full +
      cachedTokens * cached +
      writtenTokens * written +
      usage.outputTokens * price.outputMicrousdPerMillion) /
      1_000_000,
  );
}

type Affordable =
  | { readonly ok: true; readonly draw?: Draw }
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
  /** Whether the owner has caps by day or month. */
  readonly hasOwnerBudget?: boolean;
  /** What the run is charged for calls that have ended. The default is `spentMicrousd`. */
  readonly settledMicrousd?: number;
  /** Whether a run above has a cap on money or steps. */
  readonly hasCappedAncestors: boolean;
  /** Whether the run has child runs. They use its caps too. */
  readonly hasChildren: boolean;
}

/** A model call before it starts. */
interface PlannedCall {
  readonly reservedMicrousd: number;
  readonly model: Pick<RunModel, "name" | "price">;
  /** The number of steps of the run with this one. Absent unless the call is a new step. */
  readonly steps?: number;
}

/** Whether money limits the run. Then only models with a known price can be used. */
export function isCapped({
  caps,
  ownerCapMicrousd,
  hasOwnerBudget = false,
}: Pick<BudgetState, "caps" | "ownerCapMicrousd" | "hasOwnerBudget">): boolean {
  return caps.costMicrousd !== undefined || ownerCapMicrousd !== null || hasOwnerBudget;
}

/** Drawing in blocks avoids locking shared rows at every call of every run. */
const callsPerBlock = 8;

/**
 * Whether the caps allow a model call, as far as the run knows. If other runs use the same caps,
 * the store decides: it gets the `draw` with the append that starts the call.
 */
export function afford(
  budget: BudgetState,
  { reservedMicrousd, model, steps }: PlannedCall,
): Affordable {
  const { caps, ownerCapMicrousd, drawnMicrousd, hasCappedAncestors, hasOwnerBudget } = budget;
  if (isCapped(budget) && !model.price)
    return {
      ok: false,
      code: "price_unknown",
      why: { code: "price_unknown", model: model.name },
    };
  const after = budget.spentMicrousd + reservedMicrousd;
  if (caps.costMicrousd !== undefined && after > caps.costMicrousd) {
    return {
      ok: false,
      code: "budget_exhausted",
      why: { code: "task_budget", limitMicrousd: caps.costMicrousd },
    };
  }
  const drawsMoney = ownerCapMicrousd !== null || hasCappedAncestors;
  const needMicrousd = drawsMoney ? Math.max(0, after - drawnMicrousd) : 0;
  const isInTree = hasCappedAncestors || budget.hasChildren;
  const isShared =
    hasCappedAncestors || (isInTree && (isCapped(budget) || caps.steps !== undefined));
  if (needMicrousd === 0 && !isShared && hasOwnerBudget !== true) return { ok: true };
  return {
    ok: true,
    draw: {
      needMicrousd,
      blockMicrousd:
        needMicrousd === 0 ? 0 : Math.max(needMicrousd, reservedMicrousd * callsPerBlock),
      isInTree,
      ...omitUndefined({ steps: isInTree && caps.steps !== undefined ? steps : undefined }),
      ...(hasOwnerBudget === true
        ? { settledMicrousd: budget.settledMicrousd ?? budget.spentMicrousd }
        : {}),
    },
  };
}

/** The failure of a run whose model call a shared cap did not allow. */
export function budgetFailure(why: BudgetRefusal): Failure {
  return { code: why.code === "step_limit" ? "step_limit" : "budget_exhausted", why };
}

/**
 * Limits a block to a small share of the remaining money, so that many runs at once do not reserve
 * what others could spend.
 */
export function drawAmount(
  draw: Pick<Draw, "needMicrousd" | "blockMicrousd">,
  leftMicrousd: number,
): number {
  return Math.max(draw.needMicrousd, Math.min(draw.blockMicrousd, Math.floor(leftMicrousd / 64)));
}

export function dollars(microusd: number): string {
  return `$${(microusd / 1_000_000).toFixed(microusd < 10_000 ? 6 : 2)}`;
}
