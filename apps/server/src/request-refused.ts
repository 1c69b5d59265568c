interface Refusal {
  readonly status: number;
  readonly slug: string;
  readonly hint: string;
}

/** What only HTTP knows. Everything else has its code in protocol's table. */
export const refusals = {
  method_not_allowed: { status: 405, slug: "method-not-allowed", hint: "Use one of the methods that the Allow header names." },
  body_timeout: { status: 408, slug: "body-timeout", hint: "Send the whole body at once." },
  wrong_content_type: { status: 415, slug: "wrong-content-type", hint: "Send JSON with the header Content-Type: application/json." },
  wrong_host: { status: 421, slug: "wrong-host", hint: "Use the address that Bron printed." },
} as const satisfies Record<string, Refusal>;

export type RefusalCode = keyof typeof refusals;

/** Thrown by this door alone, before anything was asked of the library. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}
