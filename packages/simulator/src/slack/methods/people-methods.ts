import { cutPage } from "../cut-page.ts";
import { userResource } from "../resources.ts";
import { isSet, readLimit, required } from "../slack-arguments.ts";
import { SlackError } from "../slack-error.ts";
import { botId, botUserId, teamId } from "../slack-ids.ts";
import { pageEnd, type SlackCall, type SlackMethod } from "../slack-method.ts";
import { slackTeam } from "../slack-team.ts";
import { slackTokenDigest } from "../state/slack-tokens.ts";

const viewContext = ({ now, token }: SlackCall) => ({
  now,
  showEmail: token.scopes.includes("users:read.email"),
});

function listUsers(call: SlackCall) {
  const { workspace, args, now } = call;
  const users = [...workspace.users()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = cutPage(users, {
    limit: readLimit(args, { defaultLimit: 1_000, max: 1_000 }),
    cursor: args.get("cursor"),
    mark: "user",
    keyOf: ({ id }) => id,
    isFrom: ({ id }, key) => id >= key,
  });
  return {
    members: page.items.map((user) => userResource(user, viewContext(call))),
    cache_ts: Math.floor(now.getTime() / 1000),
    ...pageEnd(page.nextCursor),
  };
}

function showUser(call: SlackCall) {
  const user = call.workspace.user(required(call.args, "user"));
  if (!user) throw new SlackError("user_not_found");
  return { user: userResource(user, viewContext(call)) };
}

function findUser(call: SlackCall) {
  const wanted = required(call.args, "email").toLowerCase();
  const user = call.workspace
    .users()
    .find(({ email, isDeleted }) => email?.toLowerCase() === wanted && !isDeleted);
  if (!user) throw new SlackError("users_not_found");
  return { user: userResource(user, viewContext(call)) };
}

function testToken({ me }: SlackCall) {
  return {
    url: slackTeam.url,
    team: slackTeam.name,
    user: me.name,
    team_id: teamId,
    user_id: me.id,
    ...(me.id === botUserId ? { bot_id: botId } : {}),
    is_enterprise_install: false,
  };
}

function revokeToken({ state, args, secret, call }: SlackCall) {
  if (isSet(args, "test")) return { revoked: false };
  state.commit(
    [{ type: "slack", entry: { change: "token-revoked", digest: slackTokenDigest(secret) } }],
    call,
  );
  return { revoked: true };
}

function showTeam({ args }: SlackCall) {
  if ((args.get("team") ?? teamId) !== teamId) throw new SlackError("team_not_found");
  return {
    team: {
      id: teamId,
      name: slackTeam.name,
      url: slackTeam.url,
      domain: slackTeam.domain,
      email_domain: slackTeam.emailDomain,
      icon: { image_default: true },
    },
  };
}

export const peopleMethods: readonly SlackMethod[] = [
  { name: "auth.test", scopes: [], isRead: true, serve: testToken },
  { name: "auth.revoke", scopes: [], isRead: false, serve: revokeToken },
  { name: "team.info", scopes: ["team:read"], isRead: true, serve: showTeam },
  { name: "users.list", scopes: ["users:read"], isRead: true, serve: listUsers },
  { name: "users.info", scopes: ["users:read"], isRead: true, serve: showUser },
  {
    name: "users.lookupByEmail",
    scopes: ["users:read.email"],
    isRead: true,
    serve: findUser,
  },
];
