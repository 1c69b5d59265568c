import { errorTable, type ErrorCode } from "@bron/protocol";

/** The brand of BronError, so that `BronError.is` accepts a ClientError too. */
const brand = Symbol.for("bron.error");

interface ClientErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * A request failed, or the server returned an error. The code is the one that the runtime would
 * have thrown.
 */
export class ClientError extends Error {
  readonly [brand] = true;
  override readonly name = "ClientError";
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** The server's `hint`, and with `internal` its `reference`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = errorTable[code].retryable;
    this.details = options.details ?? {};
  }

  get hint(): string {
    const { hint } = this.details;
    return typeof hint === "string" ? hint : errorTable[this.code].hint;
  }

  static is(value: unknown, code?: ErrorCode): value is ClientError {
    return (
      typeof value === "object" &&
      value !== null &&
      brand in value &&
      (code === undefined || (value as ClientError).code === code)
    );
  }
}
