import {
  BrandedError,
  describeProblem,
  isBrandedError,
  outageCodes,
  type ErrorCode,
  type OutageCode,
  type ProblemReason,
} from "@bron/protocol";

/** The only error class that Bron throws. Callers decide what to do by `code`. */
export class BronError extends BrandedError {
  override readonly name = "BronError";

  static is(value: unknown, code?: ErrorCode): value is BronError {
    return isBrandedError(value, code);
  }
}

/** The error of a request that is not accepted. Its details have the reason. */
export function requestError(
  code: ErrorCode,
  why: ProblemReason,
  {
    details = {},
    cause,
  }: { readonly details?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
): BronError {
  return new BronError(code, describeProblem({ why }), { details: { ...details, why }, cause });
}

/** An error of Bron's own storage. */
export type Outage = BronError & { readonly code: OutageCode };

const outages: ReadonlySet<ErrorCode> = new Set(outageCodes);

/**
 * Returns the outage of Bron's own storage that this error is or was caused by. An outage says
 * nothing about the tool that hit it: the same work may succeed a moment later.
 */
export function outageOf(error: unknown): Outage | undefined {
  if (!BronError.is(error)) return undefined;
  // Waiting does not fix wrong keys or a missing bucket, so those are not retryable.
  return isOutageCode(error) && error.retryable ? error : outageOf(error.cause);
}

function isOutageCode(error: BronError): error is Outage {
  return outages.has(error.code);
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

/** Marks a state that the types rule out. */
export function unreachable(value: never): never {
  throw new BronError("internal", `Unexpected value: ${JSON.stringify(value)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
