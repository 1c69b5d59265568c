import { omitUndefined } from "@bron/protocol";
import { jonas, mara, type Person } from "../../mailbox/company.ts";
import { createRandom, type Random } from "../../mailbox/random.ts";
import { botUserId, channelIdOf, directIdOf, userIdOf } from "../slack-ids.ts";
import { newTs } from "../slack-times.ts";
import type { SlackMessage } from "../state/slack-entry.ts";
import type { SeededWorkspace, SlackChannel } from "../state/workspace.ts";
import { billsOf } from "./bill-facts.ts";
import { channelPlans, volumeChannel } from "./channel-plans.ts";
import { slackPeople } from "./people.ts";
import type { Talk } from "./talk.ts";
import { volumeMessages } from "./volume-messages.ts";
import { directTalks } from "./talks/side-talks.ts";
import { workingTime } from "./working-time.ts";

interface WorkspaceOptions {
  /** The size of a channel for tests. Without it the channel does not exist. */
  readonly volume?: number;
}

/**
 * Two weeks of a small company's Slack messages before the anchor. The same seed and anchor produce
 * the same messages.
 */
export function makeWorkspace(
  seed: number,
  anchor: Date,
  { volume }: WorkspaceOptions = {},
): SeededWorkspace {
  const random = createRandom(seed);
  const bills = billsOf(seed, anchor);
  const created = Math.floor(anchor.getTime() / 1000) - 400 * 86_400;
  const messages = new Map<string, readonly SlackMessage[]>();
  const channels: SlackChannel[] = [];
  for (const { talks, members, hasBot, ...plan } of channelPlans) {
    const id = channelIdOf(plan.name);
    channels.push({
      id,
      ...plan,
      creatorId: userIdOf(mara.address),
      created,
      isArchived: false,
      members: [...members, ...(hasBot ? [botUserId] : [])],
    });
    const joined = hasBot ? [join(workingTime(anchor, 9, "08:00"))] : [];
    const seconds = random.fork(plan.name);
    messages.set(
      id,
      inOrder([
        ...joined,
        ...talks(bills).flatMap((talk) => dateTalk(talk, { anchor, random: seconds })),
      ]),
    );
  }
  const directId = directIdOf(botUserId, userIdOf(mara.address));
  channels.push({
    id: directId,
    name: "",
    kind: "im",
    creatorId: userIdOf(mara.address),
    created,
    topic: "",
    purpose: "",
    isArchived: false,
    isGeneral: false,
    members: [botUserId, userIdOf(mara.address)],
  });
  messages.set(
    directId,
    inOrder(
      directTalks.flatMap((talk) => dateTalk(talk, { anchor, random: random.fork("direct") })),
    ),
  );
  if (volume !== undefined) {
    channels.push({ ...volumeChannel, creatorId: userIdOf(jonas.address), created });
    messages.set(volumeChannel.id, volumeMessages(volume, anchor));
  }
  return { users: slackPeople, channels, messages };
}

interface Dated {
  readonly time: number;
  readonly make: (ts: string) => SlackMessage;
  /** Replies, which need the timestamp of the first message. */
  readonly replies: readonly {
    readonly time: number;
    readonly make: (ts: string, threadTs: string) => SlackMessage;
  }[];
}

function join(time: number): Dated {
  return {
    time,
    make: (ts) => ({
      ts,
      userId: botUserId,
      subtype: "channel_join",
      text: `<@${botUserId}> has joined the channel`,
    }),
    replies: [],
  };
}

function dateTalk(
  talk: Talk,
  { anchor, random }: { readonly anchor: Date; readonly random: Random },
): Dated[] {
  const second = () => random.int(0, 59) * 1000 + random.int(0, 999);
  const time = workingTime(anchor, talk.workdaysAgo, talk.at) + second();
  if (time >= anchor.getTime() || talk.about?.some(({ arrivedBy }) => time < arrivedBy) === true)
    return [];
  const { from } = talk;
  const make = (ts: string): SlackMessage => ({
    ts,
    text: talk.text,
    ...(typeof from === "string"
      ? { userId: "", subtype: "bot_message", botName: from }
      : { userId: userIdOf(from.address) }),
    ...(talk.isEdited === true ? { editedTs: newTs(time + 180_000, undefined) } : {}),
    ...reactionsOf(talk.reactions),
    ...omitUndefined({ files: talk.files }),
  });
  const replies = (talk.replies ?? []).map(
    ({ from: writer, afterMinutes, text, isBroadcast, reactions }) => ({
      time: time + afterMinutes * 60_000 + second(),
      make: (ts: string, threadTs: string): SlackMessage => ({
        ts,
        threadTs,
        userId: userIdOf(writer.address),
        text,
        ...(isBroadcast === true ? { subtype: "thread_broadcast" } : {}),
        ...reactionsOf(reactions),
      }),
    }),
  );
  return [{ time, make, replies: replies.filter((one) => one.time < anchor.getTime()) }];
}

function reactionsOf(
  reactions: Readonly<Record<string, readonly Person[]>> | undefined,
): Pick<SlackMessage, "reactions"> {
  if (reactions === undefined) return {};
  return {
    reactions: Object.entries(reactions).map(([name, people]) => ({
      name,
      userIds: people.map(({ address }) => userIdOf(address)),
    })),
  };
}

/** Makes timestamps unique within a channel. */
function inOrder(talks: readonly Dated[]): readonly SlackMessage[] {
  const taken = new Set<string>();
  const take = (time: number): string => {
    let ts = newTs(time, undefined);
    while (taken.has(ts)) ts = newTs(0, ts);
    taken.add(ts);
    return ts;
  };
  const messages = talks.flatMap(({ time, make, replies }) => {
    const ts = take(time);
    return [make(ts), ...replies.map((reply) => reply.make(take(reply.time), ts))];
  });
  return messages.sort((a, b) => (a.ts < b.ts ? -1 : 1));
}
