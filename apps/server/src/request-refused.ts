import { BronError } from "@bron/core";
import type { ErrorCode } from "@bron/protocol";

type RefusalCode = Extract<
  ErrorCode,
  "method_not_allowed" | "body_timeout" | "wrong_content_type" | "wrong_host" | "rate_limited"
>;

/** An error at the level of HTTP, with the headers that its response needs. */
export class RequestRefused extends BronError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(code, message);
    this.headers = headers;
  }
}
