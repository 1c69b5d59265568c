import { randomBytes } from "node:crypto";
import { omitUndefined } from "@bron/protocol";
import { isVerifierOf, type Authorizations } from "../../google/oauth/authorizations.ts";
import type { ServiceRequest } from "../../google/simulated-service.ts";
import type { Entry } from "../../google/state/entries.ts";
import type { SimulatorState } from "../../google/state/simulator-state.ts";
import { readArguments, type SlackArguments } from "../slack-arguments.ts";
import { SlackError } from "../slack-error.ts";
import { appId, botUserId, teamId } from "../slack-ids.ts";
import { slackClientId, slackClientSecret } from "../slack-secrets.ts";
import { slackTeam } from "../slack-team.ts";
import { slackTokenDigest } from "../state/slack-tokens.ts";
import type { SlackAuthorizeRequest } from "./slack-authorize.ts";

/**
 * `oauth.v2.access`: exchanges a code for tokens, or a refresh token for new ones. Throws
 * SlackError.
 */
export async function serveSlackAccess(
  state: SimulatorState,
  authorizations: Authorizations<SlackAuthorizeRequest>,
  request: ServiceRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const args = await readArguments(request);
  checkClient(state, clientOf(request, args));
  const kind = args.get("grant_type") ?? "authorization_code";
  if (kind === "refresh_token") return renewToken(state, args.get("refresh_token") ?? "", request);
  if (kind !== "authorization_code") throw new SlackError("invalid_grant_type");
  const authorization = authorizations.redeem(args.get("code") ?? "");
  if (!authorization) throw new SlackError("invalid_code");
  const { account, request: authorizeRequest } = authorization;
  if (args.get("redirect_uri") !== authorizeRequest.redirectUri)
    throw new SlackError("bad_redirect_uri");
  if (
    authorizeRequest.codeChallenge !== undefined &&
    !isVerifierOf(authorizeRequest.codeChallenge, args.get("code_verifier") ?? "")
  )
    throw new SlackError("invalid_code_verifier");

  const { now } = request;
  const bot =
    authorizeRequest.scopes.length === 0
      ? undefined
      : issueToken(state, {
          kind: "xoxb",
          userId: botUserId,
          scopes: authorizeRequest.scopes,
          now,
        });
  const person =
    authorizeRequest.userScopes.length === 0
      ? undefined
      : issueToken(state, {
          kind: "xoxp",
          userId: account,
          scopes: authorizeRequest.userScopes,
          now,
        });
  state.commit(
    [bot, person].flatMap((one) => (one ? [one.entry] : [])),
    request.call,
  );
  return {
    ok: true,
    app_id: appId,
    authed_user: { id: account, ...(person ? { ...person.tokenFields, token_type: "user" } : {}) },
    ...(bot ? { ...bot.tokenFields, token_type: "bot", bot_user_id: botUserId } : {}),
    ...installationFields,
  };
}

const installationFields = {
  team: { id: teamId, name: slackTeam.name },
  enterprise: null,
  is_enterprise_install: false,
};

/** The previous access token stays valid until it expires. The used refresh token does not. */
function renewToken(
  state: SimulatorState,
  refreshToken: string,
  { now, call }: ServiceRequest,
): Readonly<Record<string, unknown>> {
  const { tokens } = state.workspace();
  if (tokens.rotation() === undefined) throw new SlackError("token_rotation_not_enabled");
  const before = tokens.findByRefresh(refreshToken);
  if (!before) throw new SlackError("invalid_refresh_token");
  const isBot = before.userId === botUserId;
  const { tokenFields, entry } = issueToken(state, {
    kind: isBot ? "xoxb" : "xoxp",
    userId: before.userId,
    scopes: before.scopes,
    now,
  });
  state.commit(
    [
      {
        type: "slack",
        entry: { change: "refresh-token-used", digest: slackTokenDigest(refreshToken) },
      },
      entry,
    ],
    call,
  );
  return {
    ok: true,
    app_id: appId,
    ...tokenFields,
    ...(isBot ? { token_type: "bot", bot_user_id: botUserId } : { token_type: "user" }),
    ...installationFields,
  };
}

interface Client {
  readonly id: string;
  readonly secret: string;
}

function clientOf({ headers }: ServiceRequest, args: SlackArguments): Client {
  const [, basic] =
    /^Basic (\S+)$/i.exec(
      headers.authorization === undefined ? "" : String(headers.authorization),
    ) ?? [];
  if (basic === undefined)
    return { id: args.get("client_id") ?? "", secret: args.get("client_secret") ?? "" };
  const [id = "", ...secret] = Buffer.from(basic, "base64").toString("utf8").split(":");
  return { id, secret: secret.join(":") };
}

function checkClient(state: SimulatorState, { id, secret }: Client): void {
  if (id !== slackClientId) throw new SlackError("invalid_client_id");
  if (secret !== slackClientSecret(state.clientSecret())) throw new SlackError("bad_client_secret");
}

interface TokenRequest {
  readonly kind: "xoxb" | "xoxp";
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly now: Date;
}

interface IssuedToken {
  /** The fields of the token in Slack's response. */
  readonly tokenFields: Readonly<Record<string, unknown>>;
  readonly entry: Entry;
}

/**
 * Creates a token. Scopes accumulate at Slack: a new install keeps the scopes of earlier ones, and
 * its token has both.
 */
function issueToken(
  state: SimulatorState,
  { kind, userId, scopes, now }: TokenRequest,
): IssuedToken {
  const { tokens } = state.workspace();
  const seconds = tokens.rotation();
  const token = `${seconds === undefined ? "" : "xoxe."}${kind}-424242424242-${randomBytes(24).toString("hex")}`;
  const refreshToken = `xoxe-1-${randomBytes(24).toString("hex")}`;
  const all = [...new Set([...tokens.installedScopes(userId), ...scopes])];
  const renewal =
    seconds === undefined
      ? {}
      : {
          renewal: {
            expiresAt: now.getTime() + seconds * 1_000,
            digest: slackTokenDigest(refreshToken),
          },
        };
  return {
    tokenFields: {
      scope: all.join(","),
      access_token: token,
      ...omitUndefined({
        refresh_token: seconds === undefined ? undefined : refreshToken,
        expires_in: seconds,
      }),
    },
    entry: {
      type: "slack",
      entry: {
        change: "token",
        digest: slackTokenDigest(token),
        userId,
        scopes: all,
        isInstalled: true,
        ...renewal,
      },
    },
  };
}
