import { runStates, webStatusOf } from "@bron/protocol";

/** Values of `--status`: first the statuses that people see, then the states of the log. */
export const statusWords: readonly string[] = [
  ...new Set<string>([...Object.values(webStatusOf), "needs_answer", ...runStates]),
];
