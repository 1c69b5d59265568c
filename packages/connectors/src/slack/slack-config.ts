/** How Bron reaches Slack: with a token of the workspace's own app, or by asking each owner. */
export interface SlackConfig {
  /** A bot token (xoxb-…): everybody who uses this Bron reads with it, and nobody is asked. */
  readonly botToken?: string;
  /** The app that people sign in to. */
  readonly app?: { readonly clientId: string; readonly clientSecret: string };
  /** Where Slack is: the real one unless said otherwise. */
  readonly endpoints?: {
    readonly authorize: string;
    /** With a slash at its end. */ readonly api: string;
  };
}
