import { BrandedError, isBrandedError, type ErrorCode } from "@bron/protocol";

/**
 * A request failed, or the server returned an error. The code is the one that the runtime would
 * have thrown. `details` holds the server's `hint`, and with `internal` its `reference`.
 */
export class ClientError extends BrandedError {
  override readonly name = "ClientError";

  override get hint(): string {
    const { hint } = this.details;
    return typeof hint === "string" ? hint : super.hint;
  }

  static is(value: unknown, code?: ErrorCode): value is ClientError {
    return isBrandedError(value, code);
  }
}
