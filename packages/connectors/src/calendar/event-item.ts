import { textOf } from "@bron/core";
import type { JsonObject, SourceItem } from "@bron/protocol";

/** What the owner recognizes an event by. */
export function eventItem(event: JsonObject): SourceItem {
  return {
    kind: "event",
    title: textOf(event, "summary"),
    author: textOf(event, "organizer"),
    date: textOf(event, "start"),
  };
}
