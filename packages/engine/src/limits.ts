/** Runs under way at the same time. All three hold, whichever way a run is started. */
export interface EngineLimits {
  readonly perWorker: number;
  readonly perOwner: number;
  readonly inAll: number;
}

export const defaultLimits: EngineLimits = { perWorker: 50, perOwner: 50, inAll: 1_000 };
