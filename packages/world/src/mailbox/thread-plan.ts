import type { Attachment } from "./attachments/attachment.ts";
import type { Bill } from "./bill.ts";
import type { Person } from "./company.ts";

export interface MailPlan {
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc?: readonly Person[];
  /** Since the mail before it in the thread. */
  readonly afterHours: number;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly Attachment[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A conversation before it has dates. What would lie in the future has not been written yet. */
export interface ThreadPlan {
  readonly subject: string;
  /** When it began. */
  readonly daysAgo: number;
  readonly mails: readonly MailPlan[];
  /** A label of the owner's. */
  readonly labelId?: string;
  /** What it is about; Slack talks of the same ones. */
  readonly bill?: Bill;
  readonly place?: "PERSONAL" | "PROMOTIONS" | "UPDATES" | "SPAM";
}
