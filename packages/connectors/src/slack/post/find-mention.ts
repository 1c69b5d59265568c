import { nameWords, type MentionQuery, type ToolContext } from "@bron/core";
import { listChannels, type ChannelView } from "../channels.ts";
import type { PostDeps } from "./post-effect.ts";

/**
 * Finds which channel and whom the owner's words mean. People are not looked up in Slack, where a
 * name is whatever its user chose.
 */
export function createFindMention(
  deps: PostDeps,
): (query: MentionQuery, context: ToolContext) => Promise<readonly string[]> {
  /** One list of the channels serves all mentions of one effect. */
  const lists = new WeakMap<ToolContext, ReturnType<typeof listChannels>>();
  const channelsFor = (context: ToolContext) => {
    const known = lists.get(context);
    if (known) return known;
    const list = listChannels(deps, context, { archived: false });
    lists.set(context, list);
    return list;
  };
  return async (query, context) => {
    if ("means" in query)
      return query.means === "person" ? await deps.peopleNamed(context, query.words) : [];
    if (query.kind !== "channel") return [];
    const { channels, isComplete } = await channelsFor(context);
    return isComplete
      ? channelsCalled(query.words, channels).map(({ channelId }) => channelId)
      : [];
  };
}

/** Words that people say around the name of a channel. */
const besides = new Set(
  "channel slack on in kanal canal canale kanaal kanał auf im sur sul op na".split(" "),
);

/** The channel of this name, or all whose names start with it. */
function channelsCalled<Channel extends Pick<ChannelView, "name">>(
  mention: string,
  channels: readonly Channel[],
): readonly Channel[] {
  const words = nameWords(mention.replaceAll("#", " "));
  const own = words.filter((word) => !besides.has(word));
  const called = (isCalled: (name: string, wanted: string) => boolean) => {
    const found = [words, own].map((some) =>
      some.length === 0 ? [] : channels.filter(({ name }) => isCalled(keyOf(name), some.join("-"))),
    );
    return found.find((some) => some.length > 0);
  };
  return (
    called((name, wanted) => name === wanted) ??
    called((name, wanted) => name.startsWith(wanted)) ??
    []
  );
}

/** People write "team berlin" for #team-berlin. */
function keyOf(name: string): string {
  return nameWords(name).join("-");
}
