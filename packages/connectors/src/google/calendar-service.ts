import type { calendar_v3 } from "@googleapis/calendar";
import { clientOptions } from "./client-options.ts";
import type { GoogleConfig } from "./google-config.ts";
import type { GoogleService } from "./google-service.ts";
import { calendarScopes } from "./scopes.ts";

export interface CalendarClient {
  readonly calendar: calendar_v3.Calendar;
}

export function calendarService(fixed?: GoogleConfig): GoogleService<CalendarClient> {
  return {
    name: "Google Calendar",
    scopes: calendarScopes.map(({ scope }) => scope),
    async connect(accessToken, config = fixed) {
      const [options, google] = await Promise.all([
        clientOptions(config, accessToken),
        import("@googleapis/calendar"),
      ]);
      return { calendar: google.calendar({ version: "v3", ...options }) };
    },
  };
}
