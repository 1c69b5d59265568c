import type { Bar } from "./figures.ts";

/** What a person may have to wait for at most, in milliseconds (BR24). A benchmark whose figure is above it fails. */
export const speedBars = {
  createRun: { atMost: 300 },
  eventToScreen: { atMost: 1_000 },
  mailSearch: { atMost: 5_000 },
  smallExtraction: { atMost: 30_000 },
  /** From the prompt to the sent mail, without the time that the person takes. */
  demoRun: { atMost: 120_000 },
} as const satisfies Readonly<Record<string, Bar>>;
