import { actionFailure, type Clock, type Grant, type TokenVault } from "@bron/core";
import { connectSlack } from "./slack-client.ts";
import type { SlackConfig } from "./slack-config.ts";
import { isTransient, needsSlack, readFailure, slackName } from "./slack-error.ts";

interface SlackTokensDeps {
  readonly config: Pick<SlackConfig, "app" | "endpoints">;
  readonly vault: TokenVault;
  readonly vaultKey: string;
  readonly clock: Pick<Clock, "now" | "sleep">;
}

/**
 * Owners' tokens, refreshed before they expire. Throws missing_credentials, or a retryable
 * tool_failed if a token cannot be refreshed now.
 */
export interface SlackTokens {
  tokenFor(ownerId: string): Promise<string>;
}

/** A token that expires within this time is refreshed before it is used. */
const earlyMs = 2 * 60_000;
/** Expiry of tokens that do not expire, which is Slack's default. */
const neverExpires = Date.UTC(9999, 0);
/**
 * Delays before reading the vault again. Another process that refreshed at the same moment needs
 * time to save its result.
 */
const readDelaysMs = [0, 250, 1_000];

export function createSlackTokens({
  config,
  vault,
  vaultKey,
  clock,
}: SlackTokensDeps): SlackTokens {
  /** A refresh token is valid for one use, so concurrent callers share one refresh. */
  const renewals = new Map<string, Promise<Grant>>();
  const isUsable = ({ expiresAt }: Grant) => expiresAt - clock.now() >= earlyMs;

  const load = async (ownerId: string): Promise<Grant> => {
    const grant = await vault.load(ownerId, vaultKey);
    if (!grant) throw needsSlack({ code: "not_connected", service: slackName });
    return grant;
  };

  const requestRefresh = async (grant: Grant): Promise<Grant> => {
    const { clientId = "", clientSecret = "" } = config.app ?? {};
    const client = await connectSlack({ endpoints: config.endpoints });
    const response = await client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: "refresh_token",
      refresh_token: grant.refreshToken,
    });
    return {
      ...grant,
      accessToken: response.access_token ?? grant.accessToken,
      refreshToken: response.refresh_token ?? grant.refreshToken,
      expiresAt: expiryOf(response.expires_in, clock.now()),
    };
  };

  /** The grant that another process saved instead. */
  const findReplacement = async (
    ownerId: string,
    { accessToken }: Grant,
  ): Promise<Grant | undefined> => {
    for (const ms of readDelaysMs) {
      await clock.sleep(ms);
      const grant = await load(ownerId);
      if (grant.accessToken !== accessToken) return grant;
    }
    return undefined;
  };

  const renew = async (ownerId: string): Promise<Grant> => {
    const grant = await load(ownerId);
    if (isUsable(grant)) return grant;
    const renewed = await requestRefresh(grant).catch(readFailure);
    // If the account was disconnected or replaced meanwhile, the new tokens are discarded.
    if (!("message" in renewed))
      return (await vault.renew(ownerId, vaultKey, grant, renewed)) ? renewed : await load(ownerId);
    const why = renewed.error ?? renewed.message;
    if (isTransient(renewed))
      throw actionFailure(
        "tool_failed",
        { code: "sign_in_unreachable", service: slackName, message: why },
        { retryable: true },
      );
    const replaced = await findReplacement(ownerId, grant);
    if (!replaced)
      throw needsSlack({
        code: "connection_rejected",
        service: slackName,
        account: grant.account,
        message: why,
      });
    return replaced;
  };

  return {
    async tokenFor(ownerId) {
      const grant = await load(ownerId);
      if (isUsable(grant)) return grant.accessToken;
      const renewal =
        renewals.get(ownerId) ?? renew(ownerId).finally(() => renewals.delete(ownerId));
      renewals.set(ownerId, renewal);
      return (await renewal).accessToken;
    },
  };
}

/** When a token that was issued now for this many seconds expires. */
export function expiryOf(seconds: number | undefined, now: number): number {
  return seconds === undefined ? neverExpires : now + seconds * 1_000;
}
