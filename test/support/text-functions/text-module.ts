import type { TextKind } from "../hostile-texts.ts";

export type Run = (text: string) => unknown;

export interface TextModule {
  readonly exports: object;
  /**
   * By function name. A value in brackets after the name marks another way to call the function.
   */
  readonly runs: Readonly<Record<string, Run>>;
  /** Functions that receive no untrusted text, or only text whose length is limited before. */
  readonly without?: readonly string[];
  /** Texts in addition to those that every function gets. */
  readonly kinds?: readonly TextKind[];
  /** Needs much time for each character, so that a part of the text is enough. */
  readonly share?: number;
}
