import type { Tool } from "@bron/core";
import type { CalendarDeps } from "./calendar-deps.ts";
import { eventCreateTool, eventUpdateTool } from "./tools/change.ts";
import { calendarSearchTool } from "./tools/search.ts";

export function calendarTools(deps: CalendarDeps): Tool[] {
  return [
    calendarSearchTool(deps, "calendar_search"),
    eventCreateTool(deps, "calendar_event_create"),
    eventUpdateTool(deps, "calendar_event_update"),
  ];
}
