/** Reading only, each with what it is for, in words for the person who decides. */
export const slackScopes: readonly { readonly scope: string; readonly why: string }[] = [
  { scope: "channels:read", why: "See which public channels there are." },
  { scope: "channels:history", why: "Read public channels that Bron was invited to." },
  { scope: "groups:read", why: "See the private channels that Bron was invited to." },
  { scope: "groups:history", why: "Read private channels that Bron was invited to." },
  { scope: "users:read", why: "Show names instead of ids." },
];
