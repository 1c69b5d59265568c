import { newTs } from "../slack-times.ts";
import type { SlackMessage } from "../state/slack-entry.ts";
import { employeeIds } from "./people.ts";

/** Numbered messages every three minutes up to the anchor, oldest first. */
export function volumeMessages(count: number, anchor: Date): readonly SlackMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    ts: newTs(anchor.getTime() - (count - index) * 180_000, undefined),
    userId: employeeIds[index % employeeIds.length] ?? "",
    text: `Message ${index + 1} of ${count}`,
  }));
}
