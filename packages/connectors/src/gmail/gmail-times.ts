/** How long effects may take, and when to look for one whose answer was lost. */
export interface GmailTimes {
  readonly draftMs: number;
  readonly sendMs: number;
  /** Pauses before each look among sent mail: Sent may lag. */
  readonly looksMs: readonly number[];
}

export const defaultTimes: GmailTimes = { draftMs: 15_000, sendMs: 30_000, looksMs: [0, 1_000, 2_500, 5_000] };
