/** Timeouts of effects, and when to search for an effect whose response was lost. */
export interface GoogleTimes {
  readonly draftMs: number;
  readonly sendMs: number;
  readonly eventMs: number;
  /**
   * Delay before each search for the result of an effect whose outcome is unclear. Google's lists
   * may lag.
   */
  readonly searchDelaysMs: readonly number[];
}

export const defaultTimes: GoogleTimes = {
  draftMs: 15_000,
  sendMs: 30_000,
  eventMs: 20_000,
  searchDelaysMs: [0, 1_000, 2_500, 5_000],
};
