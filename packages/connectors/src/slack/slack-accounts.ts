import { requestError, type Clock, type TokenVault } from "@bron/core";
import type { WebClient } from "@slack/web-api";
import { connectSlack } from "./slack-client.ts";
import type { SlackConfig } from "./slack-config.ts";
import { readFailure, slackName, slackProvider } from "./slack-error.ts";
import { slackScopes } from "./slack-scopes.ts";
import { createSlackTokens, expiryOf } from "./slack-tokens.ts";

export interface SlackAccounts {
  consentUrl(request: { readonly redirectUri: string; readonly state: string }): string;
  /** Exchanges the code for tokens. Throws forbidden if the code is invalid. */
  finish(request: {
    readonly ownerId: string;
    readonly code: string;
    readonly redirectUri: string;
  }): Promise<{ account: string }>;
  /** Removes the workspace here even if Slack cannot be notified. */
  disconnect(ownerId: string): Promise<void>;
  status(ownerId: string): Promise<SlackStatus | undefined>;
  /** Throws missing_credentials, or tool_failed if a token cannot be refreshed now. */
  client(ownerId: string, signal: AbortSignal): Promise<WebClient>;
}

export interface SlackStatus {
  /** The workspace. */
  readonly account: string;
  /** The scopes that were granted. */
  readonly scopes: readonly string[];
}

export interface SlackAccountsDeps {
  readonly config: SlackConfig;
  readonly vault: TokenVault;
  readonly clock: Pick<Clock, "now" | "sleep">;
}

const bySetting = {
  code: "connected_by_setting",
  service: slackName,
  variable: "SLACK_BOT_TOKEN",
} as const;
const allScopes = slackScopes.map(({ scope }) => scope);

export function createSlackAccounts({ config, vault, clock }: SlackAccountsDeps): SlackAccounts {
  const { botToken, app, endpoints } = config;
  const vaultKey = endpoints ? `${slackProvider}-simulated` : slackProvider;
  const tokens = createSlackTokens({ config, vault, vaultKey, clock });
  let botStatus: Promise<SlackStatus> | undefined;

  const requireApp = () => {
    if (app) return app;
    throw requestError(
      "forbidden",
      botToken === undefined ? { code: "slack_app_missing" } : bySetting,
    );
  };

  /** Workspace and scopes of the configured token. Requested once, and again after a failure. */
  const statusOfBot = (token: string): Promise<SlackStatus> => {
    botStatus ??= connectSlack({ token, endpoints })
      .then((client) => client.auth.test())
      .then(({ team, user, response_metadata: about }) => ({
        account: `${user ?? "bot"} in ${team ?? "Slack"}`,
        scopes: about?.scopes ?? allScopes,
      }))
      .catch((error: unknown) => {
        botStatus = undefined;
        throw error;
      });
    return botStatus;
  };

  return {
    consentUrl({ redirectUri, state }) {
      const url = new URL(endpoints?.authorize ?? "https://slack.com/oauth/v2/authorize");
      url.search = new URLSearchParams({
        client_id: requireApp().clientId,
        scope: allScopes.join(","),
        redirect_uri: redirectUri,
        state,
      }).toString();
      return url.href;
    },

    async finish({ ownerId, code, redirectUri }) {
      const { clientId, clientSecret } = requireApp();
      const client = await connectSlack({ endpoints });
      const response = await client.oauth.v2
        .access({
          client_id: clientId,
          client_secret: clientSecret,
          code,
          redirect_uri: redirectUri,
        })
        .catch((error: unknown) => {
          const { error: code, message } = readFailure(error);
          throw requestError(
            "forbidden",
            { code: "sign_in_rejected", service: slackName, message: code ?? message },
            { cause: error },
          );
        });
      const scopes = (response.scope ?? "").split(",").filter(Boolean);
      const missing = slackScopes.filter(({ scope }) => !scopes.includes(scope));
      if (!response.access_token || missing.length > 0)
        throw requestError("forbidden", {
          code: "access_missing",
          service: slackName,
          missing: missing.map(({ why }) => why),
        });
      const account = response.team?.name ?? "Slack";
      await vault.save(ownerId, vaultKey, {
        account,
        accessToken: response.access_token,
        refreshToken: response.refresh_token ?? "",
        expiresAt: expiryOf(response.expires_in, clock.now()),
        scopes,
      });
      return { account };
    },

    async disconnect(ownerId) {
      if (botToken !== undefined) throw requestError("forbidden", bySetting);
      const savedTokens = await vault.load(ownerId, vaultKey);
      await vault.remove(ownerId, vaultKey);
      if (savedTokens)
        await (
          await connectSlack({ token: savedTokens.accessToken, endpoints })
        ).auth
          .revoke()
          .catch(() => undefined);
    },

    async status(ownerId) {
      // A configured token counts as connected even while Slack is unreachable.
      if (botToken !== undefined)
        return await statusOfBot(botToken).catch(() => ({
          account: "SLACK_BOT_TOKEN",
          scopes: allScopes,
        }));
      const savedTokens = await vault.load(ownerId, vaultKey);
      return savedTokens && { account: savedTokens.account, scopes: savedTokens.scopes };
    },

    client: async (ownerId, signal) =>
      await connectSlack({
        token: botToken ?? (await tokens.tokenFor(ownerId)),
        endpoints,
        signal,
      }),
  };
}
