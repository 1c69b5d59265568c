import type { SimulatorState } from "../state/simulator-state.ts";
import { accessRole, mayDo, type AccessRole } from "./calendar-facts.ts";
import { calendarNotFound, invalidParameter, writerRequired } from "./calendar-error.ts";
import type { Calendar } from "./calendars.ts";
import type { Actor } from "./commit-change.ts";
import { findTimeZone, readMoment } from "./event-time.ts";
import type { SendUpdates } from "./notify-guests.ts";

export interface CalendarCall {
  readonly state: SimulatorState;
  readonly account: { readonly address: string; readonly name: string };
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly ifMatch: string | undefined;
  readonly body: unknown;
  readonly now: Date;
  /** The number of the call in the record. */
  readonly call: number;
}

export interface CalendarMethod {
  readonly name: string;
  readonly verb: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path after /calendar/v3. */
  readonly path: string;
  /** Any one of these scopes is enough. */
  readonly scopes: readonly string[];
  readonly query?: readonly string[];
  /** May throw ApiError. Without a return value the response is 204. */
  readonly serve: (call: CalendarCall) => unknown;
}

interface OpenedCalendar {
  readonly calendar: Calendar;
  readonly role: AccessRole;
}

/**
 * "primary" is the caller's own calendar. A calendar that the caller may not see is reported as not
 * found.
 */
export function openCalendar(
  state: SimulatorState,
  address: string,
  calendarId: string | undefined,
): OpenedCalendar {
  const calendar = state
    .calendars()
    .find(calendarId === undefined || calendarId === "primary" ? address : calendarId);
  const role = calendar && accessRole(calendar.facts, address);
  if (!calendar || role === undefined) throw calendarNotFound();
  return { calendar, role };
}

export function actorOf({ state, account, params, query, now, call }: CalendarCall): Actor {
  const { calendar, role } = openCalendar(state, account.address, params.calendarId);
  if (!mayDo(role, "writer")) throw writerRequired();
  return { account, calendar, role, sendUpdates: readSendUpdates(query), by: "app", now, call };
}

function readSendUpdates(query: URLSearchParams): SendUpdates {
  const [wanted, old] = [query.get("sendUpdates"), readFlag(query, "sendNotifications")];
  if (wanted === null) return old ? "all" : "none";
  if (wanted === "all" || wanted === "externalOnly" || wanted === "none") return wanted;
  throw invalidParameter(
    "sendUpdates",
    `Invalid string value: '${wanted}'. Allowed values: [all, externalOnly, none]`,
  );
}

export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text === null || text === "false") return false;
  if (text === "true" || text === "") return true;
  throw invalidParameter(name, `Invalid boolean value: '${text}'.`);
}

/** Milliseconds since 1970. */
export function readTimeParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const moment = readMoment(text);
  if (moment === undefined) throw invalidParameter(name, "Bad Request");
  return moment;
}

export function readTimeZone(query: URLSearchParams, calendarZone: string): string {
  const text = query.get("timeZone");
  if (text === null) return calendarZone;
  const timeZone = findTimeZone(text);
  if (timeZone === undefined) throw invalidParameter("timeZone", `Invalid time zone: '${text}'.`);
  return timeZone;
}
