import { contentValues, type EffectFacts, type Recipient } from "@bron/core";
import type { SlackPerson } from "../slack-users.ts";
import type { PreparedPost } from "./prepared-post.ts";

/**
 * Whom and what a message reaches. A person is known only by the address in their profile, because
 * users choose their names themselves.
 */
export function postFacts({
  channel,
  person,
  mentioned,
  broadcasts,
  text,
}: PreparedPost): EffectFacts {
  const others = mentioned.filter(({ userId }) => userId !== person?.userId);
  return {
    kind: "channel",
    account: "",
    recipients: [
      ...(person ? [toRecipient(person, "to")] : []),
      ...others.map((one) => toRecipient(one, "mention")),
    ],
    ...contentValues(text),
    // In Slack's markup, words follow the link.
    text: text.replaceAll(/<([^<>|]*)\|/g, "<$1 "),
    attachments: [],
    things: channel
      ? [
          {
            kind: "channel",
            id: channel.channelId,
            title: `#${channel.name}`,
            isShared: channel.isShared,
          },
        ]
      : [],
    warnings: broadcasts.map((mention) => ({ code: "notifies_group", mention })),
  };
}

/** Without an address, the id identifies the person. The owner's words cannot mention it. */
function toRecipient({ address, userId }: SlackPerson, role: Recipient["role"]): Recipient {
  return { address: address || userId, role };
}
