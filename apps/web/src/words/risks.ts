import { describeRisk, type Risk, type RiskWords } from "@bron/protocol";

const riskWords: RiskWords = {
  decided_after_reading: () =>
    "Bron decided to do this after reading someone else's message. Make sure you asked for it.",
  recipient_not_mentioned: ({ address, role }) =>
    `You didn't mention ${address} (${role}), and you've never emailed them.`,
  reader_not_mentioned: ({ address }) =>
    `You didn't mention ${address}. They may not be allowed to see what Bron read.`,
  site_not_mentioned: ({ host }) =>
    `You didn't mention ${host}. Opening it could reveal information.`,
  link_not_mentioned: ({ host }) => `Contains a link to ${host}, which you didn't mention.`,
  visible_to_others: () => "This may be visible to others, and Bron read private content.",
  file_not_mentioned: ({ filename }) => `You didn't mention ${filename}.`,
  never_emailed: () => "You've never emailed this address.",
  lookalike: ({ domain }) => `Looks similar to ${domain}, but isn't. Possible impersonation.`,
  renamed: ({ original }) => `Originally named ${original}.`,
};

/** The sentence for the reason of a risk, or for a note on it. */
export function riskText(risk: Risk["why"] | Risk["notes"][number]): string {
  return describeRisk(risk, riskWords);
}
