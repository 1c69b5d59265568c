import type { MailContent } from "../google/state/mail-content.ts";

/** A mail of the seeded mailbox. */
export interface SeededMail {
  readonly date: Date;
  /** The Message-ID of the first mail of its thread, which may be this mail. */
  readonly firstMessageId: string;
  readonly copies: readonly { readonly address: string; readonly labelIds: readonly string[] }[];
  readonly content: MailContent;
}
