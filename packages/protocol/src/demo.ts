import { z } from "zod";

/** The state of the sandbox, and what happened there. */

const mail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  date: z.string(),
  text: z.string(),
  attachments: z.array(z.string()),
  isUnread: z.boolean(),
});

const event = z.object({
  id: z.string(),
  summary: z.string(),
  start: z.string(),
  end: z.string(),
  location: z.string(),
  guests: z.array(z.string()),
  description: z.string(),
});

const channel = z.object({
  name: z.string(),
  isPrivate: z.boolean(),
  messages: z.array(
    z.object({ who: z.string(), at: z.string(), text: z.string(), isReply: z.boolean() }),
  ),
});

export const demoViewSchema = z.object({
  now: z.string(),
  account: z.string(),
  accounts: z.array(z.string()),
  /** Newest first: what Bron (`app`) and the owner sent, created or wrote. */
  happened: z.array(
    z.object({
      at: z.string(),
      by: z.enum(["app", "owner"]),
      what: z.string(),
      detail: z.string(),
    }),
  ),
  mail: z.object({ inbox: z.array(mail), sent: z.array(mail), drafts: z.array(mail) }),
  /** The events of the account's own calendar, from one week ago to four weeks ahead. */
  events: z.array(event),
  channels: z.array(channel),
  /** Newest first: calls that changed something or hit a fault. */
  calls: z.array(
    z.object({
      at: z.string(),
      method: z.string(),
      answer: z.string(),
      fault: z.string(),
      effects: z.array(z.string()),
    }),
  ),
  /** Descriptions of the active faults. */
  faults: z.array(z.string()),
});

export type DemoView = z.infer<typeof demoViewSchema>;

/** The faults that can be injected into the sandbox. */
export const demoFaults = {
  google_down: "Google is down (next 5 calls)",
  answer_lost: "Lost response: next Google write succeeds but times out",
  request_lost: "Lost request: next Google write never arrives",
  google_slow: "Google is slow (4s for the next 5 calls)",
  rate_limited: "Rate limited (2s wait, 3 times)",
  sign_in_expired: "Google sign-in expires",
  slack_down: "Slack is down (next 5 calls)",
} as const;

export type DemoFault = keyof typeof demoFaults;

export const demoFaultSchema = z.enum(Object.keys(demoFaults) as [DemoFault, ...DemoFault[]]);

/** Tasks that the demo model knows with any accounts. */
const knownTasks = [
  "What is on my calendar in the next 7 days?",
  "How many unread emails did I get this week?",
  "What is 15% of 340?",
];

/** Three of the suggested tasks that differ: the first of each third. */
export function demoExamples(suggestions: readonly string[]): readonly string[] {
  const tasks = suggestions.length < 3 ? knownTasks : suggestions;
  return [0, 1, 2].flatMap((third) => tasks[Math.floor((third * tasks.length) / 3)] ?? []);
}
