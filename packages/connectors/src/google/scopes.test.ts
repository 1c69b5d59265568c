import { describe, expect, it } from "vitest";
import { slackScopes } from "../slack/slack-scopes.ts";
import { googleScopes } from "./scopes.ts";

describe("what is asked for at sign-in", () => {
  it("BR26 is exactly this at Google", () => {
    expect(googleScopes.map(({ scope }) => scope)).toEqual([
      "https://www.googleapis.com/auth/gmail.readonly",
      "https://www.googleapis.com/auth/gmail.compose",
      "https://www.googleapis.com/auth/calendar.events",
    ]);
  });

  it("BR26 is exactly this at Slack", () => {
    expect(slackScopes.map(({ scope }) => scope)).toEqual([
      "channels:read",
      "channels:history",
      "groups:read",
      "groups:history",
      "users:read",
    ]);
  });
});
