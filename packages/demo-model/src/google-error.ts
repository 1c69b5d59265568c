import { omitUndefined } from "@bron/protocol";
/** An error in Google's format. It is a value, so every check can return it. */
export interface GoogleError {
  readonly code: number;
  readonly message: string;
  readonly status: string;
  readonly details?: readonly unknown[];
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

export function googleError(
  code: number,
  message: string,
  details?: readonly unknown[],
): GoogleError {
  return { code, message, status: statusNames[code] ?? "UNKNOWN", ...omitUndefined({ details }) };
}

export function invalidArgument(message: string): GoogleError {
  return googleError(400, message);
}

export const noCaller = googleError(
  403,
  "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
);
