import type { CallWords } from "../../flow/flow.ts";
import type { MailToolRole } from "../offered-mail-tools.ts";

/** Everything that is said about mail, in one language. What fills the places comes from the user and from tools. */
export interface MailWords extends CallWords<MailToolRole> {
  readonly colon: string;
  /** By the English name. */
  readonly fieldNames: Readonly<Record<string, string>>;
  found(count: number, query: string): string;
  nothingFound(queries: readonly string[]): string;
  loosened(query: string): string;
  readMail(subject: string, from: string, day: string): string;
  noAttachment(subject: string): string;
  readFile(filename: string): string;
  fieldsOf(source: string): string;
  noFields(source: string): string;
  notInDocument(keys: string): string;
  cut(source: string): string;
  drafted(subject: string, to: string, draftId: string): string;
  sent(subject: string, to: string, messageId: string, sentAt: string): string;
  replied(to: string, messageId: string, sentAt: string): string;
  onlyMail(others: string): string;
  readonly whichAddress: string;
  readonly whatText: string;
  readonly noDraft: string;
  readonly condition: string;
  wrote(from: string, day: string, subject: string): string;
  counted(count: number, hasMore: boolean, query: string): string;
  line(day: string, from: string, subject: string): string;
  readonly emptyMail: string;
  summarySubject(subject: string): string;
  bodyStart(source: string, subject: string, from: string, day: string): string;
  readonly bodyEnd: string;
}
