import { gmailError, notFound, unauthenticated, type ApiError } from "../api-error.ts";
import { alreadyDeleted, conditionNotMet, duplicateId } from "../calendar/calendar-error.ts";
import type { ActiveFault } from "./faults.ts";

const calendarAnswers = { 409: duplicateId, 410: alreadyDeleted, 412: conditionNotMet } as const;

/** Google's error for the status of a fault. */
export function faultResponse({
  status,
  calendarStatus,
  retryAfterSeconds,
}: ActiveFault): ApiError {
  if (calendarStatus !== undefined) return calendarAnswers[calendarStatus]();
  const headers: Readonly<Record<string, string>> =
    retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  switch (status) {
    case 400:
      return gmailError(400, "Precondition check failed.", {
        reason: "failedPrecondition",
        headers,
      });
    case 401:
      return unauthenticated();
    case 403:
      return gmailError(
        403,
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'.",
        { reason: "rateLimitExceeded", domain: "usageLimits", headers },
      );
    case 404:
      return notFound();
    case 429:
      return gmailError(429, "Too many concurrent requests for user", {
        reason: "rateLimitExceeded",
        domain: "usageLimits",
        headers,
      });
    case 503:
      return gmailError(503, "The service is currently unavailable.", {
        reason: "backendError",
        headers,
      });
    default:
      return gmailError(500, "Internal error encountered.", { reason: "backendError", headers });
  }
}

export function describeFault({ kind, when, status, calendarStatus, ms }: ActiveFault): string {
  const detail =
    kind === "status" ? ` ${calendarStatus ?? status}` : kind === "slow" ? ` ${ms} ms` : "";
  return `${kind}${detail} ${when} the effect`;
}
