import { describe, expect, it } from "vitest";
import { slackScopes } from "../slack/slack-scopes.ts";
import { googleScopes } from "./scopes.ts";

describe("requested scopes", () => {
  it("BR26 are exactly these for Google", () => {
    expect(googleScopes.map(({ scope }) => scope)).toEqual([
      "https://www.googleapis.com/auth/gmail.readonly",
      "https://www.googleapis.com/auth/gmail.compose",
      "https://www.googleapis.com/auth/calendar.events",
    ]);
  });

  it("BR26 are exactly these for Slack", () => {
    expect(slackScopes.map(({ scope }) => scope)).toEqual([
      "channels:read",
      "channels:history",
      "groups:read",
      "groups:history",
      "users:read",
      "chat:write",
      "im:write",
      "im:history",
      "users:read.email",
    ]);
  });
});
