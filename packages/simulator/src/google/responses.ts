import type { ServiceResponse } from "./simulated-service.ts";

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=UTF-8",
      "cache-control": "no-store",
      ...headers,
    },
    body: JSON.stringify(value),
  };
}

export function html(status: number, body: string): ServiceResponse {
  // Browsers apply form-action to the redirect after the form too.
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'self' http://127.0.0.1:* http://localhost:*";
  return {
    status,
    headers: {
      "content-type": "text/html; charset=UTF-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
    },
    body,
  };
}
