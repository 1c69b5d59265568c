import { errorTable, type ErrorCode } from "@bron/protocol";

const brand = Symbol.for("bron.error");

export interface BronErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Overrides the table's word, where one occurrence is known to differ. */
  readonly retryable?: boolean;
}

/** The one class that Bron throws. It carries data, never live objects; `code` decides what callers do with it. */
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

  /** Holds across bundles and realms, where `instanceof` does not. */
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
 * The outage of Bron's own storage that an error is, or that caused it. It says nothing about the tool that met it: the same work may
 * succeed a moment later.
 */
export function outageOf(error: unknown): BronError | undefined {
  if (!BronError.is(error)) return undefined;
  // Wrong keys or a missing bucket do not get better by waiting.
  return outages.has(error.code) && error.retryable ? error : outageOf(error.cause);
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

/** For a state that the types say cannot be. */
export function unreachable(value: never): never {
  throw new BronError("internal", `Unexpected value: ${JSON.stringify(value)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
