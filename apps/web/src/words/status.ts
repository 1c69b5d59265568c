import { statusWords, type BronStatus, type ShownStatus } from "@bron/protocol";

/** The status of a task or a Bron. */
export const statusTexts = {
  ...statusWords,
  completed: "Done",
  idle: "Idle",
} satisfies Record<ShownStatus | BronStatus, string>;
