import type { Language } from "./language.ts";

export type FileType = "pdf" | "csv" | "xlsx";

/** Which mail is meant, as far as the words say. */
export interface MailSearch {
  /** A name, an address or a domain. */
  readonly sender?: string;
  /** What kind of document: its name in the task, then its names in other languages. */
  readonly document?: readonly string[];
  /** Documents that may be meant instead. */
  readonly kin?: readonly string[];
  readonly words: readonly string[];
  readonly phrases: readonly string[];
  readonly fileTypes: readonly FileType[];
  readonly hasAttachment: boolean;
  /** As Gmail writes it: "30d". */
  readonly age?: string;
  /** Other operators, ready for a query. */
  readonly operators: readonly string[];
}

export interface Recipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
}

/**
 * document: read an attachment and its fields. read: say what a mail says. reply, compose: the user's own words leave.
 * count, list: say what a search finds. sendDraft: send what was drafted before.
 */
export type MailTaskKind =
  | "document"
  | "read"
  | "reply"
  | "compose"
  | "count"
  | "list"
  | "sendDraft";

export interface MailTask {
  readonly kind: MailTaskKind;
  readonly language: Language;
  readonly search: MailSearch;
  readonly recipients: Recipients;
  /** A mail is to be written, and perhaps sent. */
  readonly outcome: "nothing" | "draft" | "send";
  /** Into the conversation of the mail that was found. */
  readonly isReply: boolean;
  readonly isToEveryone: boolean;
  readonly subject?: string;
  readonly bodyText?: string;
  /** Fields that were asked for, each with the names that it may have; none means all. */
  readonly fields: readonly (readonly string[])[];
  /** Of many mails, what they are about. */
  readonly isSummary: boolean;
  /** The document goes along. */
  readonly attaches: boolean;
}
