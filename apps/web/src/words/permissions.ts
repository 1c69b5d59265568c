import type { EffectGroup, RuleVerdict, TrustLevel } from "@bron/protocol";

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
    "Allow, ask or block specific tools. Use * for a group of tools that make changes, e.g. gmail_*. To block a tool that only reads, use its exact name. A rule can be limited to a website or an MCP server. Tools of an MCP server always ask until a rule names that server.",
  noRules: "No rules yet. Trust levels apply.",
  tool: "Tool",
  toolHint: "Tool name, or a prefix with *",
  host: "Website (optional)",
  hostHint: "example.com for one host, *.example.com for all hosts below it",
  hostPlaceholder: "*.example.com",
  server: "MCP server (optional)",
  serverHint: "Use the tool's name on that server. Leave the tool empty for all of its tools.",
  serverPlaceholder: "github",
  atHost: (tool: string, host: string) => `${tool} at ${host}`,
  serverTools: (tool: string, server: string) =>
    tool === "*"
      ? `all tools of the server ${server}`
      : tool.endsWith("*")
        ? `tools of the server ${server} starting with ${tool.slice(0, -1)}`
        : `${tool} of the server ${server}`,
  verdict: "Action",
  forWhom: "For",
  allBrons: "All Brons",
  addRule: "Add rule",
  remove: "Remove",
  removeRule: (tool: string) => `Remove the rule for ${tool}`,
  contacts: "Trusted contacts",
  contactsAbout:
    "Delegated Brons can email these people without asking, if you name them in the task. Put a name or role before the address to use it in tasks: “Send it to the client”.",
  noContacts: "No trusted contacts yet",
  emailOrDomain: "Email or domain",
  contactPlaceholder: "The client <eva@example.com>, or example.com",
  addContact: "Add contact",
  anyoneAt: (domain: string) => `Anyone at ${domain}`,
  removeContact: (value: string) => `Remove ${value}`,
  effects: "Undo and pace",
  effectsAbout:
    "For each kind of change, choose how long you can undo an approval before it takes effect, and how many you can approve in a minute.",
  effectGroups: {
    mail: "Emails",
    event: "Calendar events",
    channel: "Messages to a channel or board",
    fetch: "Web requests",
    server: "Tools of MCP servers",
    other: "Other changes",
  } satisfies Record<EffectGroup, string>,
  undoFor: (kind: string) => `Undo for ${kind}`,
  paceFor: (kind: string) => `Pace for ${kind}`,
  undoSeconds: (seconds: number) => (seconds === 0 ? "No delay" : `${seconds}s`),
  defaultUndo: (seconds: string) => `Default (${seconds})`,
  perMinute: (count: number) => `${count} per minute`,
  defaultPace: "Default limit",
  sureUndo: (kind: string) => ({
    title: `Shorten the undo time for ${kind}?`,
    words: "You'll have less time to undo an approval.",
    yes: "Shorten undo time",
  }),
  grants: "Temporary permissions",
  grantsAbout:
    "Let one tool contact one person or website, or let Bron use an MCP server, without asking, for a limited time.",
  noGrants: "None active",
  target: "Allow",
  targets: { recipient: "Person", host: "Website", server: "MCP server" },
  grantHost: "Website",
  grantServer: "Server",
  serverTool: "Tool of the server",
  recipient: "Recipient",
  recipientPlaceholder: "eva@example.com",
  includesPrivate: "Also after reading private content, such as email",
  withPrivate: "also after reading private content",
  duration: "Duration",
  days: (count: number) => (count === 1 ? "1 day" : `${count} days`),
  addGrant: "Add permission",
  revoke: "Revoke",
  revokeGrant: (tool: string, recipient: string | null) =>
    recipient === null ? `Revoke ${tool}` : `Revoke ${tool} for ${recipient}`,
  uses: (count: number) =>
    count === 0 ? "never used" : count === 1 ? "used once" : `used ${count} times`,
  until: "until",
  revokedAt: "revoked",
  expiredGrants: (count: number) => `${count} expired`,
  summary: {
    title: "Summary",
    order: "How Bron decides (first match wins)",
    precedence:
      "Rules for one Bron beat rules for all. Rules for a server or website beat general ones. Exact names beat wildcards. Ties go to the stricter rule. Checked when proposed and again before sending.",
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
    server: "A tool of an MCP server that you haven't allowed. Bron asks, at every trust level.",
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
