import { expect, it } from "vitest";
import { askedTitle } from "./approval-title.ts";

const post = {
  workspace: "Acme",
  to: "orders",
  shown: "Hello",
  mentioned: [],
  broadcasts: [],
  channel: { name: "orders", isShared: false },
  person: null,
};
const change = (event: object) => ({ eventId: "e", etag: "1", event: { ...event } });

it.each([
  ["gmail_send", {}, "Send this email?"],
  ["gmail_reply", {}, "Send this reply?"],
  ["calendar_event_create", { event: { start: {}, end: {} } }, "Add this event?"],
  [
    "calendar_event_update",
    change({ start: {}, end: {}, extendedProperties: {} }),
    "Move this event?",
  ],
  ["calendar_event_update", change({ start: {}, summary: "Call" }), "Change this event?"],
  ["calendar_event_update", change({}), "Change this event?"],
  ["slack_post", post, "Post this to #orders?"],
  ["slack_post", {}, "Post this to Slack?"],
  ["web_fetch", {}, "Open this page?"],
  ["crm_note_add", {}, "Make this change?"],
])("BR2 asks about %s with %j as a question that names it", (tool, prepared, title) => {
  expect(askedTitle({ tool, prepared })).toBe(title);
});
