import { z } from "zod";

/** What the simulated outside looks like, and what really happened there. */

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
  /** Newest first: what left, was entered or written, by Bron or by the owner's own hand. */
  happened: z.array(
    z.object({
      at: z.string(),
      by: z.enum(["app", "owner"]),
      what: z.string(),
      detail: z.string(),
    }),
  ),
  mail: z.object({ inbox: z.array(mail), sent: z.array(mail), drafts: z.array(mail) }),
  /** Of the account's own calendar, a week back and four ahead. */
  events: z.array(event),
  channels: z.array(channel),
  /** Newest first: calls that changed something, or met a fault. */
  calls: z.array(
    z.object({
      at: z.string(),
      method: z.string(),
      answer: z.string(),
      fault: z.string(),
      effects: z.array(z.string()),
    }),
  ),
  /** Switched on now, in words. */
  faults: z.array(z.string()),
});

export type DemoView = z.infer<typeof demoViewSchema>;

/** What can be made to go wrong in the simulated outside. */
export const demoFaults = {
  google_down: "Google answers the next five calls with 503",
  answer_lost: "The answer to the next change at Google is lost, after it was done",
  request_lost: "The next change at Google is cut off before it is done",
  google_slow: "Google takes four seconds for each of the next five calls",
  rate_limited: "Google and Slack want two seconds of patience, three times",
  sign_in_expired: "Google forgets the sign-in: the account must be connected again",
  slack_down: "Slack answers the next five calls with 503",
} as const;

export type DemoFault = keyof typeof demoFaults;

export const demoFaultSchema = z.enum(Object.keys(demoFaults) as [DemoFault, ...DemoFault[]]);
