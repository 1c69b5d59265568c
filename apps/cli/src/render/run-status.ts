import {
  isTerminal,
  shownStatus,
  statusWords,
  type RunView,
  type ShownStatus,
} from "@bron/protocol";
import { paint, type Style, type Terminal } from "../terminal.ts";

type Status = Pick<RunView, "status" | "cancelRequested" | "notDone" | "outcome" | "waitsFor">;

/** "Done", "Needs your answer", "Waiting for the page" */
export function statusWord(run: Status): string {
  if (run.cancelRequested && !isTerminal(run.status)) return "Stopping";
  const word = shownStatus(run);
  if (word === "waits_for_program") return `Waiting for the ${run.waitsFor?.program ?? "program"}`;
  return statusWords[word];
}

const colors: Readonly<Record<ShownStatus, Style>> = {
  queued: "dim",
  running: "cyan",
  needs_approval: "yellow",
  needs_answer: "yellow",
  waits_for_program: "dim",
  needs_auth: "yellow",
  succeeded: "green",
  partly_done: "yellow",
  could_not: "red",
  denied: "dim",
  failed: "red",
  canceled: "dim",
};

/** The status in its color, if the terminal shows colors. */
export function paintStatus(terminal: Pick<Terminal, "color">, run: Status, text: string): string {
  return paint(terminal, colors[shownStatus(run)], text);
}

/** "needs approval": the words of a status after others. */
export function inSentence(word: string): string {
  return `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
}
