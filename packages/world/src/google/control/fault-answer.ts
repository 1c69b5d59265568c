import { gmailError, notFound, unauthenticated, type ApiError } from "../api-error.ts";
import { alreadyDeleted, conditionNotMet, duplicateId } from "../calendar/calendar-error.ts";
import type { ActiveFault } from "./faults.ts";

/** Google's body for the status of a fault. */
export function faultAnswer({ status, retryAfterSeconds }: ActiveFault): ApiError {
  const headers: Readonly<Record<string, string>> = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  switch (status) {
    case 400:
      return gmailError(400, "Precondition check failed.", { reason: "failedPrecondition", headers });
    case 401:
      return unauthenticated();
    case 403:
      return gmailError(403, "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'.", { reason: "rateLimitExceeded", domain: "usageLimits", headers });
    case 404:
      return notFound();
    case 409:
      return duplicateId();
    case 410:
      return alreadyDeleted();
    case 412:
      return conditionNotMet();
    case 429:
      return gmailError(429, "Too many concurrent requests for user", { reason: "rateLimitExceeded", domain: "usageLimits", headers });
    case 503:
      return gmailError(503, "The service is currently unavailable.", { reason: "backendError", headers });
    default:
      return gmailError(500, "Internal error encountered.", { reason: "backendError", headers });
  }
}

export function describeFault({ kind, when, status, ms }: ActiveFault): string {
  const detail = kind === "status" ? ` ${status}` : kind === "slow" ? ` ${ms} ms` : "";
  return `${kind}${detail} ${when} the effect`;
}
