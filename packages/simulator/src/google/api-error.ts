import { omitUndefined } from "@bron/protocol";
/** An error with Google's response body. Handlers throw it and the server sends it. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`${status} ${JSON.stringify(body)}`);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

interface GmailErrorParts {
  readonly reason: string;
  readonly domain?: string;
  /** The message of the inner error, if it differs. */
  readonly inner?: string;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly details?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
}

export function gmailError(code: number, message: string, parts: GmailErrorParts): ApiError {
  const { reason, domain = "global", inner = message, more = {}, details, headers } = parts;
  const error = {
    code,
    message,
    errors: [{ message: inner, domain, reason, ...more }],
    status: statusNames[code] ?? "UNKNOWN",
    ...omitUndefined({ details }),
  };
  return new ApiError(code, { error }, headers);
}

export const notFound = () =>
  gmailError(404, "Requested entity was not found.", { reason: "notFound" });

export const badRequest = (message: string) =>
  gmailError(400, message, { reason: "invalidArgument" });

export const unauthenticated = () =>
  gmailError(
    401,
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    {
      reason: "authError",
      inner: "Invalid Credentials",
      more: { location: "Authorization", locationType: "header" },
      headers: {
        "www-authenticate": 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
      },
    },
  );

export const missingCredentials = () =>
  gmailError(
    401,
    "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    {
      reason: "required",
      inner: "Login Required.",
      more: { location: "Authorization", locationType: "header" },
      headers: { "www-authenticate": 'Bearer realm="https://accounts.google.com/"' },
    },
  );

/** The gateway in front of Calendar returns the same error as Gmail's. */
export function insufficientScope(
  method: string,
  scopes: readonly string[],
  service = "gmail.googleapis.com",
): ApiError {
  return gmailError(403, "Request had insufficient authentication scopes.", {
    reason: "insufficientPermissions",
    inner: "Insufficient Permission",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        domain: "googleapis.com",
        metadata: { service, method },
      },
    ],
    headers: {
      "www-authenticate": `Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="${scopes.join(" ")}"`,
    },
  });
}
