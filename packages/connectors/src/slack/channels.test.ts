import { describe, expect, it } from "vitest";
import { slackToolsOn } from "./slack-server.fixture.ts";

const pageOf = (page: number) =>
  Array.from({ length: 2 }, (_, index) => ({
    id: `C00000${page}${index}`,
    name: `channel-${page}-${index}`,
    is_member: true,
  }));

/** Two channels per page. */
const paged = (pages: number) => ({
  "conversations.list": ({ cursor = "0" }: Readonly<Record<string, string>>) => ({
    channels: pageOf(Number(cursor)),
    response_metadata: {
      next_cursor: Number(cursor) + 1 < pages ? String(Number(cursor) + 1) : "",
    },
  }),
  "conversations.history": () => ({ messages: [] }),
});

describe("channels of a workspace", () => {
  it("RT9 are listed to the last page, at most 25 pages", async () => {
    const { call } = await slackToolsOn(paged(3));
    expect(await call("slack_channels", {})).toMatchObject({ found: 6, more: false });
    const { call: callMany, asked } = await slackToolsOn(paged(40));
    expect(await callMany("slack_channels", {})).toMatchObject({ found: 50, more: true });
    expect(asked).toHaveLength(25);
  });

  it("RT9 are listed up to 200 and flagged when there are more", async () => {
    const channels = Array.from({ length: 201 }, (_, at) => ({
      id: `C${at}`,
      name: `channel-${at}`,
      is_member: true,
    }));
    const { call } = await slackToolsOn({ "conversations.list": () => ({ channels }) });
    const listed = await call("slack_channels", {});
    expect(listed).toMatchObject({ found: 201, more: true });
    expect(listed["channels"]).toHaveLength(200);
  });

  it.each([
    [{}, "true"],
    [{ includeArchived: true }, "false"],
  ])("RT9 include archived ones only on request (%j)", async (input, excluded) => {
    const { call, asked } = await slackToolsOn(paged(1));
    await call("slack_channels", input);
    expect(asked[0]?.args["exclude_archived"]).toBe(excluded);
  });

  it("RT9 are found by name on any page, including archived ones", async () => {
    const { call, asked } = await slackToolsOn(paged(3));
    expect(await call("slack_read", { channel: "#Channel-2-1" })).toMatchObject({
      channel: "channel-2-1",
      channelId: "C0000021",
    });
    expect(asked[0]?.args["exclude_archived"]).toBe("false");
  });

  it("RT13 that do not exist fail with the nearest names and whether all pages were read", async () => {
    const { call } = await slackToolsOn(paged(2));
    await expect(call("slack_read", { channel: "chanel-1-1" })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringMatching(
        /^Bron can't see a channel named #chanel-1-1\. Did you mean #channel-1-1/,
      ),
    });
    const { call: callMany } = await slackToolsOn(paged(40));
    await expect(callMany("slack_read", { channel: "channel-39-0" })).rejects.toThrow(
      "among the first 50 channels of this workspace. If it exists, give its id.",
    );
  });
});
