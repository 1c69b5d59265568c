import { errorTable, type ErrorCode } from "@bron/protocol";

const brand = Symbol.for("bron.error");

export interface BronErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Overrides the error table's value for this one error. */
  readonly retryable?: boolean;
}

/**
 * The only error class that Bron throws. It carries plain data, never live objects. Callers decide
 * what to do by `code`.
 */
export class BronError extends Error {
  readonly [brand] = true;
  override readonly name = "BronError";
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: BronErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? errorTable[code].retryable;
    this.details = options.details ?? {};
  }

  get hint(): string {
    return errorTable[this.code].hint;
  }

  /** Works across bundles and realms, where `instanceof` does not. */
  static is(value: unknown, code?: ErrorCode): value is BronError {
    return (
      typeof value === "object" &&
      value !== null &&
      brand in value &&
      (code === undefined || (value as BronError).code === code)
    );
  }
}

const outages: ReadonlySet<ErrorCode> = new Set([
  "database_unreachable",
  "database_busy",
  "storage_unreachable",
  "disk_full",
]);

/**
 * Returns the outage of Bron's own storage that this error is or was caused by. An outage says
 * nothing about the tool that hit it: the same work may succeed a moment later.
 */
export function outageOf(error: unknown): BronError | undefined {
  if (!BronError.is(error)) return undefined;
  // Waiting does not fix wrong keys or a missing bucket, so those are not retryable.
  return outages.has(error.code) && error.retryable ? error : outageOf(error.cause);
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

export interface CodedError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Marks a state that the types rule out. */
export function unreachable(value: never): never {
  throw new BronError("internal", `Unexpected value: ${JSON.stringify(value)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
