import type { ShownStatus } from "./waits-for.ts";

/** The status of a run in the words of the web app and the terminal. */
export const statusWords: Readonly<Record<ShownStatus, string>> = {
  queued: "Queued",
  running: "Running",
  needs_approval: "Needs approval",
  needs_answer: "Needs your answer",
  waits_for_program: "Waiting for a program",
  needs_auth: "Sign-in needed",
  succeeded: "Done",
  partly_done: "Partly done",
  could_not: "Couldn't do it",
  denied: "You declined",
  failed: "Failed",
  canceled: "Stopped",
};
