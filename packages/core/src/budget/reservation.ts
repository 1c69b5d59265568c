import type { Caps } from "@bron/protocol";
import type { ModelPrice } from "../ports.ts";

/** Tokens that providers add around the messages: roles, tool framing. */
const framingTokens = 2_048;

/**
 * The most that one call can cost. A token is at least one byte, so the request's bytes bound its tokens;
 * the output is bounded by what the request allows, thinking included.
 */
export function reserveMicrousd(
  requestBytes: number,
  maxOutputTokens: number,
  price: ModelPrice | undefined,
): number {
  return costMicrousd(
    { inputTokens: requestBytes + framingTokens, outputTokens: maxOutputTokens },
    price,
  );
}

/** Rounded up: a fraction of a millionth is never given away. */
export function costMicrousd(
  usage: { inputTokens: number; outputTokens: number },
  price: ModelPrice | undefined,
): number {
  if (!price) return 0;
  return Math.ceil(
    (usage.inputTokens * price.inputMicrousdPerMillion +
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
      readonly message: string;
    };

export interface Purse {
  readonly caps: Caps;
  readonly ownerCapMicrousd: number | null;
  readonly drawnMicrousd: number;
  readonly spentMicrousd: number;
}

/** Blocks keep the owner's row from being locked at every step of every run. */
const stepsPerBlock = 8;

export function afford(
  purse: Purse,
  reservedMicrousd: number,
  price: ModelPrice | undefined,
  modelName: string,
): Affordable {
  const capped = purse.caps.costMicrousd !== undefined || purse.ownerCapMicrousd !== null;
  if (!capped) return { ok: true };
  if (!price)
    return {
      ok: false,
      code: "price_unknown",
      message: `There is a money cap, but no price is known for ${modelName}.`,
    };
  const after = purse.spentMicrousd + reservedMicrousd;
  if (purse.caps.costMicrousd !== undefined && after > purse.caps.costMicrousd) {
    return {
      ok: false,
      code: "budget_exhausted",
      message: `The next model call could exceed this run's cap of ${dollars(purse.caps.costMicrousd)}.`,
    };
  }
  if (purse.ownerCapMicrousd === null || after <= purse.drawnMicrousd) return { ok: true };
  const needMicrousd = after - purse.drawnMicrousd;
  return {
    ok: true,
    draw: { needMicrousd, blockMicrousd: Math.max(needMicrousd, reservedMicrousd * stepsPerBlock) },
  };
}

/** A block is at most a small share of what is left, so that many runs at once do not hoard what others could spend. */
export function drawAmount(
  draw: { readonly needMicrousd: number; readonly blockMicrousd: number },
  leftMicrousd: number,
): number {
  return Math.max(draw.needMicrousd, Math.min(draw.blockMicrousd, Math.floor(leftMicrousd / 64)));
}

export function dollars(microusd: number): string {
  return `$${(microusd / 1_000_000).toFixed(microusd < 10_000 ? 6 : 2)}`;
}
