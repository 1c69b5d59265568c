/** How long effects may take, and when to look for one whose answer was lost. */
export interface GoogleTimes {
  readonly draftMs: number;
  readonly sendMs: number;
  readonly eventMs: number;
  /** Pauses before each look for what an unclear answer left behind: lists may lag. */
  readonly looksMs: readonly number[];
}

export const defaultTimes: GoogleTimes = {
  draftMs: 15_000,
  sendMs: 30_000,
  eventMs: 20_000,
  looksMs: [0, 1_000, 2_500, 5_000],
};
