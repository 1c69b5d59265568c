import type { CallWords } from "../../flow/flow.ts";
import type { Language } from "../language.ts";
import type { MailToolRole } from "../offered-mail-tools.ts";

/**
 * The demo model's texts about email in one language. Arguments come from the user and from tools.
 */
export interface MailWords extends CallWords<MailToolRole> {
  readonly language: Language;
  readonly colon: string;
  /** Translations, keyed by the English name. */
  readonly fieldNames: Readonly<Record<string, string>>;
  found(count: number): string;
  readonly nothingFound: string;
  readonly loosened: string;
  readMail(subject: string, from: string, day: string): string;
  noAttachment(subject: string): string;
  readFile(filename: string): string;
  fieldsOf(source: string): string;
  noFields(source: string): string;
  notInDocument(keys: string): string;
  cut(source: string): string;
  drafted(subject: string, to: string, draftId: string): string;
  /** `time` may be empty. */
  sent(subject: string, to: string, time: string): string;
  /** `time` may be empty. */
  replied(to: string, time: string): string;
  onlyMail(others: string): string;
  readonly whichAddress: string;
  readonly whatText: string;
  readonly noDraft: string;
  /** The task is outside what the demo model can do. */
  cannotDo(task: string): string;
  readonly condition: string;
  wrote(from: string, day: string, subject: string): string;
  line(day: string, from: string, subject: string): string;
  readonly emptyMail: string;
  summarySubject(subject: string): string;
  /** `name` may be empty. */
  greeting(name: string): string;
  bodyStart(source: string, subject: string, from: string, day: string): string;
  readonly bodyEnd: string;
}
