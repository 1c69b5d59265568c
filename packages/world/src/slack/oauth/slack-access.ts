import { randomBytes } from "node:crypto";
import { isVerifierOf, type Authorizations } from "../../google/oauth/authorizations.ts";
import type { OutsideCall } from "../../google/outside-service.ts";
import type { Entry } from "../../google/state/entries.ts";
import type { WorldState } from "../../google/state/world-state.ts";
import { readArguments, type SlackArguments } from "../slack-arguments.ts";
import { SlackError } from "../slack-error.ts";
import { appId, botUserId, teamId } from "../slack-ids.ts";
import { slackClientId, slackClientSecret } from "../slack-secrets.ts";
import { slackTeam } from "../slack-team.ts";
import { slackTokenDigest } from "../state/slack-tokens.ts";
import type { SlackAuthorizeRequest } from "./slack-authorize.ts";

/** `oauth.v2.access`: a code for tokens. Throws SlackError. */
export async function serveSlackAccess(state: WorldState, authorizations: Authorizations<SlackAuthorizeRequest>, request: OutsideCall): Promise<Readonly<Record<string, unknown>>> {
  const args = await readArguments(request);
  checkClient(state, clientOf(request, args));
  const authorization = authorizations.redeem(args.get("code") ?? "");
  if (!authorization) throw new SlackError("invalid_code");
  const { account, request: asked } = authorization;
  if (args.get("redirect_uri") !== asked.redirectUri) throw new SlackError("bad_redirect_uri");
  if (asked.codeChallenge !== undefined && !isVerifierOf(asked.codeChallenge, args.get("code_verifier") ?? "")) throw new SlackError("invalid_code_verifier");

  const bot = asked.scopes.length === 0 ? undefined : grant(state, { kind: "xoxb", userId: botUserId, scopes: asked.scopes });
  const person = asked.userScopes.length === 0 ? undefined : grant(state, { kind: "xoxp", userId: account, scopes: asked.userScopes });
  state.commit([bot, person].flatMap((one) => (one ? [one.entry] : [])), request.call);
  return {
    ok: true,
    app_id: appId,
    authed_user: { id: account, ...(person ? { scope: person.scope, access_token: person.token, token_type: "user" } : {}) },
    ...(bot ? { scope: bot.scope, token_type: "bot", access_token: bot.token, bot_user_id: botUserId } : {}),
    team: { id: teamId, name: slackTeam.name },
    enterprise: null,
    is_enterprise_install: false,
  };
}

interface Client {
  readonly id: string;
  readonly secret: string;
}

function clientOf({ headers }: OutsideCall, args: SlackArguments): Client {
  const [, basic] = /^Basic (\S+)$/i.exec(headers.authorization === undefined ? "" : String(headers.authorization)) ?? [];
  if (basic === undefined) return { id: args.get("client_id") ?? "", secret: args.get("client_secret") ?? "" };
  const [id = "", ...secret] = Buffer.from(basic, "base64").toString("utf8").split(":");
  return { id, secret: secret.join(":") };
}

function checkClient(state: WorldState, { id, secret }: Client): void {
  if (id !== slackClientId) throw new SlackError("invalid_client_id");
  if (secret !== slackClientSecret(state.clientSecret())) throw new SlackError("bad_client_secret");
}

interface Granting {
  readonly kind: "xoxb" | "xoxp";
  readonly userId: string;
  readonly scopes: readonly string[];
}

/** Permissions add up at Slack: an install never takes away what an earlier one gave, and its token carries both. */
function grant(state: WorldState, { kind, userId, scopes }: Granting): { readonly token: string; readonly scope: string; readonly entry: Entry } {
  const token = `${kind}-424242424242-${randomBytes(24).toString("hex")}`;
  const earlier = state.workspace().tokens.installedScopes(userId);
  const all = [...new Set([...earlier, ...scopes])];
  return { token, scope: all.join(","), entry: { type: "slack", entry: { change: "token", digest: slackTokenDigest(token), userId, scopes: all, isInstalled: true } } };
}
