import type { Grant } from "@bron/core";
import { describe, expect, it } from "vitest";
import { readFromSlack } from "./call-slack.ts";
import { createSlackAccounts } from "./slack-accounts.ts";
import { slackScopes } from "./slack-scopes.ts";
import {
  grantVault,
  noon,
  startSlack,
  frozenClock,
  type SlackResponse,
} from "./slack-server.fixture.ts";
import { createSlackTokens } from "./slack-tokens.ts";

const grant: Grant = {
  account: "Lindqvist",
  accessToken: "old",
  refreshToken: "refresh-1",
  expiresAt: noon + 60_000,
  scopes: [],
};
const vaultKey = "slack-simulated";

/** Refresh tokens are valid once, as at Slack. */
function rotating(): (args: Readonly<Record<string, string>>) => SlackResponse {
  const used = new Set<string>();
  return ({ refresh_token: token = "", grant_type: kind }) => {
    if (kind !== "refresh_token" || used.has(token))
      return { ok: false, error: "invalid_refresh_token" };
    used.add(token);
    return {
      access_token: `new-${used.size}`,
      refresh_token: `refresh-${used.size + 1}`,
      expires_in: 43_200,
    };
  };
}

describe("a simulated workspace", () => {
  it("X8 never shares tokens with the real Slack", async () => {
    const asked: string[] = [];
    const vault = {
      ...grantVault(),
      load: (_: string, key: string) => Promise.resolve(void asked.push(key)),
    };
    const { config } = await startSlack({});
    await createSlackAccounts({ config, vault, clock: frozenClock() }).status("eva");
    await createSlackAccounts({
      config: config.app ? { app: config.app } : {},
      vault,
      clock: frozenClock(),
    }).status("eva");
    expect(asked).toEqual(["slack-simulated", "slack"]);
  });
});

describe("an expiring Slack token", () => {
  it("BR20 is refreshed once for concurrent reads, separately for each owner", async () => {
    const { config, asked } = await startSlack({ "oauth.v2.access": rotating() });
    const vault = grantVault({ eva: grant, mara: { ...grant, refreshToken: "refresh-mara" } });
    const clock = frozenClock();
    const tokens = createSlackTokens({ config, vault, vaultKey, clock });
    const given = await Promise.all(
      ["eva", "eva", "eva", "mara"].map((ownerId) => tokens.tokenFor(ownerId)),
    );
    expect(new Set(given.slice(0, 3)).size).toBe(1);
    expect(given[3]).not.toBe(given[0]);
    expect(new Set(asked.map(({ args }) => args["refresh_token"]))).toEqual(
      new Set(["refresh-1", "refresh-mara"]),
    );
    expect(asked).toHaveLength(2);
    expect(asked[0]?.args).toMatchObject({ client_id: "client", client_secret: "secret" });
    expect(await vault.load("eva", vaultKey)).toMatchObject({
      accessToken: given[0],
      expiresAt: noon + 43_200_000,
    });
    await tokens.tokenFor("eva");
    expect(asked).toHaveLength(2);
    // The new refresh token is saved and used for the next refresh.
    clock.set(noon + 43_200_000 - 100_000);
    await tokens.tokenFor("eva");
    expect(asked.at(-1)?.args["refresh_token"]).toMatch(/^refresh-[23]$/);
  });

  it("BR20 is read from the vault when another process refreshed it at the same moment", async () => {
    const vault = grantVault({ eva: grant });
    const { config } = await startSlack({
      "oauth.v2.access": () => ({ ok: false, error: "invalid_refresh_token" }),
    });
    const clock = {
      ...frozenClock(),
      sleep: (ms: number) =>
        ms === 0
          ? Promise.resolve()
          : vault.save("eva", vaultKey, { ...grant, accessToken: "theirs" }),
    };
    expect(await createSlackTokens({ config, vault, vaultKey, clock }).tokenFor("eva")).toBe(
      "theirs",
    );
  });

  it("BR20 requires a new connection when Slack rejects it, not when Slack fails", async () => {
    const outcome = async (response: SlackResponse | number) => {
      const { config } = await startSlack({ "oauth.v2.access": () => response });
      return await createSlackTokens({
        config,
        vault: grantVault({ eva: grant }),
        vaultKey,
        clock: frozenClock(),
      })
        .tokenFor("eva")
        .catch((error: unknown) => error);
    };
    for (const error of ["invalid_refresh_token", "token_revoked"])
      expect(await outcome({ ok: false, error })).toMatchObject({
        code: "missing_credentials",
        message: expect.stringContaining(error),
        details: { provider: "slack" },
      });
    for (const response of [
      { ok: false, error: "internal_error" },
      { ok: false, error: "ratelimited" },
      503,
      429,
    ])
      expect(await outcome(response)).toMatchObject({
        code: "tool_failed",
        retryable: true,
        message: expect.stringContaining("reach Slack's sign-in"),
      });
  });

  it("BR20 is refreshed again after a temporary failure, at most four times", async () => {
    let failures = 1;
    const { config, asked } = await startSlack({
      "oauth.v2.access": () =>
        failures-- > 0
          ? { ok: false, error: "internal_error" }
          : { access_token: "new", expires_in: 43_200 },
      "auth.test": () => ({ team: "Lindqvist" }),
    });
    const clock = frozenClock();
    const read = async () =>
      await readFromSlack(
        {
          accounts: createSlackAccounts({ config, vault: grantVault({ eva: grant }), clock }),
          clock,
        },
        { ownerId: "eva", signal: AbortSignal.timeout(10_000) },
        (client) => client.auth.test(),
      );
    expect(await read()).toMatchObject({ team: "Lindqvist" });
    expect(clock.slept).toEqual([500]);
    expect(asked.at(-1)).toMatchObject({ method: "auth.test", token: "new" });
    failures = 100;
    await expect(read()).rejects.toMatchObject({ code: "tool_failed" });
    expect(asked.filter(({ method }) => method === "oauth.v2.access")).toHaveLength(6);
  });

  it("is not saved when the workspace was disconnected meanwhile", async () => {
    const vault = grantVault({ eva: grant });
    const { config } = await startSlack({
      "oauth.v2.access": () => vault.remove("eva", vaultKey).then(() => ({ access_token: "new" })),
    });
    await expect(
      createSlackTokens({ config, vault, vaultKey, clock: frozenClock() }).tokenFor("eva"),
    ).rejects.toMatchObject({ code: "missing_credentials" });
    expect(await vault.load("eva", vaultKey)).toBeUndefined();
  });
});

describe("a sign-in to Slack", () => {
  const finish = async (response: SlackResponse) => {
    const { config } = await startSlack({ "oauth.v2.access": () => response });
    const vault = grantVault();
    const clock = frozenClock();
    await createSlackAccounts({ config, vault, clock }).finish({
      ownerId: "eva",
      code: "c",
      redirectUri: "http://127.0.0.1/",
    });
    return await vault.load("eva", vaultKey);
  };
  const scope = slackScopes.map((one) => one.scope).join(",");

  it("BR20 saves the refresh token and the expiry", async () => {
    expect(
      await finish({
        access_token: "a",
        refresh_token: "r",
        expires_in: 43_200,
        scope,
        team: { name: "Lindqvist" },
      }),
    ).toMatchObject({
      account: "Lindqvist",
      accessToken: "a",
      refreshToken: "r",
      expiresAt: noon + 43_200_000,
      scopes: scope.split(","),
    });
  });

  it("BR20 saves a token that never expires if Slack names no expiry", async () => {
    expect((await finish({ access_token: "a", scope }))?.expiresAt).toBeGreaterThan(
      Date.UTC(9000, 0),
    );
  });

  it.each(slackScopes)(
    "BR20 is rejected without $scope and says what is missing",
    async ({ scope: left, why }) => {
      await expect(
        finish({
          access_token: "a",
          scope: scope
            .split(",")
            .filter((one) => one !== left)
            .join(","),
        }),
      ).rejects.toMatchObject({
        code: "forbidden",
        message: `Bron needs more access: ${why}. Connect again and allow all of it.`,
      });
    },
  );
});
