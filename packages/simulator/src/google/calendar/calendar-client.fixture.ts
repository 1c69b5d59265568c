import { calendar, type calendar_v3 } from "@googleapis/calendar";
import { failureOf, signIn, withSimulator } from "../google-client.fixture.ts";
import type { Simulator, SimulatorOptions } from "../start-simulator.ts";

export const fullScope = "https://www.googleapis.com/auth/calendar";
export const mara = "mara@lindqvist.example";
export const jonas = "jonas@lindqvist.example";
export const primary = { calendarId: "primary" } as const;

/** A Sunday. */
export const anchor = new Date("2026-11-15T12:00:00Z");

export async function calendarOf(
  simulator: Simulator,
  options: { readonly account?: string; readonly scopes?: readonly string[] } = {},
): Promise<calendar_v3.Calendar> {
  const { auth } = await signIn(simulator, { scopes: [fullScope], ...options });
  return calendar({
    version: "v3",
    auth,
    rootUrl: simulator.googleEndpoints.rootUrl,
    retry: false,
  });
}

/** A simulator whose clock is fixed at the anchor, and the owner's client. */
export function withCalendar<Result>(
  use: (client: calendar_v3.Calendar, simulator: Simulator) => Promise<Result>,
  options: SimulatorOptions = {},
): Promise<Result> {
  return withSimulator({ now: () => anchor, ...options }, async (simulator) =>
    use(await calendarOf(simulator), simulator),
  );
}

interface Refusal {
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const { response } = await failureOf(call);
  const error = response?.data.error;
  return { status: response?.status, reason: error?.errors[0]?.reason, message: error?.message };
}

/** An hour on a day without seeded events. */
export function meeting(change: calendar_v3.Schema$Event = {}): calendar_v3.Schema$Event {
  return {
    summary: "Planning",
    start: { dateTime: "2027-01-12T09:00:00+01:00" },
    end: { dateTime: "2027-01-12T10:00:00+01:00" },
    ...change,
  };
}
