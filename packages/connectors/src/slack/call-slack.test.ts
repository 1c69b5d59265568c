import { describe, expect, it } from "vitest";
import { readFromSlack } from "./call-slack.ts";
import { createSlackAccounts } from "./slack-accounts.ts";
import { grantVault, startSlack, frozenClock, type SlackResponse } from "./slack-server.fixture.ts";

async function harness(response: () => SlackResponse | number) {
  const { config, asked } = await startSlack({ "auth.test": response });
  const clock = frozenClock();
  const accounts = createSlackAccounts({
    config: { ...config, botToken: "xoxb-1" },
    vault: grantVault(),
    clock,
  });
  const read = async (signal = AbortSignal.timeout(20_000)) =>
    await readFromSlack({ accounts, clock }, { ownerId: "eva", signal }, (client) =>
      client.auth.test(),
    );
  return { read, asked, clock };
}

/** The error that the client throws when Slack asks for a delay. */
const limited = (seconds: number) => Object.assign(new Error("slow down"), { retryAfter: seconds });

describe("a read from Slack", () => {
  it("BR20 is tried four times with growing delays", async () => {
    const { read, asked, clock } = await harness(() => 500);
    await expect(read()).rejects.toMatchObject({
      code: "tool_failed",
      message: expect.stringContaining("Slack returned an error (500)"),
    });
    expect(asked).toHaveLength(4);
    expect(clock.slept).toEqual([500, 1_000, 2_000]);
  });

  it("BR20 waits as long as Slack asks", async () => {
    const answers = [429, { team: "x" }];
    const { read, clock } = await harness(() => answers.shift() ?? 500);
    expect(await read()).toMatchObject({ team: "x" });
    expect(clock.slept).toEqual([3_000]);
  });

  it("BR20 gives up at once when Slack asks for a delay beyond the tool's timeout", async () => {
    const clock = frozenClock();
    const accounts = createSlackAccounts({
      config: { botToken: "xoxb-1" },
      vault: grantVault(),
      clock,
    });
    const read = async (seconds: number) => {
      let left = 1;
      return await readFromSlack(
        { accounts, clock },
        { ownerId: "eva", signal: new AbortController().signal },
        () => (left-- > 0 ? Promise.reject(limited(seconds)) : Promise.resolve("read")),
      );
    };
    expect(await read(35)).toBe("read");
    await expect(read(36)).rejects.toMatchObject({ code: "tool_failed" });
    expect(clock.slept).toEqual([35_000]);
  });

  it("BR20 gives up at once when the delay exceeds the caller's deadline", async () => {
    const clock = frozenClock();
    const accounts = createSlackAccounts({
      config: { botToken: "xoxb-1" },
      vault: grantVault(),
      clock,
    });
    const read = async (totalTimeoutMs: number) => {
      let left = 1;
      const caller = {
        ownerId: "eva",
        signal: new AbortController().signal,
        retryDeadline: clock.monotonic() + totalTimeoutMs,
      };
      return await readFromSlack({ accounts, clock }, caller, () =>
        left-- > 0 ? Promise.reject(limited(3)) : Promise.resolve("read"),
      );
    };
    expect(await read(3_000)).toBe("read");
    await expect(read(2_999)).rejects.toMatchObject({ code: "tool_failed" });
    expect(clock.slept).toEqual([3_000]);
  });

  it("BR20 is not retried after Slack rejects it", async () => {
    const { read, asked } = await harness(() => ({
      ok: false,
      error: "missing_scope",
      needed: "channels:history",
    }));
    await expect(read()).rejects.toMatchObject({
      code: "missing_credentials",
      message:
        "Slack requires another scope: channels:history. Add it to the app and connect again.",
      details: { provider: "slack" },
    });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["invalid_auth", "missing_credentials"],
    ["account_inactive", "missing_credentials"],
    ["not_in_channel", "not_found"],
    ["thread_not_found", "not_found"],
    ["invalid_cursor", "tool_failed"],
  ])("RT13 maps %s to %s", async (error, code) => {
    await expect((await harness(() => ({ ok: false, error }))).read()).rejects.toMatchObject({
      code,
    });
  });

  it("ends when its caller aborts", async () => {
    const { read, asked } = await harness(() => 500);
    await expect(read(AbortSignal.abort(new Error("stopped")))).rejects.toThrow();
    expect(asked).toHaveLength(0);
  });
});
