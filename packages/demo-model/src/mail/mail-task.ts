import type { Language } from "./language.ts";

export type FileType = "pdf" | "csv" | "xlsx";

/** The search criteria of a task. */
export interface MailSearch {
  /** A name, an address or a domain. */
  readonly sender?: string;
  /** The kind of document: its name in the task, then its names in other languages. */
  readonly document?: readonly string[];
  /** Related kinds of documents, tried last. */
  readonly kin?: readonly string[];
  readonly words: readonly string[];
  readonly phrases: readonly string[];
  readonly fileTypes: readonly FileType[];
  readonly hasAttachment: boolean;
  /** In Gmail's notation: "30d". */
  readonly age?: string;
  /** Other Gmail search operators. */
  readonly operators: readonly string[];
}

export interface Recipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
}

/**
 * document: read an attachment and its fields. read: quote a mail. reply, compose: send the user's
 * own text. count, list: report the results of a search. sendDraft: send an earlier draft.
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
  /** Whether to write a mail, and whether to send it. */
  readonly outcome: "nothing" | "draft" | "send";
  /** Reply in the thread of the mail that was found. */
  readonly isReply: boolean;
  readonly isToEveryone: boolean;
  readonly subject?: string;
  readonly bodyText?: string;
  /** The requested fields, each with its possible names. Empty means all fields. */
  readonly fields: readonly (readonly string[])[];
  /** Add a snippet of each mail to the list. */
  readonly isSummary: boolean;
  /** Attach the document. */
  readonly attaches: boolean;
}
