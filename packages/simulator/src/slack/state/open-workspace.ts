import { slackScopes } from "../oauth/slack-scopes.ts";
import { botUserId } from "../slack-ids.ts";
import { slackBotToken } from "../slack-secrets.ts";
import { slackTokenDigest } from "./slack-tokens.ts";
import { createWorkspace, type SeededWorkspace, type Workspace } from "./workspace.ts";

/** The seeded workspace with the bot token that needs no sign-in. */
export function openWorkspace(seeded: SeededWorkspace, simulatorSecret: string): Workspace {
  const workspace = createWorkspace(seeded);
  workspace.apply({
    change: "token",
    digest: slackTokenDigest(slackBotToken(simulatorSecret)),
    userId: botUserId,
    scopes: slackScopes,
    isInstalled: false,
  });
  return workspace;
}
