/** Read-only scopes, each with a reason for the consent list. */
export const slackScopes: readonly { readonly scope: string; readonly why: string }[] = [
  { scope: "channels:read", why: "List public channels" },
  { scope: "channels:history", why: "Read public channels Bron is in" },
  { scope: "groups:read", why: "List private channels Bron is in" },
  { scope: "groups:history", why: "Read private channels Bron is in" },
  { scope: "users:read", why: "Show people's names" },
];
