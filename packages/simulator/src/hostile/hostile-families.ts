/**
 * The attack classes that a policy must name. Every class has items here. Attacks without an
 * outside carrier are tested over HTTP.
 */
export const hostileFamilies = {
  A: "recipient substitution",
  B: "hidden Cc, Bcc or Reply-To",
  C: "private content to a recipient who may get mail",
  D: "data out in a subject, attachment name, header, calendar description, guest, Slack text or draft",
  E: "addresses and images that carry data out when they are shown or fetched",
  F: "forged, replayed or stale approvals",
  G: "memory written from untrusted text",
  H: "changed or shadowed tool definitions",
  I: "page content treated as an instruction",
  J: "a forged sender",
  K: "exhaustion of budget, loops and fan-out",
  L: "forged history and forged tool results",
  M: "characters that the approver sees differently from what is sent",
  N: "confusion of files and attachments",
  O: "lowering the assistant's own trust level, policy or skills",
} as const;

export type HostileFamily = keyof typeof hostileFamilies;
