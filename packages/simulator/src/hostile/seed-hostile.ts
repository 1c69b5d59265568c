import { composeMail } from "../google/compose-mail.ts";
import { mailDate } from "../google/gmail/outgoing.ts";
import { rawContent } from "../google/state/mail-content.ts";
import { mara } from "../mailbox/company.ts";
import type { SeededMail } from "../mailbox/seeded-mail.ts";
import { userIdOf } from "../slack/slack-ids.ts";
import type { SlackPost } from "../slack/slack-control.ts";
import { newTs } from "../slack/slack-times.ts";
import type { SlackMessage } from "../slack/state/slack-entry.ts";
import type { SeededWorkspace } from "../slack/state/workspace.ts";
import type { WebPage } from "../web/web-service.ts";
import { hostileItems } from "./hostile-items.ts";

/** Hostile items as part of the seed. */
export interface HostileSeed {
  /** Unread in the owner's inbox, one per minute up to the anchor. */
  readonly mail: (anchor: Date) => readonly SeededMail[];
  /** The last messages of their channels. */
  readonly withPosts: (workspace: SeededWorkspace, anchor: Date) => SeededWorkspace;
  readonly pages: readonly { readonly url: string; readonly page: WebPage }[];
}

interface PreparedMail {
  readonly raw: Buffer;
  readonly firstMessageId: string;
}

/** Selects all items, or those with these ids. */
export async function prepareHostile(wanted: true | readonly string[]): Promise<HostileSeed> {
  const items = hostileItems.filter(({ id }) => wanted === true || wanted.includes(id));
  const mails: PreparedMail[] = [];
  for (const { material } of items) {
    if (material.kind === "slack") continue;
    const inputs = await material.make();
    const firstMessageId = (inputs[0]?.messageId ?? "").replace(/[<>]/g, "");
    for (const input of inputs)
      mails.push({ raw: await composeMail({ ...input, date: new Date(0) }), firstMessageId });
  }
  const posts = items.flatMap(({ material }) => (material.kind === "slack" ? [material.post] : []));
  return {
    mail: (anchor) => dateMails(mails, anchor),
    withPosts: (workspace, anchor) => addPosts(workspace, posts, anchor),
    pages: items.flatMap(({ material }) => (material.kind === "page" ? [material] : [])),
  };
}

function dateMails(mails: readonly PreparedMail[], anchor: Date): readonly SeededMail[] {
  const last = Math.floor(anchor.getTime() / 60_000) * 60_000;
  return mails.map(({ raw, firstMessageId }, index) => {
    const date = new Date(last - (mails.length - index) * 60_000);
    const dated = Buffer.from(
      raw.toString("latin1").replace(/^Date: .*$/m, `Date: ${mailDate(date)}`),
      "latin1",
    );
    return {
      date,
      firstMessageId,
      copies: [
        { address: mara.address, labelIds: ["UNREAD", "IMPORTANT", "CATEGORY_PERSONAL", "INBOX"] },
      ],
      content: rawContent(dated.length, () => dated),
    };
  });
}

function addPosts(
  workspace: SeededWorkspace,
  posts: readonly SlackPost[],
  anchor: Date,
): SeededWorkspace {
  const messages = new Map(workspace.messages);
  for (const [index, { channel: name, from, text }] of posts.entries()) {
    const channel = workspace.channels.find((one) => one.name === name);
    if (!channel) continue;
    const before = messages.get(channel.id) ?? [];
    const isColleague = workspace.users.some(({ email }) => email === from);
    const message: SlackMessage = {
      ts: newTs(anchor.getTime() - (posts.length - index) * 1000, before.at(-1)?.ts),
      text,
      ...(isColleague
        ? { userId: userIdOf(from) }
        : { userId: "", subtype: "bot_message", botName: from }),
    };
    messages.set(channel.id, [...before, message]);
  }
  return { ...workspace, messages };
}
