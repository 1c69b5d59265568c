/** A configuration that may change while the program runs. Undefined while there is none. */
export type SlackConfigSource = SlackConfig | (() => Promise<SlackConfig | undefined>);

/**
 * How Bron connects to Slack: with a token of the workspace's own app, or with a sign-in per owner.
 */
export interface SlackConfig {
  /**
   * A bot token (xoxb-…). All owners of this installation read with it, and no sign-in is needed.
   */
  readonly botToken?: string;
  /** The OAuth app for sign-in. */
  readonly app?: { readonly clientId: string; readonly clientSecret: string };
  /** Omit to use the real Slack. */
  readonly endpoints?: {
    readonly authorize: string;
    /** With a trailing slash. */ readonly api: string;
  };
}
