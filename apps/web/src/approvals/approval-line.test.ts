import { expect, it } from "vitest";
import { approvalLine, groupLine, itemLine } from "./approval-line.ts";

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

/** Changes the title. The line has the title that the owner knows. */
const change = {
  eventId: "e",
  etag: "1",
  iCalUID: "series",
  title: "Call: Eva",
  event: { summary: "Talk" },
};

const post = {
  workspace: "Acme",
  to: "general",
  shown: "Hello",
  mentioned: [],
  broadcasts: [],
  channel: { name: "general", isShared: false },
  person: null,
};

it.each([
  [
    { tool: "gmail_draft_send", prepared: mail, preview: "To: …" },
    "Sending the draft: eva@x.example +1 · Invoice",
  ],
  [
    {
      tool: "calendar_event_create",
      prepared: { eventId: "e", guests: [], event: { summary: "Lunch" } },
      preview: "New event: …",
    },
    "Adding an event: Lunch",
  ],
  [
    {
      tool: "calendar_event_update",
      prepared: { ...change, guests: ["eva@x.example"], iCalUID: "" },
      preview: "Update event: …",
    },
    "Updating an event: eva@x.example · Call: Eva",
  ],
  [
    { tool: "calendar_event_update", prepared: { ...change, guests: [] }, preview: "…" },
    "Updating an event: Call: Eva · entire series",
  ],
  [
    {
      tool: "calendar_event_update",
      prepared: { eventId: "e", etag: "1", guests: [], event: { summary: "New" } },
      preview: "Update event: Old\nTitle: Old → New",
    },
    "Updating an event: Update event: Old",
  ],
  [
    { tool: "slack_post", prepared: post, preview: "Slack: …" },
    "Posting to Slack: #general · Acme",
  ],
  [
    { tool: "crm_note_add", prepared: {}, preview: "\nA note on Eva\nmore" },
    "Crm note add: A note on Eva",
  ],
  [{ tool: "crm_note_add", prepared: {}, preview: "" }, "Crm note add"],
  [{ tool: "crm_note_add", prepared: {}, preview: "e\u202evil" }, "Crm note add: e\\u{202e}vil"],
])("BR2 describes approval %# in one line", (approval, label) => {
  expect(approvalLine({ kind: null, ...approval })).toBe(label);
});

const send = (to: string) => ({
  tool: "gmail_send",
  kind: "mail" as const,
  prepared: { ...mail, to: [to], cc: [] },
  preview: "",
});

it("X3 says what a group does, and leaves it out of the lines of its items", () => {
  const group = [send("eva@x.example"), send("tom@x.example")];
  expect(groupLine(group)).toBe("Send 2 emails");
  expect(group.map((one) => itemLine(one, group))).toEqual([
    "eva@x.example · Invoice",
    "tom@x.example · Invoice",
  ]);
});

it("X3 names the action of each item if a group has different ones", () => {
  const saved = { ...send("tom@x.example"), tool: "gmail_draft_create" };
  const group = [send("eva@x.example"), saved];
  expect(groupLine(group)).toBe("Make 2 changes");
  expect(itemLine(saved, group)).toBe("Saving a draft: tom@x.example · Invoice");
  expect(groupLine([send("a@x.example"), { ...send("b@x.example"), tool: "gmail_reply" }])).toBe(
    "Send 2 emails",
  );
});

it("X3 names the page that would be opened", () => {
  const prepared = { url: "https://shop.example/a%20b?q=61%2C000" };
  const visit = { tool: "web_fetch", kind: "fetch" as const, prepared, preview: "" };
  expect(approvalLine(visit)).toBe("Reading a web page: shop.example/a b");
});
