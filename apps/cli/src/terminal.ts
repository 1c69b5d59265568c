import { styleText } from "node:util";
import { asCalled } from "./called-as.ts";

/** The process's streams and signals, as commands use them. */
export interface Terminal {
  /** Writes results to standard output: messages, cards, tables, JSON. */
  out(text: string): void;
  /** Writes progress, warnings and errors to standard error. */
  err(text: string): void;
  /** Whether standard output is a terminal. */
  readonly isLive: boolean;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  readonly color: boolean;
  readonly columns: number;
  /** How the person called this command, such as `npx bron`. */
  readonly calledAs: string;
  /** Aborts at the first Ctrl-C or SIGTERM; a second one ends the process at once. */
  readonly stop: AbortSignal;
  now(): Date;
  /** Asks a question. Resolves to "" when the input ends or `stop` aborts. */
  ask(question: string): Promise<string>;
  /**
   * Waits until this key is pressed, and says meanwhile how many seconds are left. Resolves to
   * false at the end of the time, and when `stop` aborts.
   */
  waitForKey(
    key: string,
    wait: { readonly ms: number; readonly say: (seconds: number) => string },
  ): Promise<boolean>;
  /**
   * Asks for words. A paste of more than a line is apart from them. Resolves to no words when the
   * input ends or `stop` aborts.
   */
  askWords(
    question: string,
  ): Promise<{ readonly words: string; readonly pasted: readonly string[] }>;
  /** Reads standard input to its end. Throws too_large above the limit. */
  readInput(maxBytes: number): Promise<string>;
  /**
   * Reads standard input to its end if it is a file or a pipe. A pipe that has nothing for a few
   * seconds counts as none, because many programs start others with a pipe that they never close.
   */
  readPiped(maxBytes: number): Promise<string | undefined>;
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export function paint(terminal: Pick<Terminal, "color">, style: Style, text: string): string {
  return terminal.color ? styleText(style, text, { validateStream: false }) : text;
}

/** Writes a sentence of ours, with its commands in the form in which this one was called. */
export function hint(terminal: Terminal, text: string): void {
  note(terminal, asCalled(terminal, text));
}

export function line(terminal: Terminal, text = ""): void {
  terminal.out(`${text}\n`);
}

export function note(terminal: Terminal, text: string): void {
  terminal.err(`${text}\n`);
}

export function json(terminal: Terminal, value: unknown): void {
  terminal.out(`${JSON.stringify(value)}\n`);
}
