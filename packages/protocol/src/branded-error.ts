import { errorTable, type ErrorCode } from "./errors.ts";

const brand = Symbol.for("bron.error");

interface BrandedErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Overrides the error table's value for this one error. */
  readonly retryable?: boolean;
}

/**
 * An error with a code of the table. It carries plain data, never live objects. The runtime's and
 * the client's errors share it, so that each accepts the other.
 */
export class BrandedError extends Error {
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: BrandedErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? errorTable[code].retryable;
    this.details = options.details ?? {};
  }

  get hint(): string {
    return errorTable[this.code].hint;
  }
}

/** Works across bundles and realms, where `instanceof` does not. */
export function isBrandedError(value: unknown, code?: ErrorCode): value is BrandedError {
  return (
    typeof value === "object" &&
    value !== null &&
    brand in value &&
    (code === undefined || (value as BrandedError).code === code)
  );
}
