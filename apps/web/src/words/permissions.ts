import type { RuleVerdict, TrustLevel } from "@bron/protocol";

export const permissionsWords = {
  about: "Nothing leaves unless a rule of yours, or you yourself, allowed exactly that.",
  verdicts: { allow: "Allow", ask: "Ask", deny: "Deny" } satisfies Record<RuleVerdict, string>,
  usual: "As usual",
  onlyReads: "Changes nothing outside",
  byRule: (tool: string, verdict: string, isOwn: boolean) =>
    `${verdict}, by your rule for ${tool} (${isOwn ? "this Bron" : "every Bron"}).`,
  byTrust: (level: string) => `By its trust level: ${level.toLowerCase()}.`,
  sureAllow: (tool: string, who: string) => ({
    title: `Allow ${tool}?`,
    words: `From now on ${tool} goes unasked for ${who}, unless somebody else may have chosen what happens.`,
    yes: "Yes, allow it",
  }),
  sureRemove: (tool: string) => ({
    title: `Remove the rule for ${tool}?`,
    words:
      "It may let more through than now: what is left of your rules decides, and then the trust level.",
    yes: "Yes, remove it",
  }),
  rules: "Rules",
  rulesAbout:
    "Your word on a tool: a name, or the beginning of names with a star. Rules speak of what changes something outside, and of asking the web.",
  noRules: "No rules: the trust level decides.",
  tool: "Tool",
  toolHint: "A tool's name, or the beginning of names and a star",
  verdict: "Then",
  forWhom: "For",
  allBrons: "Every Bron",
  addRule: "Add rule",
  remove: "Remove",
  removeRule: (tool: string) => `Remove the rule for ${tool}`,
  allowed: "People and domains on your list",
  allowedAbout:
    "They count as known: a delegated Bron writes to them unasked. Private text still goes only to those whom you named in the task.",
  noAllowed: "Nobody is on your list.",
  personOrDomain: "Address or domain",
  allowedPlaceholder: "eva@example.com or example.com",
  addAllowed: "Put on the list",
  everybodyAt: (domain: string) => `Everybody at ${domain}`,
  takeOff: (value: string) => `Take ${value} off the list`,
  grants: "Grants",
  grantsAbout: "One tool may reach one recipient unasked, for a while.",
  noGrants: "No grant holds now.",
  recipient: "Recipient",
  recipientPlaceholder: "eva@example.com",
  howLong: "How long",
  days: (count: number) => (count === 1 ? "1 day" : `${count} days`),
  addGrant: "Grant",
  revoke: "Revoke",
  revokeGrant: (tool: string, recipient: string) => `Revoke ${tool} to ${recipient}`,
  uses: (count: number) =>
    count === 0 ? "never used" : count === 1 ? "used once" : `used ${count} times`,
  until: "until",
  revokedAt: "revoked",
  overGrants: (count: number) => (count === 1 ? "1 that is over" : `${count} that are over`),
  inWords: {
    title: "What this means",
    order: "How it is decided, step by step: the first that speaks decides",
    among:
      "Among rules that ask or allow, one of a Bron goes before one of every Bron, a name before a star, and of equals the stricter counts. It is judged when something is proposed, and again when it leaves.",
    everyBron: "every Bron",
    oneBron: "one Bron",
    toolOf: (tool: string, who: string) => `${tool} (${who})`,
    levelOf: (name: string, level: string) => `${name}: ${level}`,
    noRule: "No rule of yours.",
    yours: (list: string) => `Yours: ${list}.`,
    familiar: (people: number, grants: number) =>
      `${people} on your list, ${grants} ${grants === 1 ? "grant" : "grants"}.`,
    deny: "A rule denies the tool: it is not done, and the run goes on without it.",
    own: "Only you can see the change, such as a draft in your own mailbox: it is done.",
    floor:
      "Text of others was read, and a recipient, guest, link, file or the tool itself may be their choice: you are asked, with where it was seen. Who is on your list, has a grant, or whom you wrote to yourself is known.",
    ask: "A rule asks: you are asked.",
    allow: "A rule allows: it is done.",
    trust: "Otherwise the Bron's trust level decides:",
    byLevel: {
      supervised: (names: string, areMany: boolean) =>
        `${names} ${areMany ? "ask" : "asks"} you before anything is changed outside.`,
      delegated: (names: string, areMany: boolean) =>
        `${names} ${areMany ? "send mail by themselves" : "sends mail by itself"} if everybody who gets it is on your list, and ${areMany ? "ask" : "asks"} about the rest.`,
      autonomous: (names: string, areMany: boolean) =>
        `${names} ${areMany ? "act by themselves, and ask" : "acts by itself, and asks"} only where others may have chosen what happens.`,
    } satisfies Record<TrustLevel, (names: string, areMany: boolean) => string>,
  },
} as const;
