import { BronError, type Clock, type Grant, type TokenVault } from "@bron/core";
import { connectSlack } from "./slack-client.ts";
import type { SlackConfig } from "./slack-config.ts";
import { isPassing, needsSlack, readFailure } from "./slack-error.ts";

export interface SlackTokensDeps {
  readonly config: Pick<SlackConfig, "app" | "endpoints">;
  readonly vault: TokenVault;
  readonly vaultKey: string;
  readonly clock: Pick<Clock, "now" | "sleep">;
}

/** Owners' tokens, renewed when they end. Throws missing_credentials, or a retryable tool_failed if one cannot be renewed now. */
export interface SlackTokens {
  tokenFor(ownerId: string): Promise<string>;
}

/** A token that ends within this time is renewed before it is used. */
const earlyMs = 2 * 60_000;
/** For tokens that do not expire, which is Slack's default. */
const never = Date.UTC(9999, 0);
/** Another process that renewed at the same moment needs this long to write down what it got. */
const looksMs = [0, 250, 1_000];

export function createSlackTokens({
  config,
  vault,
  vaultKey,
  clock,
}: SlackTokensDeps): SlackTokens {
  /** A refresh token is good for one renewal: whoever comes meanwhile waits for that one. */
  const renewals = new Map<string, Promise<Grant>>();
  const isUsable = ({ expiresAt }: Grant) => expiresAt - clock.now() >= earlyMs;

  const load = async (ownerId: string): Promise<Grant> => {
    const grant = await vault.load(ownerId, vaultKey);
    if (!grant) throw needsSlack("Slack has never been connected, or was disconnected.");
    return grant;
  };

  const ask = async (grant: Grant): Promise<Grant> => {
    const { clientId = "", clientSecret = "" } = config.app ?? {};
    const client = await connectSlack({ endpoints: config.endpoints });
    const answer = await client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: "refresh_token",
      refresh_token: grant.refreshToken,
    });
    return {
      ...grant,
      accessToken: answer.access_token ?? grant.accessToken,
      refreshToken: answer.refresh_token ?? grant.refreshToken,
      expiresAt: expiryOf(answer.expires_in, clock.now()),
    };
  };

  /** What another process put in its place. */
  const findReplaced = async (
    ownerId: string,
    { accessToken }: Grant,
  ): Promise<Grant | undefined> => {
    for (const ms of looksMs) {
      await clock.sleep(ms);
      const grant = await load(ownerId);
      if (grant.accessToken !== accessToken) return grant;
    }
    return undefined;
  };

  const renew = async (ownerId: string): Promise<Grant> => {
    const grant = await load(ownerId);
    if (isUsable(grant)) return grant;
    const renewed = await ask(grant).catch(readFailure);
    // Disconnected or replaced meanwhile: then this answer is no longer ours to keep.
    if (!("message" in renewed))
      return (await vault.renew(ownerId, vaultKey, grant, renewed)) ? renewed : await load(ownerId);
    const why = renewed.error ?? renewed.message;
    if (isPassing(renewed))
      throw new BronError("tool_failed", `Slack's sign-in does not answer: ${why}`, {
        retryable: true,
      });
    const replaced = await findReplaced(ownerId, grant);
    if (!replaced)
      throw needsSlack(`Slack no longer accepts the connection of ${grant.account} (${why}).`);
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

/** When a token ends that was given now for so many seconds. */
export function expiryOf(seconds: number | undefined, now: number): number {
  return seconds === undefined ? never : now + seconds * 1_000;
}
