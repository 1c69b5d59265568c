import type { Attachment } from "./attachments/attachment.ts";
import type { Bill } from "./bill.ts";
import type { Person } from "./company.ts";

export interface MailPlan {
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc?: readonly Person[];
  /** Time since the previous mail of the thread. */
  readonly afterHours: number;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly Attachment[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A thread before it is dated. Messages that would fall into the future are left out. */
export interface ThreadPlan {
  readonly subject: string;
  /** Age of the first mail in days. */
  readonly daysAgo: number;
  readonly mails: readonly MailPlan[];
  /** One of the owner's labels. */
  readonly labelId?: string;
  /** The bill that the thread is about. Slack messages mention the same bills. */
  readonly bill?: Bill;
  readonly place?: "PERSONAL" | "PROMOTIONS" | "UPDATES" | "SPAM";
}
