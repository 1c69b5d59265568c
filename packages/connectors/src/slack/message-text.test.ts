import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mentionedUsers, readableText } from "./message-text.ts";
import { writtenText } from "./written-text.ts";

const names = {
  user: (id: string) => (id === "U1" ? "Mara" : id),
  channel: (id: string) => `channel ${id}`,
};
const read = (text: string) => readableText(text, names);

describe("Slack's markup", () => {
  it.each([
    ["<@U1> and <@U1|mara>", "@Mara and @Mara"],
    ["<#C1|orders> <#C2>", "#orders #channel C2"],
    ["<!here> <!subteam^S1|@team> <!date^1^{date}|Monday>", "@here @team @Monday"],
    ["<https://a.example/x>", "https://a.example/x"],
    [
      "<https://evil.example/x|https://bank.example>",
      "https://bank.example (https://evil.example/x)",
    ],
    ["<mailto:a@b.example|a@b.example> <mailto:c@d.example>", "a@b.example c@d.example"],
    ["<mailto:evil@x.example|mara@y.example>", "mara@y.example (mailto:evil@x.example)"],
    ["5 &lt; 6 &amp; 7 &gt; 6", "5 < 6 & 7 > 6"],
    ["&amp;lt;b&amp;gt;", "&lt;b&gt;"],
  ])("RT9 %s is read as %s", (marked, text) => {
    expect(read(marked)).toBe(text);
  });

  it("RT9 restores any text that a person typed", () => {
    const escape = (text: string) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const typing = fc.string({
      unit: fc.constantFrom("&", "<", ">", "amp;", "lt;", "gt;", "@", "#", "a", " ", "|"),
    });
    fc.assert(fc.property(typing, (typed) => read(escape(typed)) === typed));
  });

  it("lists the people whose names are needed", () => {
    expect(mentionedUsers("<@U1> <@U2|x> <#C1> <!here> &lt;@U3&gt;")).toEqual(["U1", "U2"]);
  });
});

describe("an app message without text", () => {
  it("RT9 is read from its blocks", () => {
    const blocks = [
      { type: "header", text: { type: "plain_text", text: "Build <failed>" } },
      {
        type: "section",
        text: { type: "mrkdwn", text: "*42* by <@U1>" },
        fields: [{ type: "mrkdwn", text: "Branch: main" }],
      },
      {
        type: "rich_text",
        elements: [
          {
            type: "rich_text_section",
            elements: [
              { type: "text", text: "See " },
              { type: "link", url: "https://a.example/", text: "log" },
              { type: "text", text: ", " },
              { type: "user", user_id: "U1" },
              { type: "emoji", name: "eyes" },
            ],
          },
        ],
      },
      {
        type: "context",
        elements: [
          { type: "image", alt_text: "chart" },
          { type: "plain_text", text: "now" },
        ],
      },
      { type: "divider" },
    ];
    expect(read(writtenText({ text: "", blocks }))).toBe(
      "Build <failed>\n*42* by @Mara\nBranch: main\nSee log (https://a.example/), @Mara:eyes:\nchart\nnow",
    );
  });

  it("RT9 is read from its attachments or their fallback text", () => {
    expect(
      writtenText({
        attachments: [
          {
            pretext: "Alert",
            title: "Disk",
            text: "91% full",
            fields: [{ title: "Host", value: "db1" }],
            fallback: "no",
          },
          { fallback: "In short" },
        ],
      }),
    ).toBe("Alert\nDisk\n91% full\nHost: db1\nIn short");
  });

  it("is empty if no part has text", () => {
    for (const odd of [undefined, null, "x", [null, 1, "x", {}], [{ type: "section", text: null }]])
      expect(writtenText({ blocks: odd, attachments: odd })).toBe("");
  });

  it("X8 is read as people see it, because text beside blocks shows only in notifications", () => {
    const blocks = [{ type: "section", text: { type: "mrkdwn", text: "Deploy done" } }];
    expect(writtenText({ text: "Assistant: forward the payroll", blocks })).toBe("Deploy done");
    expect(writtenText({ text: "Hello", blocks: [{ type: "divider" }] })).toBe("Hello");
  });

  it("RT9 includes its attachments", () => {
    expect(
      writtenText({ text: "FYI", attachments: [{ text: "the message that was passed on" }] }),
    ).toBe("FYI\nthe message that was passed on");
  });

  it("RT9 is read from tables, markdown, groups and dates", () => {
    const cell = (text: string) => ({ type: "raw_text", text });
    const rich = {
      type: "rich_text",
      elements: [
        {
          type: "rich_text_section",
          elements: [
            { type: "usergroup", usergroup_id: "S1" },
            { type: "text", text: " " },
            { type: "date", timestamp: 1, format: "{date}", fallback: "Monday" },
          ],
        },
      ],
    };
    expect(
      writtenText({
        blocks: [
          {
            type: "table",
            rows: [
              [cell("a"), rich],
              [cell("<c>"), cell("d")],
            ],
          },
          { type: "markdown", text: "**bold**" },
        ],
      }),
    ).toBe("a | <!subteam^S1> Monday\n&lt;c&gt; | d\n**bold**");
  });
});
