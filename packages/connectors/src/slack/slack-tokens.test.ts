import type { Grant } from "@bron/core";
import { describe, expect, it } from "vitest";
import { readFromSlack } from "./call-slack.ts";
import { createSlackAccounts } from "./slack-accounts.ts";
import { slackScopes } from "./slack-scopes.ts";
import {
  grantVault,
  noon,
  startSlack,
  stillClock,
  type SlackAnswer,
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

/** Refresh tokens are good once, as at Slack. */
function rotating(): (args: Readonly<Record<string, string>>) => SlackAnswer {
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
  it("X8 never has its token used at Slack, nor Slack's there", async () => {
    const asked: string[] = [];
    const vault = {
      ...grantVault(),
      load: (_: string, key: string) => Promise.resolve(void asked.push(key)),
    };
    const { config } = await startSlack({});
    await createSlackAccounts({ config, vault, clock: stillClock() }).status("eva");
    await createSlackAccounts({
      config: config.app ? { app: config.app } : {},
      vault,
      clock: stillClock(),
    }).status("eva");
    expect(asked).toEqual(["slack-simulated", "slack"]);
  });
});

describe("a Slack token that ends", () => {
  it("BR20 is renewed once for all who read at the same time, each owner's apart", async () => {
    const { config, asked } = await startSlack({ "oauth.v2.access": rotating() });
    const vault = grantVault({ eva: grant, mara: { ...grant, refreshToken: "refresh-mara" } });
    const clock = stillClock();
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
    // The new refresh token is kept, and renews the next time.
    clock.set(noon + 43_200_000 - 100_000);
    await tokens.tokenFor("eva");
    expect(asked.at(-1)?.args["refresh_token"]).toMatch(/^refresh-[23]$/);
  });

  it("BR20 renewed by another process at the same moment is taken from the vault", async () => {
    const vault = grantVault({ eva: grant });
    const { config } = await startSlack({
      "oauth.v2.access": () => ({ ok: false, error: "invalid_refresh_token" }),
    });
    const clock = {
      ...stillClock(),
      sleep: (ms: number) =>
        ms === 0
          ? Promise.resolve()
          : vault.save("eva", vaultKey, { ...grant, accessToken: "theirs" }),
    };
    expect(await createSlackTokens({ config, vault, vaultKey, clock }).tokenFor("eva")).toBe(
      "theirs",
    );
  });

  it("BR20 asks for the workspace once Slack refuses, not when it only fails", async () => {
    const outcome = async (answer: SlackAnswer | number) => {
      const { config } = await startSlack({ "oauth.v2.access": () => answer });
      return await createSlackTokens({
        config,
        vault: grantVault({ eva: grant }),
        vaultKey,
        clock: stillClock(),
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
    for (const answer of [
      { ok: false, error: "internal_error" },
      { ok: false, error: "ratelimited" },
      503,
      429,
    ])
      expect(await outcome(answer)).toMatchObject({
        code: "tool_failed",
        retryable: true,
        message: expect.stringContaining("sign-in does not answer"),
      });
  });

  it("BR20 is renewed again by a read when the first renewal failed in passing, four times at most", async () => {
    let failures = 1;
    const { config, asked } = await startSlack({
      "oauth.v2.access": () =>
        failures-- > 0
          ? { ok: false, error: "internal_error" }
          : { access_token: "new", expires_in: 43_200 },
      "auth.test": () => ({ team: "Lindqvist" }),
    });
    const clock = stillClock();
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

  it("is not kept when the workspace was disconnected meanwhile", async () => {
    const vault = grantVault({ eva: grant });
    const { config } = await startSlack({
      "oauth.v2.access": () => vault.remove("eva", vaultKey).then(() => ({ access_token: "new" })),
    });
    await expect(
      createSlackTokens({ config, vault, vaultKey, clock: stillClock() }).tokenFor("eva"),
    ).rejects.toMatchObject({ code: "missing_credentials" });
    expect(await vault.load("eva", vaultKey)).toBeUndefined();
  });
});

describe("a sign-in to Slack", () => {
  const finish = async (answer: SlackAnswer) => {
    const { config } = await startSlack({ "oauth.v2.access": () => answer });
    const vault = grantVault();
    const clock = stillClock();
    await createSlackAccounts({ config, vault, clock }).finish({
      ownerId: "eva",
      code: "c",
      redirectUri: "http://127.0.0.1/",
    });
    return await vault.load("eva", vaultKey);
  };
  const scope = slackScopes.map((one) => one.scope).join(",");

  it("BR20 keeps what renews the token, and when it ends", async () => {
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

  it("BR20 gives a token for good if Slack names no end", async () => {
    expect((await finish({ access_token: "a", scope }))?.expiresAt).toBeGreaterThan(
      Date.UTC(9000, 0),
    );
  });

  it.each(slackScopes)(
    "BR20 without $scope is refused, and says what is missing",
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
        message: `Not everything was allowed that is needed: ${why}`,
      });
    },
  );
});
