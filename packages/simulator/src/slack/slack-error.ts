/** An error in Slack's format. Nearly all errors come with HTTP status 200. */
export class SlackError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: string, { status = 200, more = {}, headers = {} }: SlackErrorParts = {}) {
    super(error);
    this.name = "SlackError";
    this.status = status;
    this.body = { ok: false, error, ...more };
    this.headers = headers;
  }
}

interface SlackErrorParts {
  readonly status?: number;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export const invalidArguments = (...messages: readonly string[]) =>
  new SlackError("invalid_arguments", {
    more: { response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) } },
  });

export const missingScope = (needed: readonly string[], provided: readonly string[]) =>
  new SlackError("missing_scope", {
    more: { needed: needed.join(","), provided: provided.join(",") },
  });
