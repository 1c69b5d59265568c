import { describeItem, type JsonValue } from "@bron/protocol";
import type { Tool } from "@bron/core";
import { describe, expect, it } from "vitest";
import { calendarSearchTool } from "./calendar/tools/search.ts";
import { attachmentTool } from "./gmail/tools/attachment.ts";
import { messageReadTool, threadReadTool } from "./gmail/tools/read.ts";
import { searchTool } from "./gmail/tools/search.ts";
import { slackTools } from "./slack/slack-tools.ts";
import { webFetchTool } from "./web/web-fetch.ts";

/** Labels need no account. */
const none = {} as never;
const mail = { subject: "Invoice 4711", from: "Rachel Stone <r@x.example>", date: "2026-11-11" };
const words = "the email “Invoice 4711” from Rachel Stone (r@x.example), 2026-11-11";

describe("X3 tools say what their results consist of", () => {
  it.each<[string, Tool | undefined, JsonValue, readonly (string | number)[], string]>([
    ["a search", searchTool(none, "a"), { matches: [mail] }, ["matches", 0], words],
    ["a thread", threadReadTool(none, "a"), { messages: [mail] }, ["messages", 0], words],
    ["an email", messageReadTool(none, "a"), mail, [], words],
    [
      "an attachment",
      attachmentTool(none, "a"),
      { filename: "a.pdf", digest: "sha256:a", from: "Eva <e@x.example>" },
      [],
      "the file “a.pdf” from Eva (e@x.example)",
    ],
    [
      "events",
      calendarSearchTool(none, "a"),
      { events: [{ summary: "Dentist", organizer: "e@x.example", start: "2026-11-12" }] },
      ["events", 0],
      "the event “Dentist” from e@x.example, 2026-11-12",
    ],
    [
      "Slack messages",
      slackTools({ times: {} } as never).find(({ name }) => name === "slack_read"),
      { channel: "team", messages: [{ who: "Eva", at: "2026-11-12", text: "Hi" }] },
      ["messages", 0],
      "a message from Eva in “#team”, 2026-11-12",
    ],
    [
      "a page",
      webFetchTool({ read: none }),
      { url: "https://x.example/a", host: "x.example" },
      [],
      "the page “https://x.example/a” from x.example",
    ],
  ])("%s", (_, tool, output, path, expected) => {
    const parts = tool?.labelOf(output).parts ?? [];
    expect(parts.map((part) => part.path)).toEqual([path]);
    expect(parts.map(({ item }) => describeItem(item, (date) => date))).toEqual([expected]);
  });

  it("says nothing about an output of another form", () => {
    for (const output of [null, "text", [], { matches: "none" }, { matches: [null] }])
      expect(searchTool(none, "a").labelOf(output).parts).toBeUndefined();
  });
});
