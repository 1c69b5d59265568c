import type { Person } from "../../mailbox/company.ts";
import { channelIdOf, userIdOf } from "../slack-ids.ts";
import type { SlackFile } from "../state/slack-entry.ts";

interface Reply {
  readonly from: Person;
  readonly afterMinutes: number;
  readonly text: string;
  /** The reply is also shown in the channel. */
  readonly isBroadcast?: boolean;
  readonly reactions?: Reactions;
}

type Reactions = Readonly<Record<string, readonly Person[]>>;

/**
 * A message and its thread before they are dated. Messages that would fall into the future are left
 * out.
 */
export interface Talk {
  /** 0 is the current working day, or the last one. */
  readonly workdaysAgo: number;
  /** "09:12", in Berlin. */
  readonly at: string;
  /** A string is the name of an integration. */
  readonly from: Person | string;
  readonly text: string;
  readonly replies?: readonly Reply[];
  readonly reactions?: Reactions;
  readonly files?: readonly SlackFile[];
  readonly isEdited?: boolean;
  /** Bills that the message mentions. It is dated after their emails. */
  readonly about?: readonly { readonly arrivedBy: number }[];
}

export const mention = ({ address }: Person) => `<@${userIdOf(address)}>`;
export const channelLink = (name: string) => `<#${channelIdOf(name)}|${name}>`;

export const reply = (
  from: Person,
  afterMinutes: number,
  text: string,
  more: Pick<Reply, "isBroadcast" | "reactions"> = {},
): Reply => ({ from, afterMinutes, text, ...more });
