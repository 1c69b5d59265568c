import type { Person } from "../../mailbox/company.ts";
import { channelIdOf, userIdOf } from "../slack-ids.ts";
import type { SlackFile } from "../state/slack-entry.ts";

export interface Answer {
  readonly from: Person;
  readonly afterMinutes: number;
  readonly text: string;
  /** Shown in the channel too. */
  readonly isBroadcast?: boolean;
  readonly reactions?: Reactions;
}

type Reactions = Readonly<Record<string, readonly Person[]>>;

/** A message and its thread before they have dates. What would lie in the future has not been written yet. */
export interface Talk {
  /** 0 is the last working day that has begun. */
  readonly workdaysAgo: number;
  /** "09:12", in Berlin. */
  readonly at: string;
  /** A name alone is an integration. */
  readonly from: Person | string;
  readonly text: string;
  readonly answers?: readonly Answer[];
  readonly reactions?: Reactions;
  readonly files?: readonly SlackFile[];
  readonly isEdited?: boolean;
  /** Bills that it names: it was not said before their mails had come. */
  readonly about?: readonly { readonly arrivedBy: number }[];
}

export const at = ({ address }: Person) => `<@${userIdOf(address)}>`;
export const inChannel = (name: string) => `<#${channelIdOf(name)}|${name}>`;

export const answer = (
  from: Person,
  afterMinutes: number,
  text: string,
  more: Pick<Answer, "isBroadcast" | "reactions"> = {},
): Answer => ({ from, afterMinutes, text, ...more });
