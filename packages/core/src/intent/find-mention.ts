import type { PersonMention, ThingMention } from "./parse-reading.ts";

/**
 * What a tool looks for in the owner's accounts. `mails` are the emails that the same request
 * mentions, which tell whose author or recipients are meant.
 */
export type MentionQuery = (PersonMention & { readonly mails: readonly string[] }) | ThingMention;

/**
 * Finds everyone or everything that a mention could mean: addresses of people, ids of things. It
 * must not use anything that the model chose or that others wrote, such as a display name in
 * received mail.
 */
export type FindMention = (query: MentionQuery) => Promise<readonly string[]>;

export const findNothing: FindMention = () => Promise.resolve([]);
