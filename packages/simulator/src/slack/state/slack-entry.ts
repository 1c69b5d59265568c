/** A change of a workspace as plain data. It is stored in the simulator's journal. */
export type SlackEntry =
  /** Tokens are stored as digests. */
  | {
      readonly change: "token";
      readonly digest: string;
      readonly userId: string;
      readonly scopes: readonly string[];
      readonly isInstalled: boolean;
      readonly renewal?: TokenRenewal;
    }
  /** The digest of the used refresh token, which works only once. */
  | { readonly change: "refresh-token-used"; readonly digest: string }
  /** Tokens of later sign-ins expire after this many seconds. */
  | { readonly change: "rotation"; readonly seconds: number }
  /** Without a digest, all tokens. */
  | { readonly change: "token-revoked"; readonly digest?: string }
  | { readonly change: "deactivated"; readonly userId: string }
  | { readonly change: "joined"; readonly channelId: string; readonly userId: string }
  /** A direct conversation that was opened by a first message. */
  | {
      readonly change: "opened";
      readonly channelId: string;
      readonly members: readonly [string, string];
      readonly created: number;
    }
  /** People of another organization can read the channel from now on. */
  | { readonly change: "shared"; readonly channelId: string }
  /** Must be later than every message of its channel. */
  | { readonly change: "message"; readonly channelId: string; readonly message: SlackMessage }
  | { readonly change: "posted"; readonly posted: PostedMessage };

/** The expiry of a token and its refresh token. */
export interface TokenRenewal {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The digest of the refresh token. */
  readonly digest: string;
}

export interface SlackMessage {
  /**
   * "1763200000.000100": seconds, then six digits that make it unique within its channel. Also
   * defines the order.
   */
  readonly ts: string;
  readonly userId: string;
  /**
   * In Slack's mrkdwn format: <@U…>, <#C…|name>, <https://…|text>, with &amp; &lt; &gt; escaped.
   */
  readonly text: string;
  readonly subtype?: "channel_join" | "bot_message" | "thread_broadcast";
  /** The ts of the thread's first message, if this is a reply. */
  readonly threadTs?: string;
  /** When it was edited. */
  readonly editedTs?: string;
  readonly reactions?: readonly { readonly name: string; readonly userIds: readonly string[] }[];
  readonly files?: readonly SlackFile[];
  /** The display name of an integration. */
  readonly botName?: string;
  readonly metadata?: SlackMetadata;
}

/** What an app attached to its message. People do not see it. */
export interface SlackMetadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, unknown>>;
}

/** The description of a file. Its bytes are not simulated. */
export interface SlackFile {
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly filetype: string;
  readonly sizeBytes: number;
}

/** A message that an app posted. */
export interface PostedMessage {
  /** The call that posted it. */
  readonly call: number;
  /** ISO 8601. */
  readonly time: string;
  readonly channelId: string;
  /** The channel name without "#", or the other person of a direct conversation. */
  readonly channelName: string;
  readonly userId: string;
  readonly text: string;
  /** Blocks and attachments as submitted. */
  readonly blocks?: string;
  readonly attachments?: string;
  /** Whether Slack fetches linked pages and shows them below the message. */
  readonly unfurls: boolean;
  readonly threadTs?: string;
  readonly ts: string;
}
