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
    return typeof value === "object" && value !== null && brand in value && (code === undefined || (value as BronError).code === code);
  }
}

/** For a state that the types say cannot be. */
export function unreachable(value: never): never {
  throw new BronError("internal", `Unexpected value: ${JSON.stringify(value)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
