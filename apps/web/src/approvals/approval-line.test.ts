import { expect, it } from "vitest";
import { approvalLine } from "./approval-line.ts";

const mail = {
  account: "m@x.example",
  from: "m@x.example",
  replyTo: [],
  to: ["eva@x.example"],
  cc: ["tom@x.example"],
  bcc: [],
  subject: "Invoice",
  bodyText: "",
  attachments: [],
  raw: "",
};

it.each([
  [
    { tool: "gmail_draft_send", prepared: mail, preview: "To: …" },
    "Sending the draft: eva@x.example +1 · Invoice",
  ],
  [
    {
      tool: "calendar_event_create",
      prepared: { guests: [] },
      preview: "New event: Lunch\nWhen: Friday",
    },
    "Adding an event: Lunch",
  ],
  [
    {
      tool: "calendar_event_update",
      prepared: { guests: ["eva@x.example"] },
      preview: "Update event: Call · only this event",
    },
    "Updating an event: eva@x.example · Call · only this event",
  ],
  [
    { tool: "crm_note_add", prepared: {}, preview: "\nA note on Eva\nmore" },
    "Crm note add: A note on Eva",
  ],
  [{ tool: "crm_note_add", prepared: {}, preview: "" }, "Crm note add"],
  [{ tool: "crm_note_add", prepared: {}, preview: "e\u202evil" }, "Crm note add: e\\u{202e}vil"],
])("BR2 describes approval %# in one line", (approval, label) => {
  expect(approvalLine(approval)).toBe(label);
});
