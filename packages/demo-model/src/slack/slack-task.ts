import { omitUndefined } from "@bron/protocol";
import { contentWords } from "../mail/content-words.ts";
import type { Language } from "../mail/language.ts";
import type { Scratch } from "../mail/scratch.ts";
import { takeSender } from "../mail/take-sender.ts";
import { takeTopic } from "../mail/take-topic.ts";
import type { DayWish } from "../when/day-wish.ts";
import { takeDays } from "../when/take-days.ts";
import {
  noEmailRequest,
  takeEmailRequest,
  type EmailRequest,
} from "../workspace/take-email-request.ts";

export interface SlackTask {
  readonly area: "slack";
  /** Channel names without "#". Empty means that the task asks for the list of channels. */
  readonly channels: readonly string[];
  /** The task asks only for the list of channels. */
  readonly isList: boolean;
  readonly days?: DayWish;
  readonly topic: readonly string[];
  /** The only person whose messages are wanted. */
  readonly writer?: string;
  /** Read the threads too, not only the channel. */
  readonly withConversations: boolean;
  readonly focus?: "decisions" | "questions";
  readonly emailRequest: EmailRequest;
}

const hashed =
  /(?:(?:the |dem |der |den |le )?(?:channel|kanal|canal)\s+)?(?<![\w&/])#(?<name>[\p{L}\d][\p{L}\d_-]*)(?:[ -](?:channel|kanal|canal))?/u;
const named =
  /(?:channel|kanal|canal)\s+(?:called |named |namens |nomme )?(?<name>(?!are|is|there|do|does|can|in|on|of|auf|von|gibt|sind|de|du|sur|y|that|which|this|last|since|and|und|et|list|names?)[a-z\d][a-z\d_-]+)(?![a-z])|(?<other>(?!the|which|this|that|what|slack|all|any|a|my|our|dem|im|der|den|diesem|welche[nr]?|le|ce|quels?|each)[a-z\d][a-z\d_-]+)[ -](?:slack[ -])?(?:channel|kanal)(?![a-z])/;
const channelWords = /\b(?:channels?|kanale?n?s?|canal|canaux|slack)\b/;
const listing =
  /\b(?:which|what|list|show|are there|how many|welche|zeige?|gibt es|wie viele|liste[rz]?|quels?|quelles|montre[rz]?|y a-t-il|combien)\b[^.;]{0,40}\b(?:channels|kanale|canaux)\b/;
const conversations =
  /\b(?:(?:with|including|and) (?:(?:all|the|its|their|any) )*(?:conversations?|threads?|replies|answers)|in (?:the )?threads?|(?:mit|samt|inklusive|und) (?:(?:allen|den|ihren|seinen) )*(?:antworten|unterhaltungen|threads?|diskussionen)|(?:avec|et) (?:(?:toutes|les|ses|leurs) )*(?:reponses|conversations|discussions|fils))\b/;
const decisions =
  /\b(?:decided|decisions?|decide|agreed|agreements?|entschieden|entscheidung(?:en)?|beschlossen|beschlusse?|vereinbart|decide[es]?|decisions?|convenu)\b/;
const questions =
  /\b(?:(?:open |unanswered )?questions?|(?:offene[nr]? )?fragen?|questions ouvertes)\b/;
const small =
  /^(?:slack|discussed|discuss|said|say|talked|talk|talking|happened|happening|going|news|new|week|besprochen|diskutiert|gesagt|geredet|passiert|los|gab|ging|neues|discute|dit|parle|passe|quoi|summary|channel|kanal|canal|everything|everyone|anything|people|us|catch|since|recap|overview|decided|decisions?|agreed|asked|questions?|fragen|offene|open|entschieden|beschlossen|vereinbart)$/i;
const notAPerson =
  /^(?:people|they|we|everyone|everybody|anyone|anybody|somebody|someone|team|all|man|jemand|alle|on|tout)$/i;
const maxChannels = 3;

/** Returns undefined when the task is not about Slack channels. */
export function understandSlack(
  scratch: Scratch,
  subject: string | undefined,
  language: Language,
): SlackTask | undefined {
  if (!scratch.has(channelWords) && !scratch.has(hashed)) return undefined;
  const isList = scratch.has(listing);
  const channels: string[] = [];
  for (const pattern of [hashed, ...(isList || !scratch.has(channelWords) ? [] : [named])]) {
    for (
      let found = scratch.take(pattern);
      found !== undefined && channels.length < maxChannels;
      found = scratch.take(pattern)
    )
      channels.push((found.groups["name"] ?? found.groups["other"] ?? "").toLowerCase());
  }
  const emailRequest =
    scratch.has(/@/) || scratch.has(/\b(?:e-?mail|mail)\b/)
      ? takeEmailRequest(scratch, subject)
      : noEmailRequest;
  const focus: SlackTask["focus"] = scratch.has(decisions)
    ? "decisions"
    : scratch.has(questions)
      ? "questions"
      : undefined;
  const withConversations = scratch.take(conversations) !== undefined || focus === "decisions";
  const days = takeDays(scratch, language);
  const writer = takeSender(scratch, (name) => name);
  return {
    area: "slack",
    channels,
    isList: isList && channels.length === 0,
    withConversations,
    emailRequest,
    topic: contentWords(takeTopic(scratch) ?? "").filter((word) => !small.test(word)),
    ...omitUndefined({ days }),
    ...(writer === undefined || notAPerson.test(writer) ? {} : { writer }),
    ...omitUndefined({ focus }),
  };
}
