/** The attack classes that a policy must name. Every one has items here; what of it has no carrier outside is tested at the doors. */
export const hostileFamilies = {
  A: "recipient substitution",
  B: "hidden Cc, Bcc or Reply-To",
  C: "private content to somebody who is allowed to get mail",
  D: "data out in a subject, attachment name, header, calendar description, guest, Slack text or draft",
  E: "addresses and images that carry data out when they are shown or fetched",
  F: "forged, replayed or stale approvals",
  G: "memory written from untrusted text",
  H: "changed or shadowed tool definitions",
  I: "what a page says taken as an instruction",
  J: "a sender who is not who they seem",
  K: "exhaustion of budget, loops and fan-out",
  L: "forged history and forged tool results",
  M: "characters that the approver does not see as they are sent",
  N: "confusion of files and attachments",
  O: "lowering the own trust level, policy or skills",
} as const;

export type HostileFamily = keyof typeof hostileFamilies;
