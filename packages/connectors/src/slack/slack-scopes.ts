interface RequestedScope {
  readonly scope: string;
  readonly why: string;
}

const readScopes: readonly RequestedScope[] = [
  { scope: "channels:read", why: "List public channels" },
  { scope: "channels:history", why: "Read public channels Bron is in" },
  { scope: "groups:read", why: "List private channels Bron is in" },
  { scope: "groups:history", why: "Read private channels Bron is in" },
  { scope: "users:read", why: "Show people's names" },
];

/** A workspace that was connected before Bron could post lacks these. */
export const postScopes: readonly RequestedScope[] = [
  { scope: "chat:write", why: "Post messages you approve" },
  { scope: "im:write", why: "Send direct messages you approve" },
  { scope: "im:history", why: "Check whether a direct message of Bron arrived" },
  { scope: "users:read.email", why: "Recognize people by their email address" },
];

/** Scopes requested at sign-in, each with a reason for the consent list. */
export const slackScopes: readonly RequestedScope[] = [...readScopes, ...postScopes];
