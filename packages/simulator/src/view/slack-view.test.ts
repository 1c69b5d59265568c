import { expect, test } from "vitest";
import { withSimulator } from "../google/google-client.fixture.ts";
import { userIdOf } from "../slack/slack-ids.ts";
import { slackText } from "./slack-text.ts";

const names = {
  user: (id: string) => (id === "U1" ? "Mara" : undefined),
  channel: (id: string) => (id === "C1" ? "orders" : undefined),
};

test.each([
  ["<!here> and <!subteam^S1|@team>", "@here and @team"],
  ["<@U1> <@U2>", "@Mara @U2"],
  ["<#C1> <#C1|orders> <#C2>", "#orders #orders #C2"],
  [
    "<https://a.example/x|Here> <https://a.example/x>",
    "Here (https://a.example/x) https://a.example/x",
  ],
  ["<mailto:a@b.example|a@b.example>", "a@b.example"],
  ["5 &lt; 6 &amp;amp; 7", "5 < 6 &amp; 7"],
])("%s is shown as %s", (text, shown) => {
  expect(slackText(text, names)).toBe(shown);
});

test("X8 shows Slack messages without markup and marks apps", () =>
  withSimulator(
    { controlKey: "key", now: () => new Date("2026-11-13T17:30:00Z") },
    async (simulator) => {
      simulator.slackControl.post({
        channel: "general",
        from: "Mara Lindqvist",
        text: `<!channel> ask <@${userIdOf("jonas@lindqvist.example")}>`,
      });
      const response = await fetch(`${simulator.url}/_control/view`, {
        headers: { "x-control-key": "key" },
      });
      const { channels } = (await response.json()) as {
        channels: { name: string; messages: { who: string; text: string }[] }[];
      };
      expect(JSON.stringify(channels)).not.toMatch(/<[@#!h]|&lt;|&amp;/);
      expect(channels.find(({ name }) => name === "general")?.messages.at(-1)).toMatchObject({
        who: "Mara Lindqvist (app)",
        text: "@channel ask @Jonas",
      });
    },
  ));
