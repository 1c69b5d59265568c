/** The description of each scope on Slack's consent page. */
const meanings: Readonly<Record<string, string>> = {
  "channels:read": "View basic information about public channels in a workspace",
  "channels:history":
    "View messages and other content in public channels that the app has been added to",
  "channels:join": "Join public channels in a workspace",
  "groups:read": "View basic information about private channels that the app has been added to",
  "groups:history":
    "View messages and other content in private channels that the app has been added to",
  "im:read": "View basic information about direct messages that the app has been added to",
  "im:history": "View messages and other content in direct messages that the app has been added to",
  "im:write": "Start direct messages with people",
  "mpim:read": "View basic information about group direct messages that the app has been added to",
  "mpim:history":
    "View messages and other content in group direct messages that the app has been added to",
  "users:read": "View people in a workspace",
  "users:read.email": "View email addresses of people in a workspace",
  "team:read": "View the name, email domain, and icon for workspaces the app is connected to",
  "chat:write": "Send messages",
};

export const slackScopes = Object.keys(meanings);

/** Returns undefined for an unknown scope. */
export function slackScopeMeaning(scope: string): string | undefined {
  return Object.hasOwn(meanings, scope) ? meanings[scope] : undefined;
}
