import { normalizeAddress } from "@bron/core";
import type { PreparedEvent } from "./prepared-event.ts";

/** Whether it is the calendar of the account. Others may see and change any other one. */
export function isOwnCalendar({
  account,
  calendarId,
}: Pick<PreparedEvent, "account" | "calendarId">): boolean {
  return calendarId === "primary" || isSameAddress(calendarId, account);
}

export function isSameAddress(one: string, other: string): boolean {
  return normalizeAddress(one) === normalizeAddress(other);
}
