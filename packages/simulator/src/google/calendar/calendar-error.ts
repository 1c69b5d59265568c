import { ApiError } from "../api-error.ts";

interface CalendarErrorParts {
  readonly reason: string;
  readonly domain?: "global" | "calendar";
  /** The location of the error in the request. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Unlike Gmail's, Calendar's errors have no status word and no details. */
export function calendarError(
  code: number,
  message: string,
  { reason, domain = "global", more = {} }: CalendarErrorParts,
): ApiError {
  return new ApiError(code, {
    error: { errors: [{ domain, reason, message, ...more }], code, message },
  });
}

export const invalid = (message: string) => calendarError(400, message, { reason: "invalid" });
export const required = (message: string) => calendarError(400, message, { reason: "required" });
export const invalidParameter = (name: string, message: string) =>
  calendarError(400, message, {
    reason: "invalidParameter",
    more: { locationType: "parameter", location: name },
  });
export const emptyTimeRange = () =>
  calendarError(400, "The specified time range is empty.", {
    domain: "calendar",
    reason: "timeRangeEmpty",
    more: { locationType: "parameter", location: "timeMax" },
  });
export const calendarNotFound = () => calendarError(404, "Not Found", { reason: "notFound" });
export const alreadyDeleted = () =>
  calendarError(410, "Resource has been deleted", { reason: "deleted" });
export const duplicateId = () =>
  calendarError(409, "The requested identifier already exists.", { reason: "duplicate" });
export const conditionNotMet = () =>
  calendarError(412, "Precondition Failed", {
    reason: "conditionNotMet",
    more: { locationType: "header", location: "If-Match" },
  });
export const fullSyncRequired = () =>
  calendarError(410, "Sync token is no longer valid, a full sync is required.", {
    domain: "calendar",
    reason: "fullSyncRequired",
    more: { locationType: "parameter", location: "syncToken" },
  });
export const writerRequired = () =>
  calendarError(403, "You need to have writer access to this calendar.", {
    domain: "calendar",
    reason: "requiredAccessLevel",
  });
export const organizerRequired = () =>
  calendarError(403, "Shared properties can only be changed by the organizer of the event.", {
    domain: "calendar",
    reason: "forbiddenForNonOrganizer",
  });
