/** What changes a workspace, as plain data. It lies in the world's journal. */
export type SlackEntry =
  /** Tokens are known by their digests. */
  | {
      readonly change: "token";
      readonly digest: string;
      readonly userId: string;
      readonly scopes: readonly string[];
      readonly isInstalled: boolean;
      readonly renewal?: TokenRenewal;
    }
  /** Of one that was renewed. It is good for that once. */
  | { readonly change: "refresh-token-used"; readonly digest: string }
  /** Tokens of later sign-ins end after so many seconds. */
  | { readonly change: "rotation"; readonly seconds: number }
  /** Without a digest, all that there are. */
  | { readonly change: "token-revoked"; readonly digest?: string }
  | { readonly change: "deactivated"; readonly userId: string }
  | { readonly change: "joined"; readonly channelId: string; readonly userId: string }
  /** A direct conversation that was opened by writing to somebody. */
  | {
      readonly change: "opened";
      readonly channelId: string;
      readonly members: readonly [string, string];
      readonly created: number;
    }
  /** Later than every message of its channel. */
  | { readonly change: "message"; readonly channelId: string; readonly message: SlackMessage }
  | { readonly change: "posted"; readonly posted: PostedMessage };

/** Of a token that ends. */
export interface TokenRenewal {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Of the refresh token. */
  readonly digest: string;
}

export interface SlackMessage {
  /** "1763200000.000100": seconds, then six digits that make it unique in its channel. Also the order. */
  readonly ts: string;
  readonly userId: string;
  /** In Slack's own marks: <@U…>, <#C…|name>, <https://…|text>, with &amp; &lt; &gt; escaped. */
  readonly text: string;
  readonly subtype?: "channel_join" | "bot_message" | "thread_broadcast";
  /** The first message of its thread, if it is an answer. */
  readonly threadTs?: string;
  /** When it was changed. */
  readonly editedTs?: string;
  readonly reactions?: readonly { readonly name: string; readonly userIds: readonly string[] }[];
  readonly files?: readonly SlackFile[];
  /** The name that an integration writes under. */
  readonly botName?: string;
}

/** What is told of a file; its bytes are not in this world. */
export interface SlackFile {
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly filetype: string;
  readonly sizeBytes: number;
}

/** A message that an app really put into a channel. */
export interface PostedMessage {
  /** The call that posted it. */
  readonly call: number;
  /** ISO 8601. */
  readonly time: string;
  readonly channelId: string;
  /** Without the #; of a direct conversation, whom it is with. */
  readonly channelName: string;
  readonly userId: string;
  readonly text: string;
  /** Blocks and attachments, as they were handed in. */
  readonly blocks?: string;
  readonly attachments?: string;
  readonly threadTs?: string;
  readonly ts: string;
}
