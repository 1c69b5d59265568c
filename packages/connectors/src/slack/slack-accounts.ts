import { requestError, type Clock, type TokenVault } from "@bron/core";
import type { WebClient } from "@slack/web-api";
import { connectSlack } from "./slack-client.ts";
import type { SlackConfig, SlackConfigSource } from "./slack-config.ts";
import { needsSlack, readFailure, slackName, slackProvider } from "./slack-error.ts";
import { slackScopes } from "./slack-scopes.ts";
import { createSlackTokens, expiryOf, type SlackTokens } from "./slack-tokens.ts";

export interface SlackAccounts {
  consentUrl(request: { readonly redirectUri: string; readonly state: string }): Promise<string>;
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

interface SlackStatus {
  /** The workspace. */
  readonly account: string;
  /** The scopes that were granted. */
  readonly scopes: readonly string[];
}

interface SlackAccountsDeps {
  readonly config: SlackConfigSource;
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
  const find = async (): Promise<SlackConfig> =>
    (typeof config === "function" ? await config() : config) ?? {};
  /** One for each app, because each has its own refreshes under way. */
  const tokensByApp = new Map<string, SlackTokens>();
  const tokensOf = (current: SlackConfig) => {
    const key = JSON.stringify(current);
    const known =
      tokensByApp.get(key) ??
      createSlackTokens({ config: current, vault, vaultKey: vaultKeyOf(current), clock });
    tokensByApp.set(key, known);
    return known;
  };
  const statusOfBot = createBotStatus();

  return {
    async consentUrl({ redirectUri, state }) {
      const current = await find();
      const url = new URL(current.endpoints?.authorize ?? "https://slack.com/oauth/v2/authorize");
      url.search = new URLSearchParams({
        client_id: requireApp(current).clientId,
        scope: allScopes.join(","),
        redirect_uri: redirectUri,
        state,
      }).toString();
      return url.href;
    },

    async finish({ ownerId, code, redirectUri }) {
      const current = await find();
      const { account, accessToken, refreshToken, expiresIn, scopes } = await exchangeCode(
        current,
        { code, redirectUri },
      );
      await vault.save(ownerId, vaultKeyOf(current), {
        account,
        accessToken,
        refreshToken,
        expiresAt: expiryOf(expiresIn, clock.now()),
        scopes,
      });
      return { account };
    },

    async disconnect(ownerId) {
      const current = await find();
      if (current.botToken !== undefined) throw requestError("forbidden", bySetting);
      const vaultKey = vaultKeyOf(current);
      const { endpoints } = current;
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
      const current = await find();
      const { botToken } = current;
      // A configured token counts as connected even while Slack is unreachable.
      if (botToken !== undefined)
        return await statusOfBot(botToken, current.endpoints).catch(() => ({
          account: "SLACK_BOT_TOKEN",
          scopes: allScopes,
        }));
      const savedTokens = await vault.load(ownerId, vaultKeyOf(current));
      return savedTokens && { account: savedTokens.account, scopes: savedTokens.scopes };
    },

    async client(ownerId, signal) {
      const current = await find();
      if (current.botToken === undefined && current.app === undefined)
        throw needsSlack({ code: "not_connected", service: slackName });
      return await connectSlack({
        token: current.botToken ?? (await tokensOf(current).tokenFor(ownerId)),
        endpoints: current.endpoints,
        signal,
      });
    },
  };
}

const vaultKeyOf = ({ endpoints }: SlackConfig) =>
  endpoints ? `${slackProvider}-simulated` : slackProvider;

function requireApp({ app, botToken }: SlackConfig): NonNullable<SlackConfig["app"]> {
  if (app) return app;
  throw requestError(
    "forbidden",
    botToken === undefined ? { code: "slack_app_missing" } : bySetting,
  );
}

/** Workspace and scopes of the configured token. Requested once, and again after a failure. */
function createBotStatus() {
  let status: Promise<SlackStatus> | undefined;
  return (token: string, endpoints: SlackConfig["endpoints"]): Promise<SlackStatus> => {
    status ??= connectSlack({ token, endpoints })
      .then((client) => client.auth.test())
      .then(({ team, user, response_metadata: about }) => ({
        account: `${user ?? "bot"} in ${team ?? "Slack"}`,
        scopes: about?.scopes ?? allScopes,
      }))
      .catch((error: unknown) => {
        status = undefined;
        throw error;
      });
    return status;
  };
}

/** Throws forbidden if the code is invalid or if the workspace left out a scope. */
async function exchangeCode(
  config: SlackConfig,
  { code, redirectUri }: { readonly code: string; readonly redirectUri: string },
) {
  const { clientId, clientSecret } = requireApp(config);
  const client = await connectSlack({ endpoints: config.endpoints });
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
  return {
    account: response.team?.name ?? "Slack",
    accessToken: response.access_token,
    refreshToken: response.refresh_token ?? "",
    expiresIn: response.expires_in,
    scopes,
  };
}
