import type { MailContent } from "../google/state/mail-content.ts";

/** A mail that was there before anybody signed in. */
export interface SeededMail {
  readonly date: Date;
  /** The Message-ID of the mail that began its thread; its own if it did. */
  readonly firstMessageId: string;
  readonly copies: readonly { readonly address: string; readonly labelIds: readonly string[] }[];
  readonly content: MailContent;
}
