import type { Tool } from "@bron/core";
import type { CalendarParts } from "./calendar-parts.ts";
import { eventCreateTool, eventUpdateTool } from "./tools/change.ts";
import { calendarSearchTool } from "./tools/search.ts";

export function calendarTools(parts: CalendarParts): Tool[] {
  return [
    calendarSearchTool(parts, "calendar_search"),
    eventCreateTool(parts, "calendar_event_create"),
    eventUpdateTool(parts, "calendar_event_update"),
  ];
}
