import type { PersonMention, ThingMention } from "./parse-reading.ts";

/**
 * What a tool looks for in the owner's accounts. `mails` and `events` are those that the same
 * request mentions, which tell whose author, recipients or guests are meant.
 */
export type MentionQuery = PersonQuery | ThingMention;

export interface PersonQuery extends PersonMention {
  readonly mails: readonly string[];
  readonly events?: readonly string[];
}

/**
 * Finds everyone or everything that a mention could mean: addresses of people, ids of things. It
 * must not use anything that the model chose or that others wrote, such as a display name in
 * received mail.
 */
export type FindMention = (query: MentionQuery) => Promise<readonly string[]>;

export const findNothing: FindMention = () => Promise.resolve([]);
