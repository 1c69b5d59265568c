import type { Bar } from "./figures.ts";

/**
 * The longest times that a person may have to wait, in milliseconds (BR24). A benchmark fails if
 * its figure exceeds them.
 */
export const speedBars = {
  createRun: { atMost: 300 },
  eventToScreen: { atMost: 1_000 },
  mailSearch: { atMost: 5_000 },
  smallExtraction: { atMost: 30_000 },
  /** From the prompt to the sent mail, without the time that the person takes. */
  demoRun: { atMost: 120_000 },
} as const satisfies Readonly<Record<string, Bar>>;
