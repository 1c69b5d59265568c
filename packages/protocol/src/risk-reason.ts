import { z } from "zod";

/** Why a value of an effect is a risk. */
export const riskReasonSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("decided_after_reading") }),
  z.object({
    code: z.literal("recipient_not_mentioned"),
    address: z.string(),
    /** How the recipient is addressed: to, cc, bcc, guest or mention. */
    role: z.string(),
  }),
  /** The owner typed `words`, the address or a name in it, but did not ask to reach this recipient. */
  z.object({
    code: z.literal("recipient_mentioned"),
    address: z.string(),
    role: z.string(),
    words: z.string(),
  }),
  /** The owner's words do not ask for such an effect. */
  z.object({ code: z.literal("not_asked_for") }),
  /** They ask for it once, and another effect of the task was that one. */
  z.object({ code: z.literal("asked_for_once") }),
  /** The owner crossed out the request. */
  z.object({ code: z.literal("crossed_out") }),
  /** No model could read the owner's words. */
  z.object({ code: z.literal("words_not_read") }),
  z.object({ code: z.literal("forbidden_by_words"), words: z.string() }),
  z.object({ code: z.literal("thing_not_mentioned"), title: z.string() }),
  z.object({ code: z.literal("field_not_mentioned"), field: z.string() }),
  /** The owner dictated a text, and another one would leave. */
  z.object({ code: z.literal("not_dictated"), words: z.string() }),
  z.object({ code: z.literal("reader_not_mentioned"), address: z.string() }),
  z.object({ code: z.literal("site_not_mentioned"), host: z.string() }),
  z.object({ code: z.literal("link_not_mentioned"), host: z.string() }),
  z.object({ code: z.literal("value_not_mentioned"), value: z.string() }),
  z.object({ code: z.literal("visible_to_others") }),
  /** People of another organization read the channel, and private text is in view. */
  z.object({ code: z.literal("channel_shared"), channel: z.string() }),
  /** A message notifies a whole channel or group. */
  z.object({ code: z.literal("notifies_group"), mention: z.string() }),
  z.object({ code: z.literal("file_not_mentioned"), filename: z.string() }),
  z.object({ code: z.literal("too_long_to_check") }),
  /** The retried run did such an effect, or may have done one. */
  z.object({ code: z.literal("done_before"), isSure: z.boolean() }),
  /** The owner replied to such an effect, denied it or undid its approval, earlier in the task. */
  z.object({ code: z.literal("replied_before"), words: z.string() }),
  z.object({ code: z.literal("denied_before"), target: z.string(), words: z.string() }),
  z.object({ code: z.literal("undone_before") }),
  /** A schedule, whose task starts without the owner. */
  z.object({ code: z.literal("starts_by_itself") }),
]);
export type RiskReason = Readonly<z.infer<typeof riskReasonSchema>>;

/** What is suspicious about the value itself. */
export const riskNoteSchema = z.discriminatedUnion("code", [
  /** Email that Bron sent does not count, because a model may have chosen its recipients. */
  z.object({ code: z.literal("never_emailed") }),
  z.object({ code: z.literal("lookalike"), domain: z.string() }),
  z.object({ code: z.literal("renamed"), original: z.string() }),
  /** Several people sent files of that name, with different contents. */
  z.object({ code: z.literal("same_name"), senders: z.array(z.string()).readonly() }),
]);
type RiskNote = Readonly<z.infer<typeof riskNoteSchema>>;

type Coded = RiskReason | RiskNote;

/** A sentence for each code. */
type RiskWords = {
  readonly [K in Coded["code"]]: (risk: Extract<Coded, { code: K }>) => string;
};

/** The sentences of the terminal and the web app. To translate them, pass another table. */
export const riskWords: RiskWords = {
  decided_after_reading: () =>
    "Bron decided to do this after reading someone else's message. Make sure you asked for it.",
  recipient_not_mentioned: ({ address, role }) =>
    role === "mention"
      ? `Notifies ${address}, whom you didn't mention.`
      : `You didn't mention ${address} (${role}).`,
  recipient_mentioned: ({ address, role, words }) =>
    words === address
      ? `You mentioned ${address}, but Bron didn't read it as a recipient of this (${role}).`
      : `You mentioned “${words}”, but not the address ${address} (${role}). Make sure it's the right one.`,
  not_asked_for: () => "You didn't ask for this.",
  asked_for_once: () => "You asked for this once, and it was already done.",
  crossed_out: () => "You crossed out your request for this.",
  words_not_read: () => "Bron couldn't compare this with what you asked for.",
  forbidden_by_words: ({ words }) => `You wrote: “${words}”.`,
  thing_not_mentioned: ({ title }) => `You didn't mention ${title}.`,
  field_not_mentioned: ({ field }) => `You didn't ask to change the ${field}.`,
  not_dictated: ({ words }) => `This isn't what you dictated: “${words}”.`,
  reader_not_mentioned: ({ address }) =>
    `You didn't mention ${address}. They may not be allowed to see what Bron read.`,
  site_not_mentioned: ({ host }) =>
    `You didn't mention ${host}. Opening it could reveal information.`,
  link_not_mentioned: ({ host }) => `Contains a link to ${host}, which you didn't mention.`,
  value_not_mentioned: ({ value }) => `Contains ${value}, which you didn't mention.`,
  visible_to_others: () => "This may be visible to others, and Bron read private content.",
  channel_shared: ({ channel }) =>
    `People of another organization can read ${channel}, and Bron read private content.`,
  notifies_group: ({ mention }) => `Notifies everyone in a group: ${mention}.`,
  file_not_mentioned: ({ filename }) => `You didn't mention ${filename}.`,
  too_long_to_check: () => "This is too long to check for addresses and links.",
  done_before: ({ isSure }) =>
    `The earlier attempt at this task ${isSure ? "already did" : "may have done"} something like this. This would be another one.`,
  replied_before: ({ words }) => `You asked for changes: “${words}”.`,
  denied_before: ({ target, words }) =>
    `You denied this before (${target})${words === "" ? "" : `: “${words}”`}.`,
  undone_before: () => "You approved something like this before, and undid it.",
  starts_by_itself: () =>
    "Bron starts this task by itself at these times. Bron chose its words, so they don't count as yours.",
  never_emailed: () => "Bron found no email to this address that you wrote yourself.",
  lookalike: ({ domain }) => `Looks similar to ${domain}, but isn't. Possible impersonation.`,
  same_name: ({ senders }) => `Different files of this name came from ${senders.join(", ")}.`,
  renamed: ({ original }) => `Originally named ${original}.`,
};

/** The sentence for a reason or note. Text of a tool, or of an earlier version, stays as it is. */
export function describeRisk(risk: Coded | string, words: RiskWords = riskWords): string {
  if (typeof risk === "string") return risk;
  return (words[risk.code] as (value: Coded) => string)(risk);
}
