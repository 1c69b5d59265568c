import { runStates, webStatusOf } from "@bron/protocol";

/** What `--status` takes: the words that people see, then those of the log. */
export const statusWords: readonly string[] = [
  ...new Set<string>([...Object.values(webStatusOf), ...runStates]),
];
