import { BronError, type Grant, type TokenVault } from "@bron/core";
import type { WebClient } from "@slack/web-api";
import type { SlackConfig } from "./slack-config.ts";
import { needsSlack, readFailure, slackProvider } from "./slack-error.ts";
import { slackScopes } from "./slack-scopes.ts";

export interface SlackAccounts {
  consentUrl(request: { readonly redirectUri: string; readonly state: string }): string;
  /** Takes the code that came back. Throws forbidden when it is no good. */
  finish(request: { readonly ownerId: string; readonly code: string; readonly redirectUri: string }): Promise<{ account: string }>;
  /** Forgets the workspace here even if Slack cannot be told. */
  disconnect(ownerId: string): Promise<void>;
  status(ownerId: string): Promise<{ account: string; scopes: readonly string[] } | undefined>;
  /** Throws missing_credentials, or tool_failed if a token cannot be renewed now. */
  client(ownerId: string, signal: AbortSignal): Promise<WebClient>;
}

export interface SlackAccountsParts {
  readonly config: SlackConfig;
  readonly vault: TokenVault;
  readonly now: () => number;
}

const earlyMs = 2 * 60_000;
/** For tokens that do not expire, which is Slack's default. */
const never = Date.UTC(9999, 0);
const allScopes = slackScopes.map(({ scope }) => scope);

export function createSlackAccounts({ config, vault, now }: SlackAccountsParts): SlackAccounts {
  const { botToken, app, endpoints } = config;
  const vaultKey = endpoints ? `${slackProvider}-simulated` : slackProvider;
  let botAccount: Promise<string> | undefined;

  const requireApp = () => {
    if (app) return app;
    const why = botToken === undefined ? "No Slack app is configured: set SLACK_BOT_TOKEN, or SLACK_CLIENT_ID and SLACK_CLIENT_SECRET." : "Slack is connected by SLACK_BOT_TOKEN: there is nobody to ask.";
    throw new BronError("forbidden", why);
  };

  /** Undefined if the workspace was disconnected or replaced meanwhile. */
  const renew = async (ownerId: string, grant: Grant): Promise<Grant | undefined> => {
    const client = await connect({ endpoints });
    try {
      const answer = await client.oauth.v2.access({ client_id: requireApp().clientId, client_secret: requireApp().clientSecret, grant_type: "refresh_token", refresh_token: grant.refreshToken });
      const renewed: Grant = { ...grant, accessToken: answer.access_token ?? "", refreshToken: answer.refresh_token ?? grant.refreshToken, expiresAt: expiry(answer.expires_in, now()) };
      return (await vault.renew(ownerId, vaultKey, grant, renewed)) ? renewed : undefined;
    } catch (error) {
      const { error: word, message } = readFailure(error);
      if (word !== undefined) throw needsSlack(`Slack no longer accepts the connection of ${grant.account} (${word}).`);
      throw new BronError("tool_failed", `Slack's sign-in does not answer: ${message}`, { retryable: true, cause: error });
    }
  };

  const tokenFor = async (ownerId: string): Promise<string> => {
    if (botToken !== undefined) return botToken;
    const grant = await vault.load(ownerId, vaultKey);
    if (!grant) throw needsSlack("Slack has never been connected, or was disconnected.");
    if (grant.expiresAt - now() >= earlyMs) return grant.accessToken;
    return (await renew(ownerId, grant))?.accessToken ?? (await tokenFor(ownerId));
  };

  /** Whose workspace the configured token reads; asked once, and again after a failure. */
  const accountOfBot = (token: string): Promise<string> => {
    botAccount ??= connect({ token, endpoints })
      .then((client) => client.auth.test())
      .then(({ team, user }) => `${user ?? "bot"} in ${team ?? "Slack"}`)
      .catch((error: unknown) => {
        botAccount = undefined;
        throw error;
      });
    return botAccount;
  };

  return {
    consentUrl({ redirectUri, state }) {
      const url = new URL(endpoints?.authorize ?? "https://slack.com/oauth/v2/authorize");
      url.search = new URLSearchParams({ client_id: requireApp().clientId, scope: allScopes.join(","), redirect_uri: redirectUri, state }).toString();
      return url.href;
    },

    async finish({ ownerId, code, redirectUri }) {
      const { clientId, clientSecret } = requireApp();
      const client = await connect({ endpoints });
      const answer = await client.oauth.v2.access({ client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUri }).catch((error: unknown) => {
        throw new BronError("forbidden", `Slack did not accept the sign-in: ${readFailure(error).error ?? readFailure(error).message}`, { cause: error });
      });
      const scopes = (answer.scope ?? "").split(",").filter(Boolean);
      const missing = slackScopes.filter(({ scope }) => !scopes.includes(scope));
      if (!answer.access_token || missing.length > 0) throw new BronError("forbidden", `Not everything was allowed that is needed: ${missing.map(({ why }) => why).join(" ")}`);
      const account = answer.team?.name ?? "Slack";
      await vault.save(ownerId, vaultKey, { account, accessToken: answer.access_token, refreshToken: answer.refresh_token ?? "", expiresAt: expiry(answer.expires_in, now()), scopes });
      return { account };
    },

    async disconnect(ownerId) {
      if (botToken !== undefined) throw new BronError("forbidden", "Slack is connected by SLACK_BOT_TOKEN: remove that to disconnect it.");
      const grant = await vault.load(ownerId, vaultKey);
      await vault.remove(ownerId, vaultKey);
      if (grant) await (await connect({ token: grant.accessToken, endpoints })).auth.revoke().catch(() => undefined);
    },

    async status(ownerId) {
      // Slack may be away: that a token is configured is known without it.
      if (botToken !== undefined) return { account: await accountOfBot(botToken).catch(() => "SLACK_BOT_TOKEN"), scopes: allScopes };
      const grant = await vault.load(ownerId, vaultKey);
      return grant && { account: grant.account, scopes: grant.scopes };
    },

    client: async (ownerId, signal) => await connect({ token: await tokenFor(ownerId), endpoints, signal }),
  };
}

function expiry(seconds: number | undefined, now: number): number {
  return seconds === undefined ? never : now + seconds * 1_000;
}

interface Connection {
  readonly token?: string;
  readonly endpoints: SlackConfig["endpoints"];
  readonly signal?: AbortSignal;
}

const timeoutMs = 20_000;

/** Loaded when it is first needed. Retries are ours: its own would outlast the tool that asks. */
async function connect({ token, endpoints, signal }: Connection): Promise<WebClient> {
  const { WebClient: Client } = await import("@slack/web-api");
  const limit = () => AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  return new Client(token, {
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: silent,
    fetch: (url, init) => fetch(url, { ...init, signal: limit() }),
    ...(endpoints ? { slackApiUrl: endpoints.api } : {}),
  });
}

/** It would print tokens' troubles into the terminal; what matters comes as an error. */
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, setLevel: nothing, setName: nothing, getLevel: () => "error" as never };

function nothing(): void {
  // Said elsewhere.
}
