import type { RuleVerdict, TrustLevel } from "@bron/protocol";

export const permissionsWords = {
  about: "Decide what your Brons can do without asking.",
  verdicts: { allow: "Allow", ask: "Ask", deny: "Block" } satisfies Record<RuleVerdict, string>,
  default: "Default",
  readOnly: "Read only",
  byRule: (verdict: RuleVerdict, isOwn: boolean) =>
    `${{ allow: "Always allowed", ask: "Ask first", deny: "Blocked" }[verdict]} (your rule for ${isOwn ? "this Bron" : "all Brons"})`,
  byTrust: (level: string) => `From trust level: ${level}`,
  sureAllow: (tool: string, who: string) => ({
    title: `Always allow ${tool}?`,
    words: `${who} won't ask first, except when a recipient or link came from someone else.`,
    yes: "Always allow",
  }),
  sureRemove: {
    title: "Remove this rule?",
    words: "Other rules and the trust level will apply.",
    yes: "Remove rule",
  },
  rules: "Rules",
  rulesAbout:
    "Allow, ask or block specific tools. Use * for a group of tools that make changes, e.g. gmail_*. To block a tool that only reads, use its exact name.",
  noRules: "No rules yet. Trust levels apply.",
  tool: "Tool",
  toolHint: "Tool name, or a prefix with *",
  verdict: "Action",
  forWhom: "For",
  allBrons: "All Brons",
  addRule: "Add rule",
  remove: "Remove",
  removeRule: (tool: string) => `Remove the rule for ${tool}`,
  contacts: "Trusted contacts",
  contactsAbout:
    "Delegated Brons can email these people without asking. Private content still only goes to people you named in the task.",
  noContacts: "No trusted contacts yet",
  emailOrDomain: "Email or domain",
  contactPlaceholder: "eva@example.com or example.com",
  addContact: "Add contact",
  anyoneAt: (domain: string) => `Anyone at ${domain}`,
  removeContact: (value: string) => `Remove ${value}`,
  grants: "Temporary permissions",
  grantsAbout: "Let one tool contact one person without asking, for a limited time.",
  noGrants: "None active",
  recipient: "Recipient",
  recipientPlaceholder: "eva@example.com",
  duration: "Duration",
  days: (count: number) => (count === 1 ? "1 day" : `${count} days`),
  addGrant: "Add permission",
  revoke: "Revoke",
  revokeGrant: (tool: string, recipient: string) => `Revoke ${tool} for ${recipient}`,
  uses: (count: number) =>
    count === 0 ? "never used" : count === 1 ? "used once" : `used ${count} times`,
  until: "until",
  revokedAt: "revoked",
  expiredGrants: (count: number) => `${count} expired`,
  summary: {
    title: "Summary",
    order: "How Bron decides (first match wins)",
    precedence:
      "Rules for one Bron beat rules for all. Exact names beat wildcards. Ties go to the stricter rule. Checked when proposed and again before sending.",
    allBrons: "all Brons",
    oneBron: "one Bron",
    toolOf: (tool: string, who: string) => `${tool} (${who})`,
    levelOf: (name: string, level: string) => `${name}: ${level}`,
    noRule: "No rules",
    yourRules: (list: string) => `Your rules: ${list}`,
    known: (contacts: number, grants: number) =>
      `${contacts} ${contacts === 1 ? "trusted contact" : "trusted contacts"}, ${grants} ${grants === 1 ? "temporary permission" : "temporary permissions"}`,
    deny: "Blocked by a rule. Bron continues without it.",
    own: "Only visible to you (e.g. drafts). Allowed.",
    floor:
      "A recipient, link, file or action may have come from someone else's message. Bron asks and shows where it came from, unless they're a trusted contact or someone you've emailed.",
    ask: "A rule says ask.",
    allow: "A rule says allow.",
    trust: "Otherwise, the trust level applies:",
    byLevel: {
      supervised: (names: string, isPlural: boolean) =>
        `${names} ${isPlural ? "ask before they send or change" : "asks before it sends or changes"} anything.`,
      delegated: (names: string, isPlural: boolean) =>
        `${names} ${isPlural ? "email" : "emails"} trusted contacts without asking, and ${isPlural ? "ask" : "asks"} about everything else.`,
      autonomous: (names: string, isPlural: boolean) =>
        `${names} ${isPlural ? "act on their own, and ask" : "acts on its own, and asks"} only when something may have come from someone else.`,
    } satisfies Record<TrustLevel, (names: string, isPlural: boolean) => string>,
  },
} as const;
