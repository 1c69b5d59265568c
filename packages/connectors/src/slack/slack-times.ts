/** The timeout of a post, and when to search for one whose response was lost. */
export interface SlackTimes {
  readonly postMs: number;
  /** Delay before each search in the history of the channel. */
  readonly searchDelaysMs: readonly number[];
}

export const defaultSlackTimes: SlackTimes = {
  postMs: 30_000,
  searchDelaysMs: [0, 1_000, 2_500, 5_000],
};
